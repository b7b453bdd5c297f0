/// A name that is looked for in many objects, prepared for comparison. Its bytes are in memory that the owner keeps.
struct KnownName {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The first eight bytes, and which of them belong to the name.
  let prefix: UInt64
  private let mask: UInt64

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    prefix = JSONKey.prefix(of: bytes)
    mask = JSONTape.mask(bytes.count)
  }

  /// Matches no name.
  static var none: KnownName { KnownName() }

  private init() {
    bytes = UnsafeBufferPointer(start: nil, count: 0)
    prefix = 1
    mask = 0
  }

  /// Returns whether the name at an index of the tape is this one, byte for byte.
  @inline(__always)
  func matches(_ tape: JSONTape, _ index: Int) -> Bool {
    let other = tape.utf8(index)
    guard other.count == bytes.count, tape.word(other) & mask == prefix else { return false }
    return other.count <= 8 || JSONKey.haveEqualEnds(bytes, other)
  }
}
