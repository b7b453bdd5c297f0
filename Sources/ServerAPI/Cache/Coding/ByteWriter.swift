/// Writes values one after another as bytes, for ``ByteReader`` to read in the same order.
package struct ByteWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A whole number, in as few bytes as it needs.
  package mutating func write(_ number: Int) {
    // Small numbers of either sign stay short: 0, -1, 1, -2 … become 0, 1, 2, 3 ….
    var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1)))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func write(_ number: Double) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  package mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func write(_ content: [UInt8]) {
    write(content.count)
    bytes.append(contentsOf: content)
  }

  /// A value that may be absent.
  package mutating func write<Value>(
    _ value: Value?, _ write: (inout ByteWriter, Value) -> Void
  ) {
    self.write(value != nil)
    if let value { write(&self, value) }
  }

  /// Values of one kind.
  package mutating func write<Value>(
    _ values: [Value], _ write: (inout ByteWriter, Value) -> Void
  ) {
    self.write(values.count)
    for value in values { write(&self, value) }
  }
}
