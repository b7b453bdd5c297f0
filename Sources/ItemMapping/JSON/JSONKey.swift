/// A member's name, ready to be compared with names on a tape.
struct JSONKey: Hashable {
  let utf8: [UInt8]
  /// The first eight bytes, zeros where the name is shorter.
  let prefix: UInt64

  init(_ name: some StringProtocol) {
    utf8 = Array(name.utf8)
    var prefix: UInt64 = 0
    for (place, byte) in utf8.prefix(8).enumerated() {
      prefix |= UInt64(byte) &<< UInt64(place &* 8)
    }
    self.prefix = prefix
  }

  /// Whether the name at this index of the tape is this one, byte for byte.
  @inline(__always)
  func matches(_ tape: JSONTape, _ index: Int) -> Bool {
    let bytes = tape.utf8(index)
    guard bytes.count == utf8.count, tape.prefix(bytes) == prefix else { return false }
    return bytes.count <= 8 || utf8.withUnsafeBufferPointer { Self.haveEqualEnds($0, bytes) }
  }

  /// Whether two names of the same length, which is more than eight, are equal behind their first
  /// eight bytes. Most are no longer than sixteen, so that their last eight tell.
  @inline(__always)
  static func haveEqualEnds(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let (a, b) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    let end = a.count &- 8
    guard
      a.loadUnaligned(fromByteOffset: end, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    else { return false }
    return end <= 8 || a[8..<end].elementsEqual(b[8..<end])
  }
}
