public import ListModel

/// A section of a list: what stands above and below, and its rows.
///
/// An empty title is none, above and below alike.
public struct ListSection<Item>: Identifiable {
  /// Names the section, whatever becomes of its place and its titles.
  public let id: RowID
  /// Its rows.
  public var rows: SectionRows<Item>
  private var headerText = ""
  private var footerText = ""
  private var headerSize: Double?
  private var footerSize: Double?

  /// A section.
  public init(
    _ id: RowID = 0, header: String? = nil, footer: String? = nil, rows: SectionRows<Item>
  ) {
    self.id = id
    self.rows = rows
    headerText = header ?? ""
    footerText = footer ?? ""
  }

  /// A section of items.
  public init(
    _ id: RowID = 0, header: String? = nil, footer: String? = nil, items: some Sequence<Item>
  ) {
    self.init(id, header: header, footer: footer, rows: SectionRows(items))
  }

  /// A section without rows.
  public init(_ id: RowID = 0, header: String? = nil, footer: String? = nil) {
    self.init(id, header: header, footer: footer, items: [])
  }

  /// The title above; never an empty one.
  public var header: String? {
    get { headerText.isEmpty ? nil : headerText }
    set { headerText = newValue ?? "" }
  }

  /// The title below; never an empty one.
  public var footer: String? {
    get { footerText.isEmpty ? nil : footerText }
    set { footerText = newValue ?? "" }
  }

  /// How high the header is: 0 where there is none, `nil` where the view decides. What is not a height
  /// is not taken.
  public var headerHeight: Double? {
    get { header == nil ? 0 : headerSize }
    set { if newValue?.isHeight != false { headerSize = newValue } }
  }

  /// How high the footer is: 0 where there is none, `nil` where the view decides. What is not a height
  /// is not taken.
  public var footerHeight: Double? {
    get { footer == nil ? 0 : footerSize }
    set { if newValue?.isHeight != false { footerSize = newValue } }
  }

  /// The items that are present. Walks through all rows.
  public var items: [Item] { rows.compactMap(\.item) }

  /// Whether both look the same around their rows.
  func isTitled(like other: ListSection) -> Bool {
    header == other.header && footer == other.footer && headerHeight == other.headerHeight
      && footerHeight == other.footerHeight
  }
}

extension ListSection: Sendable where Item: Sendable {}

extension Double {
  /// Whether something can be that high.
  var isHeight: Bool { isFinite && self >= 0 }
}
