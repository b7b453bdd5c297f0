internal import ListModel

/// The rows that a ``RowPlan`` made of a list, counted through. Keeping a copy costs next to nothing.
///
/// A row of a page that was given up is a placeholder; all others are items, those between the items
/// and at the ends too. A row by its number takes O(log rows).
struct PlannedRows<Row> {
  var entries = RowEntries<Row>()
  var header: Row?
  var footer: Row?

  /// How many rows there are.
  var count: Int { offset + entries.rowCount + (footer == nil ? 0 : 1) }

  /// How many rows come before those of the list.
  var offset: Int { header == nil ? 0 : 1 }

  /// A row by its number; `nil` where there is none.
  func row(at number: Int) -> ListRow<Row>? {
    guard number >= 0, number < count else { return nil }
    if number < offset { return header.map { .item($0) } }
    guard number - offset < entries.rowCount else { return footer.map { .item($0) } }
    return entries.row(number - offset)
  }

  /// The position in the list of the row with a number; `nil` for rows that are not of the list.
  func listPosition(at number: Int) -> Int? {
    guard (offset..<offset + entries.rowCount).contains(number) else { return nil }
    let position = entries.position(ofRow: number - offset)
    return entries[position].rowNumber == number - offset ? position : nil
  }

  /// The number of the row at a position of the list; `nil` where it is not shown.
  func number(ofListRow position: Int) -> Int? {
    guard (0..<entries.count).contains(position) else { return nil }
    return entries[position].rowNumber.map { $0 + offset }
  }

  /// The rows of the list that someone looks at who sees these rows: also those next to them that are
  /// not shown, so that whoever sees the last row is at the end of the list.
  func positions(of rows: Range<Int>) -> Range<Int> {
    let seen = rows.clamped(to: offset..<offset + entries.rowCount)
    let (first, last) = (seen.lowerBound - offset, seen.upperBound - offset)
    // A separator and the row below it are of the same position.
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

/// What became of each row of a list, in order.
///
/// Entries are only ever added at the end, so each can keep where its rows begin. They are kept in
/// chunks: while somebody holds a copy, adding some copies one chunk and the list of chunks, not all.
struct RowEntries<Row> {
  private static var chunkSize: Int { 128 }

  private var chunks: [[RowEntry<Row>]] = []
  /// How many rows the list has.
  private(set) var count = 0
  /// How many rows came of them.
  private(set) var rowCount = 0
  /// How many rows of the list are shown.
  private(set) var shownCount = 0
  /// The last row of the list that is shown.
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

  /// Which row of the list the row with this number came of.
  func position(ofRow number: Int) -> Int {
    // Entries without rows begin where the next one does, so it is the last one that begins in time.
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

/// What became of one row of a list.
struct RowEntry<Row> {
  /// How many rows come before.
  var start: Int
  var separator: Row?
  /// The row; `nil` where the filter leaves it out.
  var row: ListRow<Row>?

  var rowCount: Int { (separator == nil ? 0 : 1) + (row == nil ? 0 : 1) }
  /// Where the separator is.
  var separatorNumber: Int? { separator == nil ? nil : start }
  /// Where the row is.
  var rowNumber: Int? { row == nil ? nil : separator == nil ? start : start + 1 }
  /// Whether it is the row of an item that is present.
  var isItem: Bool { row?.item != nil }
}

extension RowEntry: Sendable where Row: Sendable {}
