internal import ServerAPI

/// Writes down what becomes of a list, as it does.
///
/// Writing is a matter of microseconds for a store, so it is done at once and in order; what is kept is
/// what is shown. Only the row in sight is written lazily: with the next page, after a second, or when
/// the list goes away.
@MainActor final class ListKeeper {
  private let archive: ListArchive
  private let time: TimeSource
  private let random: @Sendable () -> Double
  /// What is kept of the list; `nil` where nothing is, or may be.
  private var manifest: ListManifest?
  /// What the store has, which may be another list of the same name.
  private var written: ListManifest?
  /// From when the list is, in seconds since 1970.
  private var keptAt = 0.0
  private var places: [PageID: Int] = [:]
  /// When the pages at the places came.
  private var turns: [Int: PageTurn] = [:]
  /// Sides where a page is missing, so that those beyond it can't be kept.
  private var closed: Set<ListSide> = []
  /// The places that were read, while others are still to be: what is kept of them must not go.
  private var placesSoFar: ClosedRange<Int>?
  private var isAnchorNew = false
  private var timer: Task<Void, Never>?

  /// Begins to keep a list where another one may have been kept.
  init(_ opened: OpenedArchive, _ configuration: Server.Configuration) {
    archive = opened.archive
    written = opened.manifest
    time = configuration.time
    random = configuration.random
  }

  deinit {
    timer?.cancel()
    if isAnchorNew, let manifest { archive.put(manifest, keptAt: keptAt) }
  }

  /// A page is in the list. One that may not be kept ends what is kept on its side.
  func take(_ answer: StoredResponse?, _ key: PageKey, as id: PageID, _ placement: PagePlacement) {
    switch placement {
    case .all: begin(answer, key, as: id)
    case .at(let side): join(answer, key, as: id, side)
    case .gap: replace(answer, key, id)
    case .over(_, let side):
      if places[id] == nil { join(answer, key, as: id, side) } else { replace(answer, key, id) }
    }
  }

  /// The list is that of a manifest, as far as these places go; `isAll` says that no others will follow.
  func adopt(
    _ manifest: ListManifest, _ places: ClosedRange<Int>, _ pages: [PageID], _ turns: [PageTurn],
    keptAt: Double, isAll: Bool
  ) {
    // A row that came into sight meanwhile is newer than the one that was kept.
    let anchor = placesSoFar == nil ? manifest.anchor : self.manifest?.anchor
    self.manifest = manifest
    self.manifest?.anchor = anchor
    placesSoFar = places
    if isAll { narrow() }
    self.keptAt = keptAt
    self.places = Dictionary(zip(pages, places)) { first, _ in first }
    self.turns = Dictionary(zip(places, turns)) { first, _ in first }
  }

  /// What has been read is all there will be.
  private func narrow() {
    guard let places = placesSoFar else { return }
    placesSoFar = nil
    manifest?.places = places
    if let anchor = manifest?.anchor, !places.contains(anchor.place) { manifest?.anchor = nil }
  }

  /// What was adopted is all there is: pages that could not be read are removed.
  func settle() {
    if manifest != written { write() }
  }

  /// A row is the first in sight.
  func sees(_ row: Int, of page: PageID) {
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

  private func begin(_ answer: StoredResponse?, _ key: PageKey, as id: PageID) {
    (places, turns, closed, manifest, placesSoFar) = ([:], [:], [], nil, nil)
    guard let answer, let bytes = key.bytes else { return write() }
    let generation = Int(random() * 0x1p52)
    manifest = ListManifest(
      signature: archive.signature, generation: generation, places: 0...0, anchor: nil)
    (keptAt, places) = (answer.receivedAt, [id: 0])
    turns = [0: PageTurn(joined: 0)]
    archive.put(answer, bytes, at: 0, PageTurn(joined: 0), of: generation)
    write()
  }

  private func join(_ answer: StoredResponse?, _ key: PageKey, as id: PageID, _ side: ListSide) {
    narrow()
    guard var manifest, !closed.contains(side) else { return }
    guard let answer, let bytes = key.bytes else {
      closed.insert(side)
      return
    }
    let (low, high) = (manifest.places.lowerBound, manifest.places.upperBound)
    manifest.places = side == .next ? low...high + 1 : low - 1...high
    let place = side == .next ? high + 1 : low - 1
    let turn = PageTurn(joined: manifest.turns)
    manifest.turns += 1
    (places[id], turns[place]) = (place, turn)
    self.manifest = manifest
    archive.put(answer, bytes, at: place, turn, of: manifest.generation)
    write()
  }

  private func replace(_ answer: StoredResponse?, _ key: PageKey, _ id: PageID) {
    narrow()
    guard var manifest, let place = places[id], manifest.places.contains(place) else { return }
    if let answer, let bytes = key.bytes {
      var turn = turns[place] ?? PageTurn(joined: manifest.turns)
      turn.again = manifest.turns
      turns[place] = turn
      manifest.turns += 1
      self.manifest = manifest
      archive.put(answer, bytes, at: place, turn, of: manifest.generation)
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

  /// Writes the manifest, and removes the pages of which it does not speak any more.
  private func write() {
    isAnchorNew = false
    if let manifest { archive.put(manifest, keptAt: keptAt) }
    let old = written
    written = manifest
    guard let old, old.generation != manifest?.generation || old.places != manifest?.places else {
      return
    }
    let stays = old.generation == manifest?.generation ? manifest?.places : nil
    let gone = old.places.filter { stays?.contains($0) != true }
    if manifest == nil { archive.removeManifest() }
    guard !gone.isEmpty else { return }
    // Nobody waits for that, and a long list has many.
    Task { @concurrent [archive] in archive.remove(gone, of: old.generation) }
  }
}

/// A place to keep a list, and what is kept there.
struct OpenedArchive: Sendable {
  var archive: ListArchive
  var manifest: ListManifest?
}
