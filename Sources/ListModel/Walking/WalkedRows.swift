internal import ItemMapping
internal import ServerAPI

/// The rows that a walk has seen: their ids, and which pages had no new rows.
struct WalkedRows {
  private let identity: PageWalk.Identity
  private(set) var idPath: JSONPath?
  /// The ids of the rows of this walk.
  private var known: [RowID: KnownRow] = [:]
  /// Which responses had the rows; `nil` if nothing is proven by that.
  var sightings: RowSightings?
  /// The number after the last row.
  private var count = 0
  /// The ids of the last rows, in the order of the list.
  private var tail: [RowID] = []
  /// The ids of other rows that earlier walks delivered.
  private var delivered: Set<RowID>
  private var pagesWithoutNewRows: Set<Int> = []
  private var repeats = PageRepeats(limit: 10)
  private var needsIDPath: Bool
  private var isResumed = false

  init(
    _ identity: PageWalk.Identity, delivered: Set<RowID> = [], keepsSightings: Bool = false
  ) {
    self.identity = identity
    sightings = keepsSightings ? RowSightings() : nil
    self.delivered = delivered
    if case .by(let path) = identity { idPath = path }
    needsIDPath = identity == .recognized
  }

  /// Whether no ids are known.
  var knowsNone: Bool { known.isEmpty && delivered.isEmpty }

  /// Returns the rows of a walk that begins again. The rows so far are those of an earlier walk.
  func restarted() -> WalkedRows {
    WalkedRows(
      identity, delivered: delivered.union(known.keys), keepsSightings: sightings != nil)
  }

  /// Continues an earlier walk, with its id path. The delivered rows are its rows.
  mutating func resume(with path: JSONPath?) {
    idPath = path
    needsIDPath = false
    isResumed = true
    for id in delivered { know(id, at: KnownRow.unordered) }
    delivered = []
  }

  private mutating func know(_ id: RowID, at order: Int) {
    let row = KnownRow(order: order, index: sightings?.count ?? 0)
    if known.updateValue(row, forKey: id) == nil { sightings?.see(row.index) }
  }

  /// Looks for a proof of the rows of one instant.
  mutating func prove(isThorough: Bool) { sightings?.prove(isThorough: isThorough) }

  /// The rows that the list did not have, or that it is not known to have had, at the instant of the proof.
  var idsOutsideProof: [RowID] {
    guard let sightings, sightings.isClosed else { return [] }
    return known.filter { !sightings.isProven($0.value.index) }.map(\.key)
  }

  /// The new rows of a page.
  struct Added {
    var rows: [JSONView] = []
    var ids: [RowID?] = []
    var duplicates = 0
    /// The indices of all rows of the page among the sightings.
    var indices: [UInt32] = []
    /// The number of rows that are new in this walk, also where an earlier walk delivered them.
    var received = 0
    /// Whether the server sends the same pages in a loop.
    var isLoop = false
    /// What the page shares with the rows before it; `nil` if rows are not told apart.
    var meeting: ConsistencyRecord.Meeting?
  }

  /// Adds the rows of a page and returns the new ones. Without ids, the first `rowsToSkip` are skipped.
  ///
  /// - Parameters:
  ///   - showsOrder: Whether the page begins among the last rows, so that new rows belong where it has them.
  ///   - isReread: Whether the walk has stepped back to it, so that known rows are expected.
  mutating func add(
    _ rows: [JSONView], at key: PageKey, rowsToSkip: Int = 0, showsOrder: Bool = false,
    isReread: Bool = false
  ) -> Added {
    if needsIDPath, !rows.isEmpty {
      idPath = RowIDFinder.path(in: rows)
      needsIDPath = false
    }
    guard let path = idPath else { return addAll(rows, at: key, rowsToSkip: rowsToSkip) }
    let ids = rows.map { RowID(at: path, in: $0) }
    let before = count
    // Two rows of the page have the same id only if one is new and comes again, or if two are known.
    var mayRepeat = rowsToSkip > 0
    var knownCount = 0
    var newIDs: [RowID] = []
    var added = Added()
    var skipped = 0
    if known.isEmpty, delivered.isEmpty {
      // A program that keeps no ids has the rows at the start of the page.
      skipped = min(rowsToSkip, rows.count)
      for id in ids.prefix(skipped).compactMap(\.self) { know(id, at: KnownRow.unordered) }
      added.received = skipped
    } else if isResumed {
      added.received = rowsToSkip
    }
    var meeting = MeetingRecord(rowsBefore: count)
    for (row, id) in zip(rows, ids).dropFirst(skipped) {
      guard let id else {
        added.received += 1
        added.rows.append(row)
        added.ids.append(nil)
        meeting.lacksID = true
        continue
      }
      let new = KnownRow(order: count, index: sightings?.count ?? 0)
      let earlier = known.updateValue(new, forKey: id)
      if sightings != nil {
        let index = earlier?.index ?? new.index
        sightings?.see(index)
        added.indices.append(UInt32(index))
      }
      if let earlier {
        known[id] = earlier
        meeting.add(earlier.order)
        knownCount += 1
        mayRepeat = mayRepeat || earlier.order >= before || knownCount > 1
      } else {
        count += 1
        added.received += 1
        meeting.addNew()
        newIDs.append(id)
      }
      if earlier != nil || !delivered.isEmpty && delivered.remove(id) != nil {
        added.duplicates += 1
      } else {
        added.rows.append(row)
        added.ids.append(id)
      }
    }
    if identity == .recognized, mayRepeat, !Self.areDistinct(ids, rows) {
      (idPath, known, delivered, sightings, count) = (nil, [:], [], nil, before)
      return addAll(rows, at: key, rowsToSkip: rowsToSkip)
    }
    added.meeting = meeting.meeting
    if showsOrder, !meeting.continuesOrder {
      keepOrder(ids.compactMap(\.self), newIDs)
    } else {
      tail.append(contentsOf: newIDs)
    }
    // Not for each page, since that moves all others.
    let limit = max(256, 4 * ids.count)
    if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
    if added.rows.isEmpty {
      var hasher = Hasher()
      hasher.combine(ids)
      // Rows that come again after a step back may move meanwhile, and be those of another page.
      if rows.isEmpty || isReread { hasher.combine(key) }
      added.isLoop = !pagesWithoutNewRows.insert(hasher.finalize()).inserted
    } else {
      pagesWithoutNewRows = []
    }
    return added
  }

  /// Puts the new rows of a window into the order of reading: before the known row that they come before, or at the
  /// end. Known rows keep their order, as they do in a list.
  private mutating func keepOrder(_ ids: [RowID], _ newIDs: [RowID]) {
    let new = Set(newIDs)
    let window = Set(ids)
    var places: [RowID: Int] = [:]
    for (place, id) in tail.enumerated() where window.contains(id) { places[id] = place }
    var before: [Int: [RowID]] = [:]
    var (group, last) = ([RowID](), -1)
    for id in ids {
      if new.contains(id) {
        group.append(id)
      } else if let place = places[id] {
        if !group.isEmpty { before[place, default: []] += group }
        (group, last) = ([], max(last, place))
      } else {
        // Rows further back keep their numbers.
        let order = known[id]?.order ?? KnownRow.unordered
        for row in group { known[row]?.order = order }
        group = []
      }
    }
    var rest = tail[(last + 1)...]
    if last >= 0, !group.isEmpty {
      // Rows that should come where new ones do have gone, or come later.
      for id in rest { known[id]?.order = KnownRow.unordered }
      rest = []
    }
    guard let first = before.keys.min() else {
      tail = tail[...last] + rest + group
      return
    }
    let moved = (first...last).flatMap { (before[$0] ?? []) + [tail[$0]] } + rest + group
    tail = tail[..<first] + moved
    for id in moved {
      known[id]?.order = count
      count += 1
    }
  }

  /// Adds all rows. Without ids, equal rows may be distinct, so only a repeated page is a loop.
  private mutating func addAll(_ rows: [JSONView], at key: PageKey, rowsToSkip: Int) -> Added {
    // Hashes the rows alone: the data around them may change while they stay the same.
    var hasher = Hasher()
    for row in rows { hasher.combine(row.text) }
    let mark = PageMark(
      key: key, fingerprint: hasher.finalize(), isEmpty: rows.isEmpty)
    // The walk has a limit of its own for empty pages.
    guard !repeats.isRepeat(mark, countsEmptyPages: false) else { return Added(isLoop: true) }
    return Added(rows: Array(rows.dropFirst(rowsToSkip)), received: rows.count)
  }

  /// Returns what rows share with those that were read before.
  func meeting(of rows: [JSONView]) -> ConsistencyRecord.Meeting {
    guard let path = idPath else { return .init() }
    var meeting = MeetingRecord(rowsBefore: count)
    for row in rows {
      guard let id = RowID(at: path, in: row) else { continue }
      if let row = known[id] { meeting.add(row.order) } else { meeting.addNew() }
    }
    return meeting.meeting ?? .init()
  }

  /// Returns the id of a row; `nil` where rows are not told apart, or where it has none.
  func id(of row: JSONView) -> RowID? { idPath.flatMap { RowID(at: $0, in: row) } }

  /// Whether a row with its id was already seen.
  func isKnown(_ row: JSONView) -> Bool {
    idPath.flatMap { RowID(at: $0, in: row) }.map { known[$0] != nil } ?? false
  }

  /// Whether a row has an id that was not seen yet.
  func isNew(_ row: JSONView) -> Bool {
    idPath.flatMap { RowID(at: $0, in: row) }.map { known[$0] == nil } ?? false
  }

  /// Whether no two different rows of a page have the same id. If two do, it isn't an id, whatever its name.
  private static func areDistinct(_ ids: [RowID?], _ rows: [JSONView]) -> Bool {
    var first: [RowID: Int] = [:]
    for (index, id) in ids.enumerated() {
      guard let id else { continue }
      if let other = first[id], rows[other].text != rows[index].text { return false }
      first[id] = index
    }
    return true
  }
}

/// A row that a walk has seen, in eight bytes.
struct KnownRow {
  /// The order of rows of which it isn't known, such as those of an earlier walk.
  static let unordered = -1
  private static let indexBits: Int64 = 30

  private var bits: Int64

  init(order: Int, index: Int) {
    bits = Int64(order) << Self.indexBits | Int64(index) & (1 << Self.indexBits - 1)
  }

  /// Its number in the order of reading.
  var order: Int {
    get { Int(bits >> Self.indexBits) }
    set { self = KnownRow(order: newValue, index: index) }
  }

  /// Its number among the sightings.
  var index: Int { Int(bits & (1 << Self.indexBits - 1)) }

  var isOrdered: Bool { order != Self.unordered }
}
