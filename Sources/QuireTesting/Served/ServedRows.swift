/// The rows of a served list, and what happened to them since the first request.
struct ServedRows: Sendable {
  typealias Row = ServedList.Row

  /// There is room for this many halvings between two rows.
  static let gapBits = 32
  private static let gap = 1 << gapBits

  private(set) var rows: [Row]
  private var gone: [Row] = []
  private var fresh: Int
  /// The ids that were there at each instant since the first request.
  private(set) var instants: [[Int]] = []
  /// The ids that were there at all of these instants.
  private(set) var stayers: Set<Int> = []
  /// Whether a row that was there at the first request has another place among the others.
  private(set) var hasMoved = false
  /// Whether a row went and came back.
  private(set) var hasReturned = false

  init(count: Int) {
    rows = (0..<count).map { Row(id: $0 + 1, key: $0 * Self.gap) }
    fresh = count
  }

  /// Begins to record: the first request is there.
  mutating func begin() {
    stayers = Set(rows.map(\.id))
    instants = [rows.map(\.id)]
  }

  mutating func apply(_ change: ServedList.Change) {
    switch change {
    case .insert(let position):
      guard let key = key(at: position) else { return }
      fresh += 1
      insert(Row(id: fresh, key: key))
    case .delete(let position):
      guard let index = index(position) else { return }
      let row = rows.remove(at: index)
      gone.append(row)
      stayers.remove(row.id)
    case .move(let from, let to):
      guard let index = index(from) else { return }
      var row = rows.remove(at: index)
      guard let key = key(at: to) else { return rows.insert(row, at: index) }
      // Between the same neighbors it has not moved.
      if min(max(0, to), rows.count) != index { hasMoved = hasMoved || !instants.isEmpty }
      row.key = key
      insert(row)
    case .update(let position):
      guard let index = index(position) else { return }
      rows[index].version += 1
    case .restore:
      guard var row = gone.popLast() else { return }
      while rows.contains(where: { $0.key == row.key }) { row.key += 1 }
      hasReturned = hasReturned || !instants.isEmpty
      insert(row)
    }
    if !instants.isEmpty { instants.append(rows.map(\.id)) }
  }

  /// The nearest position of a row.
  private func index(_ position: Int) -> Int? {
    rows.isEmpty ? nil : min(max(0, position), rows.count - 1)
  }

  /// A key for a row before the one at a position; `nil` where there is no room left.
  private func key(at position: Int) -> Int? {
    let position = min(max(0, position), rows.count)
    let before = position > 0 ? rows[position - 1].key : nil
    let after = position < rows.count ? rows[position].key : nil
    switch (before, after) {
    case (nil, nil): return 0
    case (let before?, nil): return before + Self.gap
    case (nil, let after?): return after - Self.gap
    case (let before?, let after?): return after - before > 1 ? before + (after - before) / 2 : nil
    }
  }

  private mutating func insert(_ row: Row) {
    rows.insert(row, at: rows.firstIndex { $0.key > row.key } ?? rows.count)
  }
}
