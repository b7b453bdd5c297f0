internal import ListModel
public import ListReading

/// A section of a list: its rows, and the titles above and below them.
///
/// An empty title counts as none.
public struct ListSection<Item>: Identifiable {
  /// The id of the section, which stays the same when its position and titles change.
  public let id: RowID
  /// The rows.
  public var rows: ListSection<Item>.Rows
  /// The kind of the header, for a view that draws more than a title; `nil` for a title.
  public var headerKind: CellKind?
  /// The kind of the footer, for a view that draws more than a title; `nil` for a title.
  public var footerKind: CellKind?
  private var headerText = ""
  private var footerText = ""
  private var headerSize: Double?
  private var footerSize: Double?

  /// Creates a section.
  public init(
    _ id: RowID = 0, header: String? = nil, footer: String? = nil, rows: ListSection<Item>.Rows
  ) {
    self.id = id
    self.rows = rows
    headerText = header ?? ""
    footerText = footer ?? ""
  }

  /// Creates a section of items.
  public init(
    _ id: RowID = 0, header: String? = nil, footer: String? = nil, items: some Sequence<Item>
  ) {
    self.init(id, header: header, footer: footer, rows: ListSection.Rows(items))
  }

  /// Creates a section without rows.
  package init(_ id: RowID = 0, header: String? = nil, footer: String? = nil) {
    self.init(id, header: header, footer: footer, items: [])
  }

  /// The title above; never empty.
  public var header: String? {
    get { headerText.isEmpty ? nil : headerText }
    set { headerText = newValue ?? "" }
  }

  /// The title below; never empty.
  public var footer: String? {
    get { footerText.isEmpty ? nil : footerText }
    set { footerText = newValue ?? "" }
  }

  /// The height of the header: 0 if there is none, `nil` if the view decides. Setting an invalid height has no
  /// effect.
  public var headerHeight: Double? {
    get { header == nil && headerKind == nil ? 0 : headerSize }
    set { if newValue?.isHeight != false { headerSize = newValue } }
  }

  /// The height of the footer: 0 if there is none, `nil` if the view decides. Setting an invalid height has no
  /// effect.
  public var footerHeight: Double? {
    get { footer == nil && footerKind == nil ? 0 : footerSize }
    set { if newValue?.isHeight != false { footerSize = newValue } }
  }

  /// The items in memory. Visits all rows.
  public var items: [Item] { rows.compactMap(\.item) }

  /// Whether both have the same titles, kinds of titles and title heights.
  func isTitled(like other: ListSection) -> Bool {
    header == other.header && footer == other.footer && headerHeight == other.headerHeight
      && footerHeight == other.footerHeight && headerKind == other.headerKind
      && footerKind == other.footerKind
  }

  /// Creates a section with the titles of a label.
  init(_ id: RowID, label: SectionLabel?, rows: ListSection<Item>.Rows) {
    self.init(id, header: label?.header, footer: label?.footer, rows: rows)
    headerKind = label?.headerKind
    footerKind = label?.footerKind
    headerHeight = label?.headerHeight
    footerHeight = label?.footerHeight
  }
}

extension ListSection: Sendable where Item: Sendable {}

extension Double {
  /// Whether it is a valid height.
  var isHeight: Bool { isFinite && self >= 0 }
}

/// The section of an item, and its titles.
///
/// ```swift
/// plan.section = { book in SectionLabel(book.year, header: "\(book.year)") }
/// ```
public struct SectionLabel: Hashable, Sendable {
  /// The id of the section.
  public var id: RowID
  /// The title above the section.
  public var header: String?
  /// The title below the section.
  public var footer: String?
  /// The height of the header; `nil` if the view decides. An invalid height counts as none.
  public var headerHeight: Double?
  /// The height of the footer; `nil` if the view decides. An invalid height counts as none.
  public var footerHeight: Double?
  /// The kind of the header, for a view that draws more than a title; `nil` for a title.
  public var headerKind: CellKind?
  /// The kind of the footer, for a view that draws more than a title; `nil` for a title.
  public var footerKind: CellKind?

  /// Creates a label.
  public init(
    _ id: some Hashable & Sendable, header: String? = nil, footer: String? = nil,
    headerHeight: Double? = nil, footerHeight: Double? = nil, headerKind: CellKind? = nil,
    footerKind: CellKind? = nil
  ) {
    self.id = RowID(id)
    self.header = header
    self.footer = footer
    self.headerHeight = headerHeight
    self.footerHeight = footerHeight
    self.headerKind = headerKind
    self.footerKind = footerKind
  }
}
