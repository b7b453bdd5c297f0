/// An array in blocks that never move, so that it grows without a copy of what it has.
struct Blocks<Element: Sendable>: Sendable {
  private static var bits: Int { 12 }
  private var blocks: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  mutating func append(_ element: Element) {
    if count & (1 << Self.bits - 1) == 0 {
      blocks.append([])
      if count > 0 { blocks[blocks.count - 1].reserveCapacity(1 << Self.bits) }
    }
    blocks[blocks.count - 1].append(element)
    count += 1
  }

  subscript(index: Int) -> Element {
    get { blocks[index >> Self.bits][index & (1 << Self.bits - 1)] }
    set { blocks[index >> Self.bits][index & (1 << Self.bits - 1)] = newValue }
  }
}

/// Bytes of ids one after the other, in blocks that never move.
struct ByteArena: Sendable {
  private static let blockSize = 1 << 16
  private var blocks: ContiguousArray<ContiguousArray<UInt8>> = []

  /// Adds bytes, and returns where they start.
  mutating func append(_ bytes: [UInt8]) -> UInt32 {
    let room = blocks.last.map { Self.blockSize - $0.count } ?? 0
    if bytes.count > room {
      blocks.append([])
      if blocks.count > 1 { blocks[blocks.count - 1].reserveCapacity(max(Self.blockSize, bytes.count)) }
    }
    precondition(blocks.count <= Self.blockSize, "the ids of a list take at most four gigabytes")
    let start = blocks[blocks.count - 1].count
    blocks[blocks.count - 1].append(contentsOf: bytes)
    return UInt32((blocks.count - 1) << 16 | start)
  }

  /// Calls a closure with the bytes from a start up to the end of their block.
  func withBytes<Result>(from start: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    blocks[Int(start >> 16)].withUnsafeBufferPointer { block in
      body(UnsafeBufferPointer(rebasing: block[Int(start & 0xFFFF)...]))
    }
  }
}
