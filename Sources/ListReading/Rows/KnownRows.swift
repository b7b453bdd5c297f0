internal import ItemMapping

/// The ids of rows, each with its number in the order of reading, in 24 bytes a row.
///
/// A row takes 16 bytes in the order of insertion, in blocks that never move, and its place in the hash table the others.
package struct KnownRows {
  /// The order of rows of which it isn't known, such as those of an earlier walk.
  package static let unordered = -1

  private struct Row {
    let digest: RowDigest
    var order: UInt32

    init(_ digest: RowDigest, _ order: UInt32) { (self.digest, self.order) = (digest, order) }
  }

  private static let blockBits = 12
  private var blocks: ContiguousArray<ContiguousArray<Row>> = []
  private var places = RowPlaces()
  /// The number of rows.
  private(set) var count = 0
  /// The ids themselves, if they are kept.
  private var ids: [RowID?]?

  init(keepsIDs: Bool = false) { ids = keepsIDs ? [] : nil }

  var keepsIDs: Bool { ids != nil }

  var isEmpty: Bool { count == 0 }

  /// Returns the index of a row; `nil` if it is not known.
  func index(of digest: RowDigest) -> Int? {
    isEmpty ? nil : find(digest, digest.hash).index
  }

  /// Returns the index of each row; `nil` if it is not known. Reads all places before it looks for the first row, so that
  /// the processor fetches them from memory at the same time.
  func indices(of digests: [RowDigest?]) -> [Int?] {
    var indices = [Int?](repeating: nil, count: digests.count)
    guard !isEmpty else { return indices }
    var marks = [UInt32](repeating: 0, count: digests.count)
    for number in digests.indices {
      if let digest = digests[number] { marks[number] = places.first(digest.hash) }
    }
    for number in digests.indices where marks[number] != 0 {
      if let digest = digests[number] { indices[number] = find(digest, digest.hash).index }
    }
    return indices
  }

  /// Adds a row unless it is known. Returns its index, which counts the rows in the order of insertion.
  mutating func insert(
    _ digest: RowDigest, order: Int, id: RowID? = nil
  ) -> (isNew: Bool, index: Int) {
    if count == places.room { grow() }
    let hash = digest.hash
    let (place, known) = find(digest, hash)
    if let known { return (false, known) }
    let index = count
    places.put(index, hash, at: place)
    if index & (1 << Self.blockBits - 1) == 0 {
      blocks.append([])
      if index > 0 { blocks[blocks.count - 1].reserveCapacity(1 << Self.blockBits) }
    }
    blocks[blocks.count - 1].append(Row(digest, Self.stored(order)))
    ids?.append(id)
    count += 1
    return (true, index)
  }

  /// Adds the rows of another walk, without an order.
  mutating func insert(_ others: KnownRows) {
    for index in 0..<others.count {
      _ = insert(others.row(index).digest, order: Self.unordered, id: others.id(at: index))
    }
  }

  func digest(at index: Int) -> RowDigest { row(index).digest }

  /// The id of a row, if ids are kept.
  func id(at index: Int) -> RowID? { ids?[index] }

  /// The number of a row in the order of reading.
  subscript(orderOf index: Int) -> Int {
    get {
      let order = row(index).order
      return order == .max ? Self.unordered : Int(order)
    }
    set {
      blocks[index >> Self.blockBits][index & (1 << Self.blockBits - 1)].order =
        Self.stored(newValue)
    }
  }

  private func row(_ index: Int) -> Row {
    blocks[index >> Self.blockBits][index & (1 << Self.blockBits - 1)]
  }

  private static func stored(_ order: Int) -> UInt32 {
    order == unordered ? .max : UInt32(clamping: order)
  }

  private mutating func grow() {
    let size = places.largerSize
    places = RowPlaces()
    places = RowPlaces(size: size, of: count) { row($0).digest.hash }
  }

  private func find(_ digest: RowDigest, _ hash: UInt64) -> (place: Int, index: Int?) {
    places.find(hash) { row($0).digest == digest }
  }
}

/// What a walk keeps of an id, in twelve bytes.
///
/// Of a number it is the number, and of any other id 95 bits of a hash whose key is secret and differs in each process.
/// Among a billion rows, two have the same by chance with a probability of 10^-11.
package struct RowDigest: Hashable, Sendable {
  /// Aligned like the second part, so that a row has no gaps.
  private let low: (UInt32, UInt32)
  /// 0 for a number, an odd number for a hash.
  private let high: UInt32

  private init(_ bits: UInt64, _ high: UInt32) {
    low = (UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32))
    self.high = high
  }

  private init(number: Int) { self.init(UInt64(bitPattern: Int64(number)), 0) }

  private init(_ hasher: Hasher) {
    var longer = hasher
    longer.combine(true)
    self.init(
      UInt64(truncatingIfNeeded: hasher.finalize()),
      UInt32(truncatingIfNeeded: longer.finalize()) | 1)
  }

  private init(utf8: UnsafeBufferPointer<UInt8>) {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(utf8))
    hasher.combine(0xFF as UInt8)
    self.init(hasher)
  }

  package init(_ id: RowID) {
    switch id {
    case .number(let number): self.init(number: number)
    case .text(var text): self = text.withUTF8 { RowDigest(utf8: $0) }
    case .other(let other):
      var hasher = Hasher()
      hasher.combine(false)
      hasher.combine(other)
      self.init(hasher)
    }
  }

  /// Creates the digest of the id at a path of a row; `nil` where there is none. Makes no `RowID` of most ids.
  init?(at path: JSONPath, in row: JSONView) {
    switch row.scalar(at: path) {
    // Zero may be written as -0.
    case .int(let number)? where number != 0: self.init(number: number)
    case .text(let utf8)?: self = withExtendedLifetime(row) { RowDigest(utf8: utf8) }
    case .int, nil:
      guard let id = RowID(at: path, in: row) else { return nil }
      self.init(id)
    }
  }

  private var bits: UInt64 { UInt64(low.1) << 32 | UInt64(low.0) }

  /// The hash for a table.
  var hash: UInt64 { RowID.mixed(bits) }

  package static func == (a: RowDigest, b: RowDigest) -> Bool { a.bits == b.bits && a.high == b.high }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bits)
    hasher.combine(high)
  }
}
