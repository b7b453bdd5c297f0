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
