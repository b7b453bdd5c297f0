public import ListModel

/// How the rows of a list become the rows of a screen: which are left out, what is made of each, what stands
/// between and around them, and where sections begin. Every part has a default.
///
/// The closures give rows of one type, for which an enum is a good choice where they differ. ``row``,
/// ``filter`` and ``separator`` are called when what they are given is new or has changed, and for nothing
/// else; so they should depend on nothing else. ``section`` is called again for all rows where the list
/// changed otherwise than at its end.
public struct RowPlan<Item, Row> {
  /// Makes the row of an item.
  public var row: (Item) -> Row {
    didSet { unchanged = nil }
  }
  /// Which items have a row. Rows of pages that were given up are always there, since nobody can tell
  /// what they are.
  public var filter: ((Item) -> Bool)?
  /// Makes what stands between the rows of two items, `nil` for nothing. It belongs to the lower one,
  /// and is asked for neighbours that are shown, whichever pages they came in. Beside a row of a page
  /// that was given up nothing stands.
  public var separator: ((_ above: Item, _ below: Item) -> Row?)?
  /// Makes the row above all others, `nil` for none.
  public var header: ((ListFacts) -> Row?)?
  /// Makes the row below all others, `nil` for none.
  public var footer: ((ListFacts) -> Row?)?
  /// The section of an item; without it there is one section, without titles.
  ///
  /// A new section begins where an item belongs to another one than the item above, so the order of the
  /// list is kept. A section that comes up again further down is a section of its own.
  public var section: ((Item) -> SectionLabel)?

  /// Gives the rows of the list as they are, where they are items and nothing is made of them.
  private(set) var unchanged: ((ListSnapshot<Item>) -> ListSnapshot<Row>)?

  /// A plan with a row for each item, and nothing else.
  public init(row: @escaping (Item) -> Row) { self.row = row }

  /// Whether the rows are those of the list, so that none has to be kept.
  var isPlain: Bool { unchanged != nil && filter == nil && separator == nil && !hasEnds }

  /// Whether something may stand around the rows.
  var hasEnds: Bool { header != nil || footer != nil }
}

extension RowPlan where Item == Row {
  /// A plan whose rows are the items.
  public init() {
    self.init { $0 }
    unchanged = { $0 }
  }
}

/// Which section an item belongs to, and what stands around that section.
///
/// ```swift
/// plan.section = { book in SectionLabel(book.year, header: "\(book.year)") }
/// ```
public struct SectionLabel: Hashable, Sendable {
  /// Names the section.
  public var id: RowID
  /// The title above.
  public var header: String?
  /// The title below.
  public var footer: String?

  /// Makes a label.
  public init(_ id: some Hashable & Sendable, header: String? = nil, footer: String? = nil) {
    self.id = RowID(id)
    self.header = header
    self.footer = footer
  }
}
