/// Encodes a sequence of values as bytes, for ``ByteReader`` to read in the same order.
package struct ByteWriter {
  /// The encoded bytes.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes an integer in as few bytes as it needs.
  package mutating func write(_ number: Int) {
    // Zigzag encoding keeps small numbers of either sign short: 0, -1, 1, -2 … become 0, 1, 2, 3 ….
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

  /// Writes an optional value.
  @inlinable
  package mutating func write<Value>(
    _ value: Value?, _ write: (inout ByteWriter, Value) -> Void
  ) {
    self.write(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes values of one type.
  @inlinable
  package mutating func write<Value>(
    _ values: [Value], _ write: (inout ByteWriter, Value) -> Void
  ) {
    self.write(values.count)
    for value in values { write(&self, value) }
  }
}

/// Decodes values that a ``ByteWriter`` encoded. Truncated or invalid bytes throw; they never trap, and
/// decoding never uses more memory than there are bytes.
package struct ByteReader {
  /// The bytes are truncated or invalid.
  package struct InvalidBytes: Error {
    package init() {}
  }

  @usableFromInline let bytes: [UInt8]
  @usableFromInline var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether every byte was read.
  package var isAtEnd: Bool { place == bytes.count }

  @inlinable var left: Int { bytes.count - place }

  /// Reads an integer. Its bytes may be anyone's, so none is accepted that arithmetic with others could overflow: no
  /// count, place or size is as large as that.
  package mutating func number() throws(InvalidBytes) -> Int {
    let number = try wideNumber()
    guard number.magnitude <= Self.largest else { throw InvalidBytes() }
    return number
  }

  /// The largest number that a `Double` counts to, either way from 0.
  private static var largest: UInt { 1 << 53 }

  private mutating func wideNumber() throws(InvalidBytes) -> Int {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard shift < 64 else { throw InvalidBytes() }
      let byte = try byte()
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int(truncatingIfNeeded: Int64(bitPattern: result >> 1) ^ -Int64(result & 1))
  }

  package mutating func double() throws(InvalidBytes) -> Double {
    let range = try take(8)
    return Double(bitPattern: bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  package mutating func flag() throws(InvalidBytes) -> Bool {
    let byte = try byte()
    guard byte < 2 else { throw InvalidBytes() }
    return byte == 1
  }

  package mutating func text() throws(InvalidBytes) -> String {
    let range = try take(number())
    let text = bytes.withUnsafeBufferPointer {
      String(validating: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
    }
    guard let text else { throw InvalidBytes() }
    return text
  }

  package mutating func content() throws(InvalidBytes) -> [UInt8] {
    let range = try take(number())
    return Array(bytes[range])
  }

  /// Reads an optional value.
  @inlinable
  package mutating func optional<Value>(
    _ read: (inout ByteReader) throws(InvalidBytes) -> Value
  ) throws(InvalidBytes) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Reads values of one type. Each takes at least one byte.
  @inlinable
  package mutating func array<Value>(
    _ read: (inout ByteReader) throws(InvalidBytes) -> Value
  ) throws(InvalidBytes) -> [Value] {
    let count = try number()
    guard count >= 0, count <= left else { throw InvalidBytes() }
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try read(&self)) }
    return values
  }

  private mutating func byte() throws(InvalidBytes) -> UInt8 {
    guard place < bytes.count else { throw InvalidBytes() }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func take(_ count: Int) throws(InvalidBytes) -> Range<Int> {
    guard count >= 0, count <= left else { throw InvalidBytes() }
    defer { place += count }
    return place..<place + count
  }
}
