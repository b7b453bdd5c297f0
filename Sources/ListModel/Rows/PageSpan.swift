/// How much some neighbouring pages hold together.
struct PageSpan: Equatable, Sendable {
  var pages = 0
  /// Rows, placeholders included.
  var rows = 0
  /// Rows whose items are present.
  var items = 0
  /// What the items cost to keep.
  var bytes = 0

  /// What is counted to tell a position.
  enum Unit { case pages, rows, items }

  subscript(unit: Unit) -> Int {
    switch unit {
    case .pages: pages
    case .rows: rows
    case .items: items
    }
  }

  static func + (a: PageSpan, b: PageSpan) -> PageSpan {
    PageSpan(
      pages: a.pages + b.pages, rows: a.rows + b.rows, items: a.items + b.items,
      bytes: a.bytes + b.bytes)
  }

  static func - (a: PageSpan, b: PageSpan) -> PageSpan {
    PageSpan(
      pages: a.pages - b.pages, rows: a.rows - b.rows, items: a.items - b.items,
      bytes: a.bytes - b.bytes)
  }
}
