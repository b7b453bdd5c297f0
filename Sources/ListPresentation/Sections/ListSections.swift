public import ListModel

/// What a view of rows in sections asks for. Every question has an answer: outside of what there is it is
/// `nil` or 0.
///
/// ```swift
/// var shelves = ListSections([ListSection("new", header: "New", items: newBooks)])
/// try shelves.append(oldBooks, to: "new")
/// shelves.item(at: RowPosition(section: 0, row: 3))
/// ```
public struct ListSections<Item> {
  /// The sections in their order.
  public var sections: [ListSection<Item>]

  /// Some sections, or none.
  public init(_ sections: [ListSection<Item>] = []) { self.sections = sections }

  /// One section with these items.
  public init(items: some Sequence<Item>) { self.init([ListSection(items: items)]) }

  // MARK: - Sections

  /// How many sections there are.
  public var sectionCount: Int { sections.count }

  /// A section by its number.
  public func section(at number: Int) -> ListSection<Item>? {
    sections.indices.contains(number) ? sections[number] : nil
  }

  /// A section by its id; the first one where several have it.
  public func section(_ id: RowID) -> ListSection<Item>? { sections.first { $0.id == id } }

  /// The number of the section with an id.
  public func number(of id: RowID) -> Int? { sections.firstIndex { $0.id == id } }

  /// The title above a section.
  public func header(ofSection number: Int) -> String? { section(at: number)?.header }

  /// The title below a section.
  public func footer(ofSection number: Int) -> String? { section(at: number)?.footer }

  // MARK: - Rows

  /// How many rows a section has.
  public func rowCount(inSection number: Int) -> Int { section(at: number)?.rows.count ?? 0 }

  /// How many rows all sections have.
  public var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Whether no section has a row.
  public var isEmpty: Bool { sections.allSatisfy(\.rows.isEmpty) }

  /// A row.
  public func row(at position: RowPosition) -> ListRow<Item>? {
    section(at: position.section)?.rows.row(at: position.row)
  }

  /// The item of a row; `nil` also where it is not in memory.
  public func item(at position: RowPosition) -> Item? { row(at: position)?.item }

  /// The row of that number when all rows are counted through.
  public func position(ofRow number: Int) -> RowPosition? {
    var left = number
    guard left >= 0 else { return nil }
    for (section, rows) in sections.lazy.map(\.rows).enumerated() {
      if left < rows.count { return RowPosition(section: section, row: left) }
      left -= rows.count
    }
    return nil
  }

  /// The number of a row when all rows are counted through.
  public func number(ofRowAt position: RowPosition) -> Int? {
    guard row(at: position) != nil else { return nil }
    return sections[..<position.section].reduce(position.row) { $0 + $1.rows.count }
  }

  /// The row that is at a position of the list, where a section has a run of its rows.
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

  /// Where rows are in the list they are of, from the first of them to the last; `nil` where all are the
  /// program's own.
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

/// Where a row is: which section, and which row of it.
public struct RowPosition: Hashable, Sendable, Comparable {
  /// The number of the section.
  public var section: Int
  /// The number of the row in its section.
  public var row: Int

  /// Makes a position.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Positions compare as a reader comes by them.
  public static func < (a: RowPosition, b: RowPosition) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}

extension RowPosition: CustomStringConvertible {
  /// Section and row, such as `0/7`.
  public var description: String { "\(section)/\(row)" }
}
