public import ListModel

/// Which section an item belongs to, and what stands around that section.
///
/// ```swift
/// settings.section = { book in SectionLabel(book.year, header: "\(book.year)") }
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

/// Names the section of a label that came before: the order of the list goes before the wish to have all
/// rows of a label together.
struct RepeatedSection: Hashable {
  var id: RowID
  var time: Int
}
