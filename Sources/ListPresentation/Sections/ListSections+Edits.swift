internal import ListModel
public import ListReading

extension ListSections {
  /// Appends items to a section. If there are no sections, it becomes the first one.
  ///
  /// - Returns: The change.
  /// - Throws: ``SectionsChange/Failure/unknownSection(_:known:)``; nothing changes then.
  @discardableResult
  public mutating func append(
    _ items: some Sequence<Item>, to id: RowID
  ) throws(SectionsChange.Failure) -> SectionsChange {
    if sections.isEmpty { return begin(id, items) }
    guard let number = number(of: id) else {
      throw .unknownSection(id, known: sections.map(\.id))
    }
    return append(Array(items), toExisting: number)
  }

  /// Appends items to a section, by default the first one. If there are no sections, a first one is added.
  ///
  /// - Returns: The change.
  /// - Throws: ``SectionsChange/Failure/noSection(_:count:)``; nothing changes then.
  @discardableResult
  public mutating func append(
    _ items: some Sequence<Item>, toSection number: Int = 0
  ) throws(SectionsChange.Failure) -> SectionsChange {
    if sections.isEmpty, number == 0 { return begin(0, items) }
    guard sections.indices.contains(number) else {
      throw .noSection(number, count: sections.count)
    }
    return append(Array(items), toExisting: number)
  }

  /// Removes all rows, and the sections too unless they are kept with their titles.
  @discardableResult
  public mutating func removeAllRows(keepingSections: Bool) -> SectionsChange {
    var change = SectionsChange()
    if keepingSections {
      for number in sections.indices where !sections[number].rows.isEmpty {
        change.rows.append(
          .init(number, ListChange(removed: [0..<sections[number].rows.count])))
        sections[number].rows = ListSection.Rows([])
      }
    } else if !sections.isEmpty {
      change.sections.removed = [0..<sections.count]
      sections = []
    }
    return change
  }

  /// Inserts an item at a position.
  @discardableResult
  public mutating func insert(
    _ item: Item, at position: RowPosition
  ) throws(SectionsChange.Failure) -> SectionsChange {
    let count = try rows(at: position.section)
    guard (0...count).contains(position.row) else { throw .noRow(position, count: count) }
    sections[position.section].rows.edit { $0.insert(.item(item), at: position.row) }
    return SectionsChange(
      position.section, ListChange(inserted: [position.row..<position.row + 1]))
  }

  /// Removes a row.
  @discardableResult
  public mutating func remove(at position: RowPosition) throws(SectionsChange.Failure)
    -> SectionsChange
  {
    try check(position)
    sections[position.section].rows.edit { $0.remove(at: position.row) }
    return SectionsChange(
      position.section, ListChange(removed: [position.row..<position.row + 1]))
  }

  /// Replaces the item of a row.
  @discardableResult
  public mutating func replace(
    at position: RowPosition, with item: Item
  ) throws(SectionsChange.Failure) -> SectionsChange {
    try check(position)
    sections[position.section].rows.edit { $0[position.row] = .item(item) }
    return SectionsChange(
      position.section, ListChange(updated: [position.row..<position.row + 1]))
  }

  /// Moves a row to the position it has after the move.
  @discardableResult
  public mutating func move(
    from old: RowPosition, to new: RowPosition
  ) throws(SectionsChange.Failure) -> SectionsChange {
    try check(old)
    let count = try rows(at: new.section) - (old.section == new.section ? 1 : 0)
    guard (0...count).contains(new.row) else { throw .noRow(new, count: count) }
    guard old != new, let row = row(at: old) else { return SectionsChange() }
    sections[old.section].rows.edit { $0.remove(at: old.row) }
    sections[new.section].rows.edit { $0.insert(row, at: new.row) }
    if old.section == new.section {
      return SectionsChange(old.section, ListChange(moved: [.init(from: old.row, to: new.row)]))
    }
    var change = SectionsChange()
    change.rows = [
      .init(old.section, ListChange(removed: [old.row..<old.row + 1])),
      .init(new.section, ListChange(inserted: [new.row..<new.row + 1])),
    ].sorted { $0.after < $1.after }
    return change
  }

  // MARK: - Parts

  private mutating func begin(_ id: RowID, _ items: some Sequence<Item>) -> SectionsChange {
    sections = [ListSection(id, items: items)]
    return SectionsChange(sections: ListChange(inserted: [0..<1]))
  }

  private mutating func append(_ items: [Item], toExisting number: Int) -> SectionsChange {
    guard !items.isEmpty else { return SectionsChange() }
    let count = sections[number].rows.count
    sections[number].rows.edit { $0 += items.lazy.map { .item($0) } }
    return SectionsChange(number, ListChange(inserted: [count..<count + items.count]))
  }

  private func rows(at section: Int) throws(SectionsChange.Failure) -> Int {
    guard sections.indices.contains(section) else {
      throw .noSection(section, count: sections.count)
    }
    return sections[section].rows.count
  }

  private func check(_ position: RowPosition) throws(SectionsChange.Failure) {
    let count = try rows(at: position.section)
    guard (0..<count).contains(position.row) else { throw .noRow(position, count: count) }
  }
}

extension SectionsChange {
  /// The reason that sections can't be changed.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no section with this id, only these.
    case unknownSection(RowID, known: [RowID])
    /// There is no section with this number; the count is the number of sections.
    case noSection(Int, count: Int)
    /// There is no row at this position; the count is the number of rows in the section.
    case noRow(RowPosition, count: Int)
  }
}

extension SectionsChange.Failure: CustomStringConvertible {
  /// The missing section or row, and what exists.
  public var description: String {
    switch self {
    case .unknownSection(let id, let known):
      "there is no section “\(id)”; add it first"
        + (known.isEmpty
          ? "" : ", or use one of " + known.map { "“\($0)”" }.joined(separator: ", "))
    case .noSection(let number, let count):
      "there is no section \(number); the sections are 0..<\(count)"
    case .noRow(let position, let count):
      "there is no row \(position.row) in section \(position.section); its rows are 0..<\(count)"
    }
  }
}
