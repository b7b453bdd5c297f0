internal import ListModel

/// Carries a plan out but for its sections: follows the changes of a list and tells those of the rows made of
/// it. A plain value.
///
/// A page behind the last one costs what its rows cost. Any other change goes through the whole list
/// once, but calls the plan only for rows that changed and for their neighbours.
struct RowTransformation<Item, Row> {
  private(set) var plan: RowPlan<Item, Row>
  private(set) var rows = PlannedRows<Row>()
  /// The list as it was last told.
  private var list: ListSnapshot<Item>
  /// What header and footer were made for.
  private var facts: ListFacts

  /// The rows of a list.
  init(_ plan: RowPlan<Item, Row>, of list: ListSnapshot<Item>, _ facts: ListFacts) {
    self.plan = plan
    self.list = list
    self.facts = facts
    _ = append()
    self.facts.shownRows = rows.entries.shownCount
    renewEnds()
  }

  /// Follows a step of the list.
  ///
  /// - Parameters:
  ///   - change: What happened to its rows, perhaps nothing.
  ///   - list: Its rows now.
  ///   - facts: Where it stands now; the count of rows is filled in.
  /// - Returns: What happened to the rows made of it.
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
        // Changes that don't fit the rows are not to be built on.
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

  /// Carries another plan out from now on. Rows that come out equal count as unchanged.
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
        let neighbour = step.sources[above]
        isSeparatorRemade =
          source.isRemade || neighbour.isRemade
          || neighbour.origin != source.origin.flatMap { shownBefore[$0] }
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

  /// The row of a row of the list; `nil` where it is not shown.
  private func made(_ row: ListRow<Item>?) -> ListRow<Row>? {
    switch row {
    case .item(let item): plan.filter?(item) == false ? nil : .item(plan.row(item))
    case .notLoaded(let page): .notLoaded(page)
    case nil: nil
    }
  }

  /// Whether a row that comes next may have a separator above it.
  private func isBetweenItems(_ row: ListRow<Row>?) -> Bool {
    guard plan.separator != nil, row?.item != nil, let above = rows.entries.lastShown else {
      return false
    }
    return rows.entries[above].isItem
  }

  /// The separator between the last row so far and the one that comes next.
  private func made(above position: Int) -> Row? {
    guard let separator = plan.separator, let above = rows.entries.lastShown,
      let upper = list.row(at: above)?.item, let lower = list.row(at: position)?.item
    else { return nil }
    return separator(upper, lower)
  }

  // MARK: - Ends

  /// What stands around the rows of the list, and how many there are.
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

  /// The change of all rows, made of that of the rows of the list.
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
    default: false
    }
  }
}

extension RowEntries {
  /// For each row of the list the one before it that is shown.
  fileprivate var shownBefore: [Int?] {
    var shown: Int?
    return (0..<count).map { position in
      defer { if self[position].row != nil { shown = position } }
      return shown
    }
  }
}

extension ListChange {
  /// Adds what happened further down, where rows were and are behind so many others.
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
  /// Adds a range that begins nowhere before the end of the last one.
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
