internal import ListModel
internal import ListReading

/// Carries out a plan except for its sections: takes the changes of a list and returns those of the rows made
/// from it. A plain value.
///
/// Appending a page costs as much as its rows. Any other change visits the whole list once, but calls the
/// plan only for changed rows and their neighbors.
struct RowTransformation<Item, Row> {
  private(set) var plan: RowPlan<Item, Row>
  private(set) var rows = PlannedRows<Row>()
  /// The list after the last step.
  private var list: ListSnapshot<Item>
  /// The state that header and footer were made for.
  private var facts: ListFacts

  /// Makes the rows of a list.
  init(_ plan: RowPlan<Item, Row>, of list: ListSnapshot<Item>, _ facts: ListFacts) {
    self.plan = plan
    self.list = list
    self.facts = facts
    _ = append()
    self.facts.shownRows = rows.entries.shownCount
    renewEnds()
  }

  /// Applies a step of the list.
  ///
  /// - Parameters:
  ///   - change: The change of its rows, possibly empty.
  ///   - list: Its rows now.
  ///   - facts: Its state now; the count of rows is filled in.
  /// - Returns: The change of the rows made from it.
  mutating func apply(
    _ change: ListChange, to list: ListSnapshot<Item>, _ facts: ListFacts
  ) -> ListChange {
    let before = ends
    let count = rows.entries.count
    self.list = list
    let inner =
      if change.isEmpty, list.count == count {
        ListChange()
      } else if list.count > count, change == ListChange(inserted: [count..<list.count]) {
        append()
      } else if let sources = RowSources(change, from: count, to: list.count) {
        rearrange(sources)
      } else {
        // A change that doesn't fit the rows can't be applied.
        rearrange(RowSources(replacing: list.count))
      }
    var facts = facts
    facts.shownRows = rows.entries.shownCount
    if facts != self.facts {
      self.facts = facts
      renewEnds()
    }
    return changeOfAll(inner, before)
  }

  /// Applies another plan. Rows that come out equal count as unchanged.
  mutating func use(_ plan: RowPlan<Item, Row>) -> ListChange {
    let before = ends
    let areSame = plan.unchanged != nil && self.plan.unchanged != nil
    self.plan = plan
    let inner = rearrange(
      RowSources(remaking: list.count, update: areSame ? .never : .ifDifferent))
    facts.shownRows = rows.entries.shownCount
    renewEnds()
    return changeOfAll(inner, before)
  }

  // MARK: - Rows of the list

  private mutating func append() -> ListChange {
    let end = rows.entries.rowCount
    for position in rows.entries.count..<list.count {
      let row = made(list.row(at: position))
      let separator = isBetweenItems(row) ? made(above: position) : nil
      rows.entries.append(row, under: separator)
    }
    let inserted = end..<rows.entries.rowCount
    return ListChange(inserted: inserted.isEmpty ? [] : [inserted])
  }

  private mutating func rearrange(_ step: RowSources) -> ListChange {
    let before = rows.entries
    let shownBefore = before.shownBefore
    var trace = RowTrace()
    rows.entries = RowEntries()
    for (position, source) in step.sources.enumerated() {
      let old = source.origin.map { before[$0] }
      let row = source.isRemade ? made(list.row(at: position)) : old?.row
      var separator: Row?
      var isSeparatorRemade = false
      if isBetweenItems(row), let above = rows.entries.lastShown {
        let neighbor = step.sources[above]
        isSeparatorRemade =
          source.isRemade || neighbor.isRemade
          || neighbor.origin != source.origin.flatMap { shownBefore[$0] }
        separator = isSeparatorRemade ? made(above: position) : old?.separator
      }
      rows.entries.append(row, under: separator)
      if let separator {
        trace.add(
          from: old?.separatorNumber, moved: source.hasMoved,
          updated: isSeparatorRemade && !isSame(old?.separator, separator))
      }
      if let row {
        let isUpdated = source.isRemade && isUpdate(of: old?.row, to: row, step.update)
        trace.add(from: old?.rowNumber, moved: source.hasMoved, updated: isUpdated)
      }
    }
    return trace.change(from: before.rowCount)
  }

  /// Makes the row of a list row; `nil` if it isn't shown.
  private func made(_ row: ListRow<Item>?) -> ListRow<Row>? {
    switch row {
    case .item(let item): plan.filter?(item) == false ? nil : .item(plan.row(item))
    case .notLoaded(let page): .notLoaded(page)
    case .gap(let gap): .gap(gap)
    case nil: nil
    }
  }

  /// Whether the next row may have a separator above it.
  private func isBetweenItems(_ row: ListRow<Row>?) -> Bool {
    guard plan.separator != nil, row?.item != nil, let above = rows.entries.lastShown else {
      return false
    }
    return rows.entries[above].isItem
  }

  /// Makes the separator between the last row so far and the next one.
  private func made(above position: Int) -> Row? {
    guard let separator = plan.separator, let above = rows.entries.lastShown,
      let upper = list.row(at: above)?.item, let lower = list.row(at: position)?.item
    else { return nil }
    return separator(upper, lower)
  }

  // MARK: - Ends

  /// The header and footer, and the number of rows between them.
  private struct Ends {
    var header: Row?
    var footer: Row?
    var rowCount: Int
  }

  private var ends: Ends {
    Ends(header: rows.header, footer: rows.footer, rowCount: rows.entries.rowCount)
  }

  private mutating func renewEnds() {
    rows.header = plan.header?(facts)
    rows.footer = plan.footer?(facts)
  }

  /// Returns the change of all rows, given the change of the rows of the list.
  private func changeOfAll(_ inner: ListChange, _ before: Ends) -> ListChange {
    let (oldOffset, newOffset) = (before.header == nil ? 0 : 1, rows.offset)
    var change = ListChange()
    note(before.header, at: 0, became: rows.header, at: 0, in: &change)
    change.add(inner, removedBy: oldOffset, insertedBy: newOffset)
    note(
      before.footer, at: oldOffset + before.rowCount, became: rows.footer,
      at: newOffset + rows.entries.rowCount, in: &change)
    return change
  }

  private func note(
    _ old: Row?, at oldNumber: Int, became new: Row?, at newNumber: Int,
    in change: inout ListChange
  ) {
    switch (old, new) {
    case (nil, nil): break
    case (nil, _?): change.inserted.append(position: newNumber)
    case (_?, nil): change.removed.append(position: oldNumber)
    case (let old?, let new?):
      if !ItemSameness.isSame(old, new) { change.updated.append(position: newNumber) }
    }
  }

  /// Whether a row that was made again counts as updated.
  private func isUpdate(
    of old: ListRow<Row>?, to new: ListRow<Row>, _ update: RowSources.Update
  ) -> Bool {
    switch update {
    case .always: true
    case .ifDifferent: !isSame(old, new)
    case .never: false
    }
  }

  private func isSame(_ old: Row?, _ new: Row) -> Bool {
    old.map { ItemSameness.isSame($0, new) } ?? false
  }

  private func isSame(_ old: ListRow<Row>?, _ new: ListRow<Row>) -> Bool {
    switch (old, new) {
    case (.item(let old), .item(let new)): ItemSameness.isSame(old, new)
    case (.notLoaded(let old), .notLoaded(let new)): old == new
    case (.gap(let old), .gap(let new)): old == new
    default: false
    }
  }
}

extension RowEntries {
  /// The last shown list row before each list row.
  fileprivate var shownBefore: [Int?] {
    var shown: Int?
    return (0..<count).map { position in
      defer { if self[position].row != nil { shown = position } }
      return shown
    }
  }
}

extension ListChange {
  /// Adds a change of rows that follow some others, with the number of those before and after.
  fileprivate mutating func add(
    _ inner: ListChange, removedBy oldOffset: Int, insertedBy newOffset: Int
  ) {
    for range in inner.removed { removed.extend(with: range.shifted(by: oldOffset)) }
    for range in inner.inserted { inserted.extend(with: range.shifted(by: newOffset)) }
    for range in inner.updated { updated.extend(with: range.shifted(by: newOffset)) }
    moved += inner.moved.map { Move(from: $0.from + oldOffset, to: $0.to + newOffset) }
  }
}

extension [Range<Int>] {
  /// Appends a range that doesn't start before the end of the last one.
  fileprivate mutating func extend(with range: Range<Int>) {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> {
    lowerBound + offset..<upperBound + offset
  }
}
