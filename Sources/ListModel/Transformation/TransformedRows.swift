/// The rows that a ``RowPlan`` made of a list, at one moment. Keeping a copy costs next to nothing.
///
/// A row of a page that was given up is a placeholder; all others are items, those between the items
/// and at the ends too. A row by its number takes O(log rows).
public struct TransformedRows<Row>: RandomAccessCollection {
  var entries = RowEntries<Row>()
  var header: Row?
  var footer: Row?

  init() {}

  /// The number of the first row.
  public var startIndex: Int { 0 }
  /// The number behind the last row.
  public var endIndex: Int { offset + entries.rowCount + (footer == nil ? 0 : 1) }

  /// A row by its number.
  public subscript(number: Int) -> ListRow<Row> {
    guard let row = row(number) else {
      preconditionFailure("there is no row \(number), the list has \(count)")
    }
    return row
  }

  /// How many rows come before those of the list.
  var offset: Int { header == nil ? 0 : 1 }

  private func row(_ number: Int) -> ListRow<Row>? {
    guard indices.contains(number) else { return nil }
    if number < offset { return header.map { .item($0) } }
    guard number - offset < entries.rowCount else { return footer.map { .item($0) } }
    return entries.row(number - offset)
  }

  /// The rows of the list that someone looks at who sees these rows: also those next to them that are
  /// not shown, so that whoever sees the last row is at the end of the list.
  func positions(of rows: Range<Int>) -> Range<Int> {
    let seen = rows.clamped(to: offset..<offset + entries.rowCount)
    let (first, last) = (seen.lowerBound - offset, seen.upperBound - offset)
    // A separator and the row below it are of the same position.
    let start =
      first == 0
      ? 0 : Swift.min(entries.position(ofRow: first - 1) + 1, entries.position(ofRow: first))
    let end =
      last == entries.rowCount
      ? entries.count
      : Swift.max(entries.position(ofRow: last), entries.position(ofRow: last - 1) + 1)
    return start..<end
  }
}

extension TransformedRows: Sendable where Row: Sendable {}
