public import ListModel
public import ListReading

/// The rows of a view in sections. Every lookup is safe: outside of the existing sections and rows it returns
/// `nil` or 0.
///
/// ```swift
/// let shelves = ListSections([ListSection("new", header: "New", items: newBooks)])
/// shelves.item(at: RowPosition(section: 0, row: 3))
/// ```
public struct ListSections<Item> {
  /// The sections in order.
  public var sections: [ListSection<Item>]

  /// Creates rows with the given sections, or none.
  public init(_ sections: [ListSection<Item>] = []) { self.sections = sections }

  /// Creates one section with the given items.
  package init(items: some Sequence<Item>) { self.init([ListSection(items: items)]) }

  // MARK: - Sections

  /// The number of sections.
  package var sectionCount: Int { sections.count }

  /// Returns a section by its number.
  public func section(at number: Int) -> ListSection<Item>? {
    sections.indices.contains(number) ? sections[number] : nil
  }

  /// Returns a section by its id; the first one if several have it.
  public func section(_ id: RowID) -> ListSection<Item>? { sections.first { $0.id == id } }

  /// Returns the title above a section.
  package func header(ofSection number: Int) -> String? { section(at: number)?.header }

  /// Returns the title below a section.
  package func footer(ofSection number: Int) -> String? { section(at: number)?.footer }

  // MARK: - Rows

  /// Returns the number of rows in a section.
  public func rowCount(inSection number: Int) -> Int { section(at: number)?.rows.count ?? 0 }

  /// The number of rows in all sections.
  public var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Whether no section has a row.
  public var isEmpty: Bool { sections.allSatisfy(\.rows.isEmpty) }

  /// Returns a row.
  public func row(at position: RowPosition) -> ListRow<Item>? {
    section(at: position.section)?.rows.row(at: position.row)
  }

  /// Returns the item of a row; `nil` also if it isn't in memory.
  public func item(at position: RowPosition) -> Item? { row(at: position)?.item }

  /// Returns the position of a row by its number among the rows of all sections.
  public func position(ofRow number: Int) -> RowPosition? {
    var left = number
    guard left >= 0 else { return nil }
    for (section, rows) in sections.lazy.map(\.rows).enumerated() {
      if left < rows.count { return RowPosition(section: section, row: left) }
      left -= rows.count
    }
    return nil
  }

  /// Returns the number of a row among the rows of all sections.
  public func number(ofRowAt position: RowPosition) -> Int? {
    guard row(at: position) != nil else { return nil }
    return sections[..<position.section].reduce(position.row) { $0 + $1.rows.count }
  }

  /// Returns the position of a row of the list, if a section has a run of its rows.
  func position(ofListRow position: Int) -> RowPosition? {
    for (number, section) in sections.enumerated() {
      guard case .cut(let source, let range) = section.rows.storage else { continue }
      var place = position
      if case .planned(let rows) = source {
        guard let known = rows.number(ofListRow: position) else { return nil }
        place = known
      }
      if range.contains(place) {
        return RowPosition(section: number, row: place - range.lowerBound)
      }
    }
    return nil
  }

  /// Returns the positions of rows in their list, from the first to the last; `nil` if none of them is a row of
  /// a list.
  func listPositions(of rows: ClosedRange<RowPosition>) -> Range<Int>? {
    let (first, last) = (rows.lowerBound, rows.upperBound)
    var all: Range<Int>?
    for number in (first.section...last.section).clamped(to: 0...max(0, sectionCount - 1)) {
      let start = number == first.section ? first.row : 0
      let end = number == last.section ? last.row + 1 : rowCount(inSection: number)
      guard start < end, let some = section(at: number)?.rows.listPositions(of: start..<end)
      else { continue }
      let known = all ?? some
      all = min(known.lowerBound, some.lowerBound)..<max(known.upperBound, some.upperBound)
    }
    return all
  }
}

extension ListSections: Sendable where Item: Sendable {}
