internal import ListReading
internal import ServerAPI
internal import Support

/// The entries of one list in a store.
///
/// The manifest is stored under the name of the list and each page under a key of its own, so that a few
/// pages can be read without the others. Pages of an older list have other keys: even if writing is
/// interrupted, a manifest never lists pages that don't belong together.
struct ListArchive: Sendable {
  let store: any CacheStore
  let partition: String
  let name: String
  /// How the pages are read: the item type, its table, the paging and the version. Pages with another
  /// signature are of no use.
  let signature: String

  func manifestKey() -> CacheKey { CacheKey(.bytes, partition: partition, name) }

  func pageKey(_ place: Int, of generation: Int) -> CacheKey {
    CacheKey(.bytes, partition: partition, "\(name) #\(generation) \(place)")
  }

  // MARK: - Reading

  /// Reads the manifest, whatever its signature; `nil` where it is missing or broken.
  func manifest() -> ListManifest? {
    guard let bytes = store.entries(for: manifestKey()).first?.bytes else { return nil }
    do throws(ByteReader.InvalidBytes) {
      return try ListManifest(bytes.head)
    } catch {
      return nil
    }
  }

  /// Reads a page and its key; `nil` where it is missing or broken.
  func page(_ place: Int, of manifest: ListManifest) -> KeptResponse? {
    store.entries(for: pageKey(place, of: manifest.generation)).first?.bytes.flatMap {
      KeptResponse($0, at: place)
    }
  }

  // MARK: - Writing

  /// Writes a manifest. `storedAt` is when the first page was received, in seconds since 1970.
  func put(_ manifest: ListManifest, storedAt: Double) {
    let bytes = CacheBytes(head: manifest.bytes, storedAt: storedAt)
    store.put(CacheEntry(key: manifestKey(), content: .bytes(bytes)))
  }

  func put(
    _ stored: StoredResponse, _ key: [UInt8], at place: Int, _ arrival: PageArrival,
    of generation: Int
  ) {
    let bytes = KeptResponse.bytes(of: stored, key, at: place, arrival)
    store.put(CacheEntry(key: pageKey(place, of: generation), content: .bytes(bytes)))
  }

  /// Removes pages of a list that is no longer kept.
  func remove(_ places: some Sequence<Int>, of generation: Int) {
    for place in places { store.remove(CacheSelection(key: pageKey(place, of: generation))) }
  }

  func removeManifest() { store.remove(CacheSelection(key: manifestKey())) }

  /// Removes a manifest and all pages that it lists.
  func remove(_ manifest: ListManifest) {
    removeManifest()
    remove(manifest.places, of: manifest.generation)
  }
}

/// A kept page: the response, the key of the page, and its order among the requests.
struct KeptResponse: Sendable {
  var key: PageKey
  var arrival: PageArrival
  var stored: StoredResponse
}

extension KeptResponse {
  /// Reads the page of a place; `nil` where the bytes are those of another place, or broken.
  init?(_ bytes: CacheBytes, at place: Int) {
    do throws(ByteReader.InvalidBytes) {
      var reader = ByteReader(bytes.head)
      guard try reader.number() == ListManifest.format, try reader.number() == place else {
        return nil
      }
      let joined = try reader.number()
      let again = try reader.optional { reader throws(ByteReader.InvalidBytes) in
        try reader.number()
      }
      let splice = try reader.optional { reader throws(ByteReader.InvalidBytes) in
        let growth = try reader.optional { reader throws(ByteReader.InvalidBytes) in
          try reader.number()
        }
        return SpliceEvidence(growth: growth, keepsOrder: try reader.flag())
      }
      arrival = PageArrival(joined: joined, again: again, splice: splice)
      key = try PageKey(reader.content())
      let status = try reader.number()
      let url = try reader.url()
      let fields = try reader.array { reader throws(ByteReader.InvalidBytes) in
        HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
      }
      stored = StoredResponse(
        status: status, headers: HTTPHeaders(fields), body: bytes.body, url: url,
        requestedAt: bytes.storedAt, receivedAt: bytes.storedAt)
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }

  /// Encodes a page. `key` is its encoded key. The body is shared, not copied.
  static func bytes(
    of stored: StoredResponse, _ key: [UInt8], at place: Int, _ arrival: PageArrival
  ) -> CacheBytes {
    var writer = ByteWriter()
    writer.write(ListManifest.format)
    writer.write(place)
    writer.write(arrival.joined)
    writer.write(arrival.again) { $0.write($1) }
    writer.write(arrival.splice) { writer, evidence in
      writer.write(evidence.growth) { $0.write($1) }
      writer.write(evidence.keepsOrder)
    }
    writer.write(key)
    writer.write(stored.status)
    // The store may be a file, so secrets are masked.
    writer.write(Redaction().url(stored.url))
    writer.write(stored.headers.fields) {
      $0.write($1.name)
      $0.write($1.value)
    }
    return CacheBytes(head: writer.bytes, body: stored.body, storedAt: stored.receivedAt)
  }
}

/// The record of a kept list: its pages, their order, and the first visible row.
struct ListManifest: Hashable, Sendable {
  /// The version of the format: the first byte of everything that is kept.
  static let format = 5

  /// How the pages were read; see ``ListArchive/signature``.
  var signature: String
  /// Identifies this list among those that were kept under the same name, so that their pages never mix.
  var generation: Int
  /// The places of the pages. The list started with the page at 0; pages before it have negative places.
  var places: ClosedRange<Int>
  /// The number of pages received, including those that were loaded again.
  var arrivals = 1
  var anchor: Anchor?

  /// The first visible row.
  struct Anchor: Hashable, Sendable {
    /// The place of its page.
    var place: Int
    /// Its position among the rows of the page.
    var row: Int
  }
}

extension ListManifest {
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(signature)
    writer.write(generation)
    writer.write(places.lowerBound)
    writer.write(places.upperBound)
    writer.write(arrivals)
    writer.write(anchor) { writer, anchor in
      writer.write(anchor.place)
      writer.write(anchor.row)
    }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    guard try reader.number() == Self.format else { throw ByteReader.InvalidBytes() }
    signature = try reader.text()
    generation = try reader.number()
    let (low, high) = (try reader.number(), try reader.number())
    guard Self.limit.contains(low), Self.limit.contains(high), low <= high else {
      throw ByteReader.InvalidBytes()
    }
    places = low...high
    arrivals = try reader.number()
    guard (0...Self.most).contains(arrivals) else { throw ByteReader.InvalidBytes() }
    anchor = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      Anchor(place: try reader.number(), row: try reader.number())
    }
    if let anchor, !places.contains(anchor.place) || !(0...Self.most).contains(anchor.row) {
      self.anchor = nil
    }
    guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
  }

  /// More pages than any list has: broken bytes must not cause a long loop.
  private static var limit: ClosedRange<Int> { -200_000...200_000 }
  private static var most: Int { Int(clamping: 1 << 40 as Int64) }
}
