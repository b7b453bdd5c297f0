internal import ItemMapping
internal import ServerAPI

/// The rows that a walk has seen: their ids, and which pages had no new rows.
struct WalkedRows {
  private let identity: PageWalk.Identity
  private(set) var idPath: JSONPath?
  /// The rows of this walk.
  private var known: KnownRows
  /// Which responses had the rows, by the indices of `known`; `nil` if nothing is proven by that.
  var sightings: RowSightings?
  /// The number after the last row.
  private var count = 0
  /// The indices of the last rows, in the order of the list.
  private var tail: [Int] = []
  /// Rows that earlier walks delivered. Those that came again are also among the rows of this one.
  private var delivered: KnownRows
  /// The first rows, if their id was recognized.
  private var firstRows = FirstRows()
  private var needsIDPath: Bool
  private var isResumed = false
  /// Whether delivered rows that don't come again are rows of the walk, too.
  private var hasEarlierRows = false

  init(
    _ identity: PageWalk.Identity, delivered: some Sequence<RowID> = [],
    keepsSightings: Bool = false
  ) {
    self.identity = identity
    sightings = keepsSightings ? RowSightings() : nil
    if case .by(let path) = identity { idPath = path }
    needsIDPath = identity == .recognized
    // A proof names the rows outside of it.
    known = KnownRows(keepsIDs: keepsSightings)
    self.delivered = known
    for id in delivered {
      _ = self.delivered.insert(RowDigest(id), order: KnownRows.unordered, id: id)
    }
  }

  /// Whether no ids are known.
  var knowsNone: Bool { known.isEmpty && delivered.isEmpty }

  /// Returns the rows of a walk that begins again. The rows so far are those of an earlier walk.
  func restarted() -> WalkedRows {
    var rows = WalkedRows(identity, keepsSightings: sightings != nil)
    rows.delivered = delivered
    rows.delivered.insert(known)
    return rows
  }

  /// The same, of a walk whose program has the earlier rows, also those that don't come again.
  func begunAgain() -> WalkedRows {
    var rows = restarted()
    rows.hasEarlierRows = true
    return rows
  }

  /// Continues an earlier walk, with its id path. The delivered rows are its rows.
  mutating func resume(with path: JSONPath?) {
    idPath = path
    needsIDPath = false
    isResumed = true
    (known, delivered) = (delivered, KnownRows())
    for index in 0..<known.count { sightings?.see(index) }
  }

  /// Looks for a proof of the rows of one instant.
  mutating func prove(isThorough: Bool) { sightings?.prove(isThorough: isThorough) }

  /// The rows that the list did not have, or that it is not known to have had, at the instant of the proof.
  var idsOutsideProof: [RowID] {
    guard let sightings, sightings.isClosed else { return [] }
    let outside = (0..<known.count).filter { !sightings.isProven($0) }.compactMap(known.id(at:))
    guard hasEarlierRows else { return outside }
    return outside
      + (0..<delivered.count).filter { known.index(of: delivered.digest(at: $0)) == nil }.compactMap(delivered.id(at:))
  }

  /// The new rows of a page.
  struct Added {
    var rows: [JSONView] = []
    var duplicates = 0
    /// The indices of all rows of the page among the sightings.
    var indices: [UInt32] = []
    /// The number of rows that are new in this walk, also where an earlier walk delivered them.
    var received = 0
    /// A hash of the ids of a page without new rows, or of all rows where these have no ids.
    var fingerprint = 0
    /// What the page shares with the rows before it; `nil` if rows are not told apart.
    var shared: SharedRows?
    /// The member that was taken for the id until this page, whose rows show that it is none.
    var rejectedID: JSONPath?
  }

  /// The ids of the rows of a page, as far as the walk keeps them.
  struct PageIDs {
    /// `nil` where a row has no id.
    fileprivate let digests: [RowDigest?]
    /// The index of each row that is known.
    fileprivate let indices: [Int?]
  }

  /// Returns the ids of the rows of a page; `nil` where rows are not told apart.
  func ids(of rows: [JSONView]) -> PageIDs? {
    guard let path = idPath else { return nil }
    let digests = rows.map { RowDigest(at: path, in: $0) }
    return PageIDs(digests: digests, indices: known.indices(of: digests))
  }

  /// Adds the rows of a page and returns the new ones. Without ids, the first `rowsToSkip` are skipped.
  ///
  /// - Parameters:
  ///   - ids: The ids of the rows, if they were already read.
  ///   - showsOrder: Whether the page begins among the last rows, so that new rows belong where it has them.
  mutating func add(
    _ rows: [JSONView], _ ids: PageIDs? = nil, rowsToSkip: Int = 0, showsOrder: Bool = false
  ) -> Added {
    if needsIDPath, !rows.isEmpty {
      idPath = RowIDFinder.path(in: rows)
      needsIDPath = false
    }
    guard let path = idPath, let ids = ids ?? self.ids(of: rows) else {
      return addAll(rows, rowsToSkip: rowsToSkip)
    }
    let before = count
    let isGuess = identity == .recognized
    var others = FirstRows.Count()
    // Two rows of the page have the same id only if one is new and comes again, or if two are known.
    var mayRepeat = rowsToSkip > 0
    var knownCount = 0
    var (indices, newIndices, newPlaces) = ([Int](), [Int](), [Int]())
    indices.reserveCapacity(rows.count)
    newIndices.reserveCapacity(rows.count)
    var added = Added()
    added.rows.reserveCapacity(rows.count)
    var skipped = 0
    if known.isEmpty, delivered.isEmpty {
      // A program that keeps no ids has the rows at the start of the page.
      skipped = min(rowsToSkip, rows.count)
      added.received = skipped
    } else if isResumed {
      added.received = rowsToSkip
    }
    var counter = SharedRowsCounter(rowsBefore: count)
    for place in rows.indices {
      guard let digest = ids.digests[place] else {
        guard place >= skipped else { continue }
        added.received += 1
        added.rows.append(rows[place])
        counter.lacksID = true
        continue
      }
      let (isNew, index): (Bool, Int)
      if let known = ids.indices[place] {
        (isNew, index) = (false, known)
      } else {
        let order = place < skipped ? KnownRows.unordered : count
        let id = known.keepsIDs ? RowID(at: path, in: rows[place]) : nil
        (isNew, index) = known.insert(digest, order: order, id: id)
      }
      indices.append(index)
      if place >= skipped || isNew { sightings?.see(index) }
      guard place >= skipped else { continue }
      if sightings != nil { added.indices.append(UInt32(index)) }
      if isNew {
        count += 1
        added.received += 1
        counter.addNew()
        newIndices.append(index)
        if isGuess { newPlaces.append(place) }
      } else {
        if isGuess { firstRows.compare(rows[place], at: place, with: index, id: path, &others) }
        let order = known[orderOf: index]
        counter.add(order)
        knownCount += 1
        mayRepeat = mayRepeat || order >= before || knownCount > 1
      }
      if isNew, delivered.isEmpty || delivered.index(of: digest) == nil {
        added.rows.append(rows[place])
      } else {
        added.duplicates += 1
      }
    }
    if isGuess,
      firstRows.areOthers(others, of: rows.count) || mayRepeat && !Self.areDistinct(rows, by: path)
    {
      let orders = showsOrder ? ids.indices.map { index in index.map { known[orderOf: $0] } } : []
      let overlap = showsOrder ? firstRows.overlap(of: rows, ids.indices, orders, before: before) : 0
      (idPath, known, delivered, sightings, count) = (nil, KnownRows(), KnownRows(), nil, before)
      var all = addAll(Array(rows.dropFirst(overlap)), rowsToSkip: rowsToSkip)
      all.rows = firstRows.dropped + all.rows
      all.received += firstRows.dropped.count
      all.rejectedID = path
      firstRows = FirstRows()
      return all
    }
    if isGuess {
      firstRows.drop(others, of: rows)
      firstRows.keep(rows, newPlaces, newIndices)
    }
    added.shared = counter.rows
    if showsOrder, !counter.continuesOrder {
      keepOrder(indices, newIndices)
    } else {
      tail.append(contentsOf: newIndices)
    }
    // Not for each page, since that moves all others.
    let limit = max(256, 4 * rows.count)
    if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
    if added.rows.isEmpty {
      var hasher = Hasher()
      hasher.combine(ids.digests)
      added.fingerprint = hasher.finalize()
    }
    return added
  }

  /// Puts the new rows of an overlap into the order of reading: before the known row that they come before, or at the
  /// end. Known rows keep their order, as they do in a list.
  private mutating func keepOrder(_ rows: [Int], _ newRows: [Int]) {
    let new = Set(newRows)
    let overlap = Set(rows)
    var places: [Int: Int] = [:]
    for (place, row) in tail.enumerated() where overlap.contains(row) { places[row] = place }
    var before: [Int: [Int]] = [:]
    var (group, last) = ([Int](), -1)
    for row in rows {
      if new.contains(row) {
        group.append(row)
      } else if let place = places[row] {
        if !group.isEmpty { before[place, default: []] += group }
        (group, last) = ([], max(last, place))
      } else {
        // Rows further back keep their numbers.
        let order = known[orderOf: row]
        for row in group { known[orderOf: row] = order }
        group = []
      }
    }
    var rest = tail[(last + 1)...]
    if last >= 0, !group.isEmpty {
      // Rows that should come where new ones do have gone, or come later.
      for row in rest { known[orderOf: row] = KnownRows.unordered }
      rest = []
    }
    guard let first = before.keys.min() else {
      tail = tail[...last] + rest + group
      return
    }
    let moved = (first...last).flatMap { (before[$0] ?? []) + [tail[$0]] } + rest + group
    tail = tail[..<first] + moved
    for row in moved {
      known[orderOf: row] = count
      count += 1
    }
  }

  /// Adds all rows. Without ids, equal rows may be distinct.
  private func addAll(_ rows: [JSONView], rowsToSkip: Int) -> Added {
    // Hashes the rows alone: the data around them may change while they stay the same.
    var hasher = Hasher()
    for row in rows { hasher.combine(row.text) }
    return Added(
      rows: Array(rows.dropFirst(rowsToSkip)), received: rows.count, fingerprint: hasher.finalize())
  }

  /// Returns what rows share with those that were read before.
  func compared(_ ids: PageIDs?) -> ComparedRows {
    guard let ids else {
      return ComparedRows(ids: [], shared: .init(), startsKnown: false, hasKnown: false)
    }
    var counter = SharedRowsCounter(rowsBefore: count)
    for (digest, index) in zip(ids.digests, ids.indices) {
      if let index {
        counter.add(known[orderOf: index])
      } else if digest != nil {
        counter.addNew()
      }
    }
    return ComparedRows(
      ids: ids.digests.compactMap(\.self), shared: counter.rows ?? .init(),
      startsKnown: ids.indices.first.map { $0 != nil } ?? false,
      hasKnown: ids.indices.contains { $0 != nil })
  }

  /// Returns the rows of a page after the new rows of pages that were read again, each once.
  func joined(_ pages: [[JSONView]], before rows: [JSONView]) -> [JSONView] {
    guard let path = idPath else { return rows }
    var found: Set<RowDigest> = []
    let new = pages.joined().filter { row in
      guard let id = RowDigest(at: path, in: row), known.index(of: id) == nil else { return false }
      return found.insert(id).inserted
    }
    return new + rows.filter { row in !(RowDigest(at: path, in: row).map(found.contains) ?? false) }
  }
}
