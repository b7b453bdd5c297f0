package import ListReading

/// How the rows of a list change that follows a table, by their positions before and after.
package struct FollowedRows<Item> {
  /// Whether the rows before are no longer those of the table. All of them are removed.
  package var restarts = false
  /// The positions before of rows that are gone.
  package var removed: [Int] = []
  /// Rows that may have another place, by their positions before and after. All others keep their order.
  package var shifted: [ListChange.Move] = []
  /// New rows, by their positions after.
  package var inserted: [(position: Int, id: RowID, item: Item)] = []
  /// Rows whose content may be another one, by their positions after.
  package var updated: [(position: Int, item: Item)] = []

  /// Creates a change of nothing.
  package init() {}

  /// Whether there is nothing to do.
  package var isEmpty: Bool {
    !restarts && removed.isEmpty && shifted.isEmpty && inserted.isEmpty && updated.isEmpty
  }
}

/// Rows of a table that is read elsewhere. The cost depends on the rows that change and the pages with them.
extension ListStore {
  /// The number of rows of a page that is made, and of one that is split.
  private static var pageSize: Int { 128 }

  /// Changes rows, and returns the exact change.
  mutating func follow(_ step: FollowedRows<Item>) -> ListChange {
    var change = ListChange()
    if step.restarts { change = removeAll() }
    let moves = Self.moves(of: step)
    change.moved = moves.sorted { $0.to < $1.to }
    if !step.restarts { change.removed = [Range<Int>](step.removed) }
    change.inserted = [Range<Int>](step.inserted.map(\.position))
    var moving: [Int: (id: RowID, item: Item)] = [:]
    let targets = Dictionary(uniqueKeysWithValues: moves.map { ($0.from, $0.to) })
    for position in (step.removed + moves.map(\.from)).sorted(by: >) {
      guard let row = row(at: position), let id = row.page.page.ids?[row.index] else { continue }
      if let target = targets[position], let item = row.item { moving[target] = (id, item) }
      removeRow(row)
    }
    let arriving = step.inserted + moving.map { ($0.key, $0.value.id, $0.value.item) }
    insert(arriving.sorted { $0.position < $1.position })
    var updated: [Int] = []
    for row in step.updated {
      guard let place = self.row(at: row.position) else { continue }
      if !updateRow(place, with: row.item).isEmpty { updated.append(row.position) }
    }
    change.updated = [Range<Int>](updated)
    return change
  }

  private func row(at position: Int) -> RowPlace<Item>? {
    tree.place(at: position, by: .rows).map { RowPlace(page: $0, index: position - $0.before.rows) }
  }

  /// Returns the rows that change their order. One that stays between the same rows as before does not move.
  static func moves(of step: FollowedRows<Item>) -> [ListChange.Move] {
    guard !step.shifted.isEmpty else { return [] }
    let leaving = (step.removed + step.shifted.map(\.from)).sorted()
    let arriving = (step.inserted.map(\.position) + step.shifted.map(\.to)).sorted()
    let shifted = step.shifted.sorted { $0.to < $1.to }
    var (moves, candidates) = ([ListChange.Move](), [ListChange.Move]())
    for row in shifted {
      let isBetweenTheSame = row.from - leaving.count(below: row.from) == row.to - arriving.count(below: row.to)
      if isBetweenTheSame { candidates.append(row) } else { moves.append(row) }
    }
    let stays = Set(candidates.map(\.from).longestIncrease())
    return moves + candidates.enumerated().filter { !stays.contains($0.offset) }.map(\.element)
  }

  /// Inserts rows in the order of their positions after.
  private mutating func insert(_ rows: [(position: Int, id: RowID, item: Item)]) {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].position == rows[end - 1].position + 1 { end += 1 }
      insertRun(rows[start..<end].map(\.item), rows[start..<end].map(\.id), at: rows[start].position)
      start = end
    }
  }

  /// Inserts neighboring rows.
  private mutating func insertRun(_ items: [Item], _ ids: [RowID], at position: Int) {
    let isAtEnd = position >= tree.span.rows
    guard let place = isAtEnd ? tree.last.flatMap({ tree.place(of: $0.id) }) : tree.place(at: position, by: .rows),
      place.page.count < Self.pageSize || !isAtEnd, let oldItems = place.page.items, let oldIDs = place.page.ids
    else { return insertPages(items, ids, from: pageAfter.order, step: PageID.step) }
    let page = place.page
    let index = isAtEnd ? page.count : position - place.before.rows
    let allItems = Array(oldItems[..<index]) + items + oldItems[index...]
    let allIDs = Array(oldIDs[..<index]) + ids + oldIDs[index...]
    let count = Self.pages(for: allIDs.count)
    var (first, step) = (page.id.order, PageID.step)
    if place.before.pages == 0 {
      first -= (count - 1) * step
    } else if let next = tree.place(at: place.before.pages + 1, by: .pages)?.page.id.order {
      step = (next - first) / count
    }
    // Where no ids are left between its neighbors, a page grows.
    guard allIDs.count > 2 * Self.pageSize, step > 0 else {
      for id in ids { self.index.insert(id.indexHash, order: page.id.order) }
      return tree.replace(page.with(.items(allItems), ids: allIDs))
    }
    for id in oldIDs { self.index.remove(id.indexHash, order: page.id.order) }
    tree.remove(page.id)
    insertPages(allItems, allIDs, from: first, step: step)
  }

  private static func pages(for rows: Int) -> Int { (rows + pageSize - 1) / pageSize }

  private mutating func insertPages(_ items: [Item], _ ids: [RowID], from first: Int, step: Int) {
    for number in 0..<Self.pages(for: ids.count) {
      let rows = number * Self.pageSize..<min(ids.count, (number + 1) * Self.pageSize)
      let page = PageID(order: first + number * step)
      for id in ids[rows] { index.insert(id.indexHash, order: page.order) }
      tree.insert(StoredPage(id: page, key: nil, content: .items(Array(items[rows])), ids: Array(ids[rows])))
    }
  }
}

extension [Int] {
  /// Returns how many elements are less than a number. They are in order.
  fileprivate func count(below number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
