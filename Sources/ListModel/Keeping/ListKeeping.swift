internal import ListReading
public import ServerAPI

/// Keeps a list in a store, so that it can be shown again when the program starts, without the
/// network: every page, in order, and the first visible row. See ``ListModel/restore()``.
///
/// ```swift
/// let books = ListModel<Book>(server, "/books", paging: .link) {
///   $0.keeping = ListKeeping(in: cache)
/// }
/// await books.restore().outcome
/// books.refresh()
/// ```
///
/// The responses of the server are kept, not the items: they are read again, and the link to the next page is
/// worked out again. So a kept list is dropped where the type or the field table of the items, the paging or
/// `version` has changed. Edits are not kept.
///
/// A page that the server forbids to store (`Cache-Control: no-store`) is not kept, and the kept list
/// ends before it. It also ends before a page that ``Paging/automatic`` found by trial, and before an error
/// status that means the end, which is requested again.
///
/// Keep only one list at a time under one name. Where credentials, keys, cookies or interceptors may
/// identify the user, the server needs a ``Server/Configuration/cachePartition``: without it nothing is
/// kept, since the owner of the rows would be unknown. ``HTTPCache/problems`` then says so, and standard error
/// in debug builds.
public struct ListKeeping: Sendable {
  /// The store; usually that of the server's cache.
  var store: any CacheStore
  /// The name of the kept list. Without it, the name is made from the request: the address with its
  /// parameters, the method, the headers, the body and the paging. Set one where ``ListModel/prepare(_:)``
  /// adds values that differ each time.
  package var name: String?
  /// A version to increase when a kept list must not be used any more.
  var version: Int

  /// Keeps a list in a cache, usually that of its server.
  public init(in cache: HTTPCache, as name: String? = nil, version: Int = 0) {
    self.init(in: cache.store, as: name, version: version)
  }

  package init(in store: any CacheStore, as name: String? = nil, version: Int = 0) {
    self.store = store
    self.name = name
    self.version = version
  }
}

/// Stores a list while it changes.
///
/// Writing takes a store microseconds, so every change is written at once and in order: the kept list is
/// the list on screen. Only the first visible row is written lazily: with the next page, after a second, or
/// when the list is deallocated.
@MainActor final class ListKeeper {
  private let archive: ListArchive
  private let time: TimeSource
  private let random: @Sendable () -> Double
  /// The kept list; `nil` where nothing is or may be kept.
  private var manifest: ListManifest?
  /// The manifest in the store, which may be that of another list with the same name.
  private var written: ListManifest?
  /// When the first page was received, in seconds since 1970.
  private var storedAt = 0.0
  private var places: [PageID: Int] = [:]
  /// The order in which the pages at the places were received.
  private var arrivals: [Int: PageArrival] = [:]
  /// Sides where a page is missing, so that pages beyond it can't be kept.
  private var closed: Set<ListSide> = []
  /// The gap that ends the kept list: its pages from above are kept, and those below it are not.
  private var gap: PageID?
  /// The places that were read while others are still to be read: what is kept of those must stay.
  private var placesSoFar: ClosedRange<Int>?
  private var isAnchorNew = false
  private var timer: Task<Void, Never>?

  /// Starts to keep a list where another one may have been kept.
  init(_ opened: OpenedArchive, _ configuration: Server.Configuration) {
    archive = opened.archive
    written = opened.manifest
    time = configuration.time
    random = configuration.random
  }

  deinit {
    timer?.cancel()
    if isAnchorNew, let manifest { archive.put(manifest, storedAt: storedAt) }
  }

  /// Keeps a page of the list. A page that may not be kept ends the kept list on its side.
  ///
  /// - Parameters:
  ///   - evidence: What was known when it was laid over the rows at the start, if it was.
  ///   - gap: The gap that it has opened below its rows.
  func keep(
    _ stored: StoredResponse?, _ key: PageKey, as id: PageID, _ placement: PagePlacement,
    splicedBy evidence: SpliceEvidence? = nil, above gap: PageID? = nil
  ) {
    if let evidence { return splice(stored, key, as: id, evidence) }
    switch placement {
    case .all:
      begin(stored, key, as: id)
      self.gap = gap
      if gap != nil { closed.insert(.next) }
    case .gap(let gap, .above) where gap == self.gap: join(stored, key, as: id, .next, isInGap: true)
    case .gap, .deep: break
    case .at(let side): join(stored, key, as: id, side)
    case .evicted: replace(stored, key, id)
    case .over(_, let side):
      if places[id] == nil { join(stored, key, as: id, side) } else { replace(stored, key, id) }
    }
  }

  /// Continues the list of a manifest, for these places; `isAll` says that no others will follow.
  func adopt(
    _ manifest: ListManifest, at places: ClosedRange<Int>, pages: [PageID],
    arrivals: [PageArrival], storedAt: Double, isAll: Bool
  ) {
    // A row that became visible in the meantime is newer than the kept one.
    let anchor = placesSoFar == nil ? manifest.anchor : self.manifest?.anchor
    self.manifest = manifest
    self.manifest?.anchor = anchor
    placesSoFar = places
    if isAll { narrow() }
    self.storedAt = storedAt
    self.places = Dictionary(zip(pages, places)) { first, _ in first }
    self.arrivals = Dictionary(zip(places, arrivals)) { first, _ in first }
  }

  /// Narrows the list to the places that were read.
  private func narrow() {
    guard let places = placesSoFar else { return }
    placesSoFar = nil
    manifest?.places = places
    if let anchor = manifest?.anchor, !places.contains(anchor.place) { manifest?.anchor = nil }
  }

  /// Writes the adopted list, and so removes pages that could not be read.
  func settle() {
    if manifest != written { write() }
  }

  /// Keeps the first visible row.
  func keepAnchor(_ row: Int, of page: PageID) {
    guard let place = places[page], manifest != nil else { return }
    let anchor = ListManifest.Anchor(place: place, row: row)
    guard manifest?.anchor != anchor else { return }
    manifest?.anchor = anchor
    isAnchorNew = true
    guard timer == nil else { return }
    timer = Task { [weak self, time] in
      try? await time.sleep(.seconds(1))
      guard !Task.isCancelled else { return }
      self?.writeAnchor()
    }
  }

  private func writeAnchor() {
    timer = nil
    if isAnchorNew { write() }
  }

  private func begin(_ stored: StoredResponse?, _ key: PageKey, as id: PageID) {
    (places, arrivals, closed, gap, manifest, placesSoFar) = ([:], [:], [], nil, nil, nil)
    guard let stored, let bytes = key.bytes else { return write() }
    let generation = Int(random() * 0x1p52)
    manifest = ListManifest(
      signature: archive.signature, generation: generation, places: 0...0, anchor: nil)
    (storedAt, places) = (stored.receivedAt, [id: 0])
    arrivals = [0: PageArrival(joined: 0)]
    archive.put(stored, bytes, at: 0, PageArrival(joined: 0), of: generation)
    write()
  }

  /// Keeps a page that was laid over the rows at the start. The pages below it stay, since they have the other rows.
  private func splice(
    _ stored: StoredResponse?, _ key: PageKey, as id: PageID, _ evidence: SpliceEvidence
  ) {
    if places[id] != nil { return replace(stored, key, id) }
    let splices = arrivals.values.count { $0.splice != nil }
    if stored != nil, key.bytes != nil, manifest != nil, !closed.contains(.previous),
      splices < Self.mostSplices
    {
      return join(stored, key, as: id, .previous, splice: evidence)
    }
    begin(stored, key, as: id)
    closed.insert(.next)
  }

  /// The most pages that are kept of the start of a list.
  private static let mostSplices = 64

  private func join(
    _ stored: StoredResponse?, _ key: PageKey, as id: PageID, _ side: ListSide,
    splice: SpliceEvidence? = nil, isInGap: Bool = false
  ) {
    narrow()
    guard var manifest, isInGap || !closed.contains(side) else { return }
    guard let stored, let bytes = key.bytes else {
      closed.insert(side)
      if side == .next { gap = nil }
      return
    }
    let (low, high) = (manifest.places.lowerBound, manifest.places.upperBound)
    manifest.places = side == .next ? low...high + 1 : low - 1...high
    let place = side == .next ? high + 1 : low - 1
    let arrival = PageArrival(joined: manifest.arrivals, splice: splice)
    manifest.arrivals += 1
    (places[id], arrivals[place]) = (place, arrival)
    self.manifest = manifest
    archive.put(stored, bytes, at: place, arrival, of: manifest.generation)
    write()
  }

  private func replace(_ stored: StoredResponse?, _ key: PageKey, _ id: PageID) {
    narrow()
    guard var manifest, let place = places[id], manifest.places.contains(place) else { return }
    if let stored, let bytes = key.bytes {
      var arrival = arrivals[place] ?? PageArrival(joined: manifest.arrivals)
      arrival.again = manifest.arrivals
      arrivals[place] = arrival
      manifest.arrivals += 1
      self.manifest = manifest
      archive.put(stored, bytes, at: place, arrival, of: manifest.generation)
      return write()
    }
    let (low, high) = (manifest.places.lowerBound, manifest.places.upperBound)
    if place > 0, low < place {
      manifest.places = low...place - 1
      closed.insert(.next)
    } else if place < 0, place < high {
      manifest.places = place + 1...high
      closed.insert(.previous)
    } else {
      self.manifest = nil
      return write()
    }
    if let anchor = manifest.anchor, !manifest.places.contains(anchor.place) {
      manifest.anchor = nil
    }
    self.manifest = manifest
    write()
  }

  /// Writes the manifest, and removes the pages that it no longer lists.
  private func write() {
    isAnchorNew = false
    if let manifest { archive.put(manifest, storedAt: storedAt) }
    let old = written
    written = manifest
    guard let old, old.generation != manifest?.generation || old.places != manifest?.places else {
      return
    }
    let kept = old.generation == manifest?.generation ? manifest?.places : nil
    let removed = old.places.filter { kept?.contains($0) != true }
    if manifest == nil { archive.removeManifest() }
    guard !removed.isEmpty else { return }
    // Pages that are loaded again get the keys of those that could not be read.
    if kept != nil { return archive.remove(removed, of: old.generation) }
    // Nothing depends on the removal, and a long list has many pages. Until the new list is written, a restore needs them:
    // a store may write a manifest that was put again later than the removals after it.
    Task { @concurrent [archive] in
      await archive.store.flush()
      archive.remove(removed, of: old.generation)
    }
  }
}

/// An archive for a list, and the manifest in it.
struct OpenedArchive: Sendable {
  var archive: ListArchive
  var manifest: ListManifest?
}
