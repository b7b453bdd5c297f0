internal import Quire

/// The rows of a page that are written, and how many rows of the page are done with each of them.
struct SelectedRows {
  private(set) var rows: [JSONView] = []
  /// The number of rows of the page that were examined.
  private(set) var examined = 0
  /// The places of the rows in the page; `nil` where every row is written.
  private var places: [Int]?

  /// All rows up to a number.
  init(_ page: [JSONView], atMost count: Int) {
    rows = Array(page.prefix(count))
    examined = rows.count
  }

  /// No row yet, of those that a filter selects.
  init() { places = [] }

  /// Adds the next row of the page, if a filter holds for it.
  mutating func examine(_ row: JSONView, holds: Bool) {
    if holds {
      rows.append(row)
      places?.append(examined)
    }
    examined += 1
  }

  /// Returns the number of rows of the page that are done when this number of rows is written.
  func done(after written: Int) -> Int {
    guard written < rows.count else { return examined }
    guard let places else { return written }
    return written == 0 ? 0 : places[written - 1] + 1
  }
}
