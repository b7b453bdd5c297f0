internal import ServerAPI
internal import Support

/// Where one list is kept, and how it is found again.
///
/// The manifest stands under the name of the list and each page under a key of its own, so that a few
/// pages can be read without the others. Pages of an older list have other keys: whatever is cut off in the
/// middle of writing, a manifest never speaks of pages that do not belong together.
struct ListArchive: Sendable {
  let store: any CacheStore
  let partition: String
  let name: String
  /// What the pages are read as: where that is another one, they are worth nothing.
  let signature: String

  func manifestKey() -> CacheKey { CacheKey(.bytes, partition: partition, name) }

  func pageKey(_ place: Int, of generation: Int) -> CacheKey {
    CacheKey(.bytes, partition: partition, "\(name) #\(generation) \(place)")
  }

  // MARK: - Reading

  /// What is kept here, whoever kept it; `nil` where nothing is or nobody can read it.
  func manifest() -> ListManifest? {
    guard let bytes = store.entries(for: manifestKey()).first?.bytes else { return nil }
    do throws(ByteReader.Broken) {
      return try ListManifest(bytes.head)
    } catch {
      return nil
    }
  }

  /// A page and how it was asked for; `nil` where it is missing or broken.
  func page(_ place: Int, of manifest: ListManifest) -> KeptResponse? {
    store.entries(for: pageKey(place, of: manifest.generation)).first?.bytes.flatMap {
      KeptResponse($0, at: place)
    }
  }

  // MARK: - Writing

  /// Keeps a manifest beside pages that begin with one from this moment, in seconds since 1970.
  func put(_ manifest: ListManifest, keptAt: Double) {
    let bytes = CacheBytes(head: manifest.bytes, keptAt: keptAt)
    store.put(CacheEntry(key: manifestKey(), content: .bytes(bytes)))
  }

  func put(
    _ answer: StoredResponse, _ key: [UInt8], at place: Int, _ turn: PageTurn, of generation: Int
  ) {
    let bytes = KeptResponse.bytes(of: answer, key, at: place, turn)
    store.put(CacheEntry(key: pageKey(place, of: generation), content: .bytes(bytes)))
  }

  /// Removes pages of a list that is no longer kept.
  func remove(_ places: some Sequence<Int>, of generation: Int) {
    for place in places { store.remove(CacheSelection(key: pageKey(place, of: generation))) }
  }

  func removeManifest() { store.remove(CacheSelection(key: manifestKey())) }

  /// Removes all that a manifest speaks of, and the manifest.
  func remove(_ manifest: ListManifest) {
    removeManifest()
    remove(manifest.places, of: manifest.generation)
  }
}

/// A page as it is kept: the response, and how and when it was asked for.
struct KeptResponse: Sendable {
  /// How it was asked for.
  var key: PageKey
  var turn: PageTurn
  var answer: StoredResponse
}

extension KeptResponse {
  /// Reads the page of a place; `nil` where the bytes are those of another one, or broken.
  init?(_ bytes: CacheBytes, at place: Int) {
    do throws(ByteReader.Broken) {
      var reader = ByteReader(bytes.head)
      guard try reader.number() == ListManifest.format, try reader.number() == place else {
        return nil
      }
      let joined = try reader.number()
      let again = try reader.optional { reader throws(ByteReader.Broken) in try reader.number() }
      turn = PageTurn(joined: joined, again: again)
      key = try PageKey(reader.content())
      let status = try reader.number()
      let url = try reader.url()
      let fields = try reader.array { reader throws(ByteReader.Broken) in
        HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
      }
      answer = StoredResponse(
        status: status, headers: HTTPHeaders(fields), body: bytes.body, url: url,
        requestedAt: bytes.keptAt, receivedAt: bytes.keptAt)
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }

  /// Writes a page. `key` is how it was asked for. Its body is shared and not copied.
  static func bytes(
    of answer: StoredResponse, _ key: [UInt8], at place: Int, _ turn: PageTurn
  ) -> CacheBytes {
    var writer = ByteWriter()
    writer.write(ListManifest.format)
    writer.write(place)
    writer.write(turn.joined)
    writer.write(turn.again) { $0.write($1) }
    writer.write(key)
    writer.write(answer.status)
    // The store may be a file.
    writer.write(Redaction().url(answer.url))
    writer.write(answer.headers.fields) {
      $0.write($1.name)
      $0.write($1.value)
    }
    return CacheBytes(head: writer.bytes, body: answer.body, keptAt: answer.receivedAt)
  }
}
