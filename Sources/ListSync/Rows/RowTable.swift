package import ListReading

/// The ids of rows with a mark of their content each, in about 25 bytes a row beside the id.
///
/// The ids themselves are kept, so that no two rows are ever taken for one, and a row that is gone can be named.
package struct RowTable: Sendable {
  /// The mark of a row whose content is not known.
  package static let noMark: UInt64 = 0

  private struct Row: Sendable {
    var mark: UInt64
    let id: UInt32
    /// The number of the round in which the row was there last.
    var round: UInt32
  }

  private var rows = Blocks<Row>()
  private var ids = ByteArena()
  private var places = RowPlaces()

  package init() {}

  package var count: Int { rows.count }

  package subscript(markOf index: Int) -> UInt64 {
    get { rows[index].mark }
    set { rows[index].mark = newValue }
  }

  package subscript(roundOf index: Int) -> Int {
    get { Int(rows[index].round) }
    set { rows[index].round = UInt32(clamping: newValue) }
  }

  /// The bytes of the id of a row.
  package func packedID(at index: Int) -> [UInt8] {
    ids.withBytes(from: rows[index].id) { Array($0.prefix(PackedID.count($0))) }
  }

  /// The id of a row, and its kind.
  package func id(at index: Int) -> (id: RowID, kind: PackedID.Kind) {
    ids.withBytes(from: rows[index].id) { bytes in
      PackedID.read(bytes).map { ($0.id, $0.kind) } ?? (.text(""), .text)
    }
  }

  /// Returns the index of a row; `nil` if it is not known.
  package func index(of id: [UInt8]) -> Int? {
    count == 0 ? nil : find(id, Self.hash(id)).index
  }

  /// Adds a row unless it is known, and returns its index.
  package mutating func insert(_ id: [UInt8], mark: UInt64, round: Int) -> (isNew: Bool, index: Int) {
    if count == places.room { grow() }
    let hash = Self.hash(id)
    let (place, known) = find(id, hash)
    if let known { return (false, known) }
    let index = count
    places.put(index, hash, at: place)
    rows.append(Row(mark: mark, id: ids.append(id), round: UInt32(clamping: round)))
    return (true, index)
  }

  // MARK: - The table

  private static func hash(_ id: [UInt8]) -> UInt64 {
    id.withUnsafeBytes(hash)
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  private func find(_ id: [UInt8], _ hash: UInt64) -> (place: Int, index: Int?) {
    places.find(hash) { index in
      ids.withBytes(from: rows[index].id) { bytes in
        bytes.count >= id.count && bytes.prefix(id.count).elementsEqual(id)
      }
    }
  }

  private mutating func grow() {
    let size = places.largerSize
    places = RowPlaces()
    places = RowPlaces(size: size, of: count) { index in
      ids.withBytes(from: rows[index].id) { bytes in
        Self.hash(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<PackedID.count(bytes)])))
      }
    }
  }
}
