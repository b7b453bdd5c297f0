package import ListModel
package import ListReading

extension SectionsChange {
  /// Creates the change between two states of sections.
  ///
  /// Sections are matched by id. Rows of a list or a plan are matched by the change of the list; rows of the
  /// program itself are matched by identity.
  ///
  /// - Parameters:
  ///   - old: The sections before.
  ///   - new: The sections after.
  ///   - change: The change of the rows that both are slices of.
  ///   - identity: The identity of items.
  /// - Returns: `nil` if two sections have the same id, or the change doesn't fit the list.
  package init?<Item>(
    from old: ListSections<Item>, to new: ListSections<Item>, by change: ListChange,
    identity: ItemIdentity<Item>
  ) {
    guard let places = old.numbers, new.numbers != nil else { return nil }
    let origins = new.sections.map { places[$0.id] }
    self.init(sections: .arranging(0..<old.sectionCount, origins: origins, from: 0))
    var comparison = RowComparison<Item>(change: change, identity: identity)
    for (after, origin) in origins.enumerated() {
      guard let before = origin else { continue }
      let (was, now) = (old.sections[before], new.sections[after])
      if !was.isTitled(like: now) { sections.updated.append(position: after) }
      guard let change = comparison.change(from: was.rows, to: now.rows) else { return nil }
      if !change.isEmpty { rows.append(Rows(before: before, after: after, change: change)) }
    }
  }
}

extension ListSections {
  /// The number of each section by its id; `nil` if two sections have the same id.
  fileprivate var numbers: [RowID: Int]? {
    var numbers: [RowID: Int] = [:]
    for (number, section) in sections.enumerated() {
      guard numbers.updateValue(number, forKey: section.id) == nil else { return nil }
    }
    return numbers
  }
}

/// Compares the rows of sections, one section after the other.
private struct RowComparison<Item> {
  let change: ListChange
  let identity: ItemIdentity<Item>
  /// The number of rows at the start that keep their positions.
  private let head: Int
  /// The previous position of each row of the list, -1 for new ones. Computed when a section needs it.
  private var origins: [Int]?
  private var isUpdated: [Bool] = []

  init(change: ListChange, identity: ItemIdentity<Item>) {
    self.change = change
    self.identity = identity
    let touched = [change.removed.first?.lowerBound, change.inserted.first?.lowerBound]
    head = change.moved.reduce(touched.compactMap(\.self).min() ?? .max) {
      min($0, $1.from, $1.to)
    }
  }

  mutating func change(from old: ListSection<Item>.Rows, to new: ListSection<Item>.Rows)
    -> ListChange?
  {
    switch (old.storage, new.storage) {
    case (.own, .own): return ownChange(old, new)
    case (.own, _), (_, .own): return replacing(old, new)
    case (.cut(let oldRows, let was), .cut(let newRows, let now)):
      if was == 0..<oldRows.count, now == 0..<newRows.count {
        return change.rowCount(after: was.count) == now.count ? change : nil
      }
      if let appended = appendedChange(was, of: oldRows.count, now) { return appended }
      return listChange(from: old, of: oldRows.count, to: new, of: newRows.count)
    case (.picked(let oldList, let was), .picked(let newList, let now)):
      if let appended = appendedChange(was, of: oldList.count, now) { return appended }
      return listChange(from: old, of: oldList.count, to: new, of: newList.count)
    case (.cut(let oldRows, _), .picked(let newList, _)):
      return listChange(from: old, of: oldRows.count, to: new, of: newList.count)
    case (.picked(let oldList, _), .cut(let newRows, _)):
      return listChange(from: old, of: oldList.count, to: new, of: newRows.count)
    }
  }

  /// The change of a run of rows that keeps its position, or that rows were appended to.
  private func appendedChange(_ was: Range<Int>, of count: Int, _ now: Range<Int>) -> ListChange? {
    let isUntouched = was == now && was.upperBound <= head
    guard isUntouched || change.keepsPositions(of: count), was.lowerBound == now.lowerBound,
      was.upperBound == now.upperBound || was.upperBound == count && now.upperBound > count
    else { return nil }
    return ListChange(
      inserted: was == now ? [] : [was.count..<now.count],
      updated: change.updated.map { $0.clamped(to: was) }.filter { !$0.isEmpty }.map {
        $0.lowerBound - was.lowerBound..<$0.upperBound - was.lowerBound
      })
  }

  /// The change of some rows if rows were only appended to the list.
  private func appendedChange(_ was: [Int], of count: Int, _ now: [Int]) -> ListChange? {
    guard change.keepsPositions(of: count), change.updated.isEmpty, now.starts(with: was),
      now[was.count...].allSatisfy({ $0 >= count })
    else { return nil }
    return ListChange(inserted: was.count == now.count ? [] : [was.count..<now.count])
  }

  private mutating func listChange(
    from old: ListSection<Item>.Rows, of oldCount: Int, to new: ListSection<Item>.Rows,
    of newCount: Int
  ) -> ListChange? {
    guard let origins = origins(oldCount, newCount) else { return nil }
    var places: [Int: Int] = [:]
    for row in old.indices {
      guard let position = old.sourceNumber(of: row),
        places.updateValue(row, forKey: position) == nil
      else { return nil }
    }
    var result = ListChange.arranging(
      old.indices,
      origins: new.indices.map { row in
        new.sourceNumber(of: row).flatMap { places[origins[$0]] }
      }, from: 0)
    for row in new.indices {
      if let position = new.sourceNumber(of: row), isUpdated[position],
        places[origins[position]] != nil
      {
        result.updated.append(position: row)
      }
    }
    return result
  }

  private mutating func origins(_ oldCount: Int, _ newCount: Int) -> [Int]? {
    let origins = origins ?? change.origins(of: oldCount)
    // The change doesn't describe rows of another list.
    guard let origins, origins.count == newCount, change.rowCount(after: oldCount) == newCount,
      (change.updated.last?.upperBound ?? 0) <= newCount
    else { return nil }
    if self.origins != nil { return origins }
    isUpdated = [Bool](repeating: false, count: newCount)
    for position in change.updated.joined() { isUpdated[position] = true }
    self.origins = origins
    return origins
  }

  private func ownChange(_ old: ListSection<Item>.Rows, _ new: ListSection<Item>.Rows) -> ListChange {
    guard let id = identity.id else { return replacing(old, new) }
    var places: [RowID: Int] = [:]
    for (row, old) in old.enumerated() {
      if let item = old.item { places[id(item)] = row }
    }
    var taken: Set<Int> = []
    let origins = new.map { row -> Int? in
      // If two rows have the same id, only one of them can match the previous row.
      guard let place = row.item.flatMap({ places[id($0)] }), taken.insert(place).inserted else {
        return nil
      }
      return place
    }
    var result = ListChange.arranging(old.indices, origins: origins, from: 0)
    for (row, origin) in origins.enumerated() {
      if let origin, !isSame(old[origin], new[row]) { result.updated.append(position: row) }
    }
    return result
  }

  /// Replaces rows that can't be matched, unless nothing changed.
  private func replacing(_ old: ListSection<Item>.Rows, _ new: ListSection<Item>.Rows) -> ListChange {
    if old.count == new.count, zip(old, new).allSatisfy({ isSame($0, $1) }) { return ListChange() }
    return ListChange(
      removed: old.isEmpty ? [] : [old.indices], inserted: new.isEmpty ? [] : [new.indices])
  }

  private func isSame(_ a: ListRow<Item>, _ b: ListRow<Item>) -> Bool {
    switch (a, b) {
    case (.item(let a), .item(let b)): ItemSameness.isSame(a, b)
    case (.notLoaded(let a), .notLoaded(let b)): a == b
    case (.gap(let a), .gap(let b)): a == b
    default: false
    }
  }
}

extension ListChange {
  /// Returns the number of rows after the change, given the number before.
  fileprivate func rowCount(after count: Int) -> Int {
    count - removed.reduce(0) { $0 + $1.count } + inserted.reduce(0) { $0 + $1.count }
  }

  /// Whether the given number of rows keep their positions, and new ones follow them.
  fileprivate func keepsPositions(of count: Int) -> Bool {
    removed.isEmpty && moved.isEmpty && inserted.allSatisfy { $0.lowerBound >= count }
  }
}

extension [Range<Int>] {
  /// Appends a position that follows all others.
  mutating func append(position: Int) {
    if let last, last.upperBound == position {
      self[count - 1] = last.lowerBound..<position + 1
    } else {
      append(position..<position + 1)
    }
  }
}
