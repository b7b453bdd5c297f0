internal import ListModel

/// The rows that a ``RowPlan`` made from a list, numbered from first to last. A copy costs next to nothing.
///
/// A row of an evicted page is a placeholder; all others are items, including separators, header and
/// footer. Looking up a row by its number takes O(log rows).
struct PlannedRows<Row> {
  var entries = RowEntries<Row>()
  var header: Row?
  var footer: Row?

  /// The number of rows.
  var count: Int { offset + entries.rowCount + (footer == nil ? 0 : 1) }

  /// The number of rows before those of the list.
  var offset: Int { header == nil ? 0 : 1 }

  /// Returns a row by its number; `nil` if there is none.
  func row(at number: Int) -> ListRow<Row>? {
    guard number >= 0, number < count else { return nil }
    if number < offset { return header.map { .item($0) } }
    guard number - offset < entries.rowCount else { return footer.map { .item($0) } }
    return entries.row(number - offset)
  }

  /// Returns the list position of the row with a number; `nil` for rows that aren't of the list.
  func listPosition(at number: Int) -> Int? {
    guard (offset..<offset + entries.rowCount).contains(number) else { return nil }
    let position = entries.position(ofRow: number - offset)
    return entries[position].rowNumber == number - offset ? position : nil
  }

  /// Returns the number of the row at a list position; `nil` if it isn't shown.
  func number(ofListRow position: Int) -> Int? {
    guard (0..<entries.count).contains(position) else { return nil }
    return entries[position].rowNumber.map { $0 + offset }
  }

  /// Returns the list positions that the given rows cover, including adjacent rows that aren't shown. If the
  /// last row is visible, the positions therefore reach the end of the list.
  func positions(of rows: Range<Int>) -> Range<Int> {
    let seen = rows.clamped(to: offset..<offset + entries.rowCount)
    let (first, last) = (seen.lowerBound - offset, seen.upperBound - offset)
    // A separator and the row below it have the same position.
    let start =
      first == 0
      ? 0 : min(entries.position(ofRow: first - 1) + 1, entries.position(ofRow: first))
    let end =
      last == entries.rowCount
      ? entries.count
      : max(entries.position(ofRow: last), entries.position(ofRow: last - 1) + 1)
    return start..<end
  }
}

extension PlannedRows: Sendable where Row: Sendable {}

/// The rows made from each row of a list, in order.
///
/// Entries are only ever appended, so each can store where its rows start. They are stored in chunks: while
/// there is a copy, appending copies one chunk and the list of chunks, not all entries.
struct RowEntries<Row> {
  private static var chunkSize: Int { 128 }

  private var chunks: [[RowEntry<Row>]] = []
  /// The number of rows of the list.
  private(set) var count = 0
  /// The number of rows made from them.
  private(set) var rowCount = 0
  /// The number of list rows that are shown.
  private(set) var shownCount = 0
  /// The position of the last list row that is shown.
  private(set) var lastShown: Int?

  subscript(position: Int) -> RowEntry<Row> {
    chunks[position / Self.chunkSize][position % Self.chunkSize]
  }

  mutating func append(_ row: ListRow<Row>?, under separator: Row?) {
    if count % Self.chunkSize == 0 { chunks.append([]) }
    let entry = RowEntry(start: rowCount, separator: separator, row: row)
    chunks[chunks.count - 1].append(entry)
    if row != nil {
      lastShown = count
      shownCount += 1
    }
    count += 1
    rowCount += entry.rowCount
  }

  /// Returns the list position that the row with this number was made from.
  func position(ofRow number: Int) -> Int {
    // Entries without rows start where the next one does, so the last entry that starts there is the right one.
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start <= number { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  func row(_ number: Int) -> ListRow<Row>? {
    let entry = self[position(ofRow: number)]
    if let separator = entry.separator, entry.start == number { return .item(separator) }
    return entry.row
  }
}

extension RowEntries: Sendable where Row: Sendable {}

/// The rows made from one row of a list.
struct RowEntry<Row> {
  /// The number of rows before it.
  var start: Int
  var separator: Row?
  /// The row; `nil` if the filter leaves it out.
  var row: ListRow<Row>?

  var rowCount: Int { (separator == nil ? 0 : 1) + (row == nil ? 0 : 1) }
  /// The number of the separator.
  var separatorNumber: Int? { separator == nil ? nil : start }
  /// The number of the row.
  var rowNumber: Int? { row == nil ? nil : separator == nil ? start : start + 1 }
  /// Whether it is the row of an item in memory.
  var isItem: Bool { row?.item != nil }
}

extension RowEntry: Sendable where Row: Sendable {}
