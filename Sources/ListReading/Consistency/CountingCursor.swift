internal import ItemMapping
internal import ServerAPI
internal import Support

/// Recognizes cursors that count rows or pages. Such a cursor marks no place in the order of the rows: if a row
/// before it is removed, the next one is skipped, as with an offset.
struct CountingCursor: Hashable, Sendable {
  /// What a number may be that grows with the pages. Servers count from 0 or 1, and up to the last row or page that was
  /// sent or to the next one.
  private static let kinds = 6
  /// How many pages in a row led to a cursor with each of these numbers. A version or a small id can be one of them by
  /// chance, but not on three pages.
  private var hits = [Int](repeating: 0, count: kinds)
  private static let enough = 3
  /// The number of links that were looked into. Decoding takes long, and a cursor that counts does so from the start.
  private var links = 0
  private static let mostDecoded = 12

  init() {}

  /// Whether a link counts, given the number of rows and pages that were read up to it.
  ///
  /// - Parameter lastID: The id of the last row. A cursor with it under the name of an id leads to that row, also where
  ///   the id is the number of rows.
  mutating func counts(
    _ link: PageFacts.Link, rows: Int, pages: Int, lastID: RowID? = nil
  ) -> Bool {
    guard case .page(let key) = link else { return false }
    links += 1
    let isDecoded = links <= Self.mostDecoded || hits.contains { $0 > 0 }
    var numbers = CursorNumbers(key.place, decodes: isDecoded)
    if case .number(let id)? = lastID, rows - 1...rows + 1 ~= id,
      key.place.numbersOfIDs.contains(id)
    {
      numbers.remove(id)
    }
    let wanted = [rows - 1, rows, rows + 1, pages - 1, pages, pages + 1]
    for (kind, number) in wanted.enumerated() {
      hits[kind] = number > 0 && numbers.has(number) ? hits[kind] + 1 : 0
    }
    return hits.contains { $0 >= Self.enough }
      || rows > 1 && (numbers.plain.contains(rows) || numbers.plain.contains(rows - 1))
  }
}

// MARK: - Checkpoints

extension CountingCursor {
  func write(to writer: inout ByteWriter) {
    for count in hits { writer.write(count) }
    writer.write(links)
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    for kind in hits.indices { hits[kind] = try reader.number() }
    links = try reader.number()
    guard links >= 0, hits.allSatisfy({ $0 >= 0 }) else { throw ByteReader.InvalidBytes() }
  }
}
