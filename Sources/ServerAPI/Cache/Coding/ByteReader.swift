/// Reads what a ``ByteWriter`` wrote. Bytes that were cut off or are something else throw; they never
/// trap and never cost more memory than there are bytes.
package struct ByteReader {
  /// The bytes are not what they should be.
  package struct Broken: Error {
    package init() {}
  }

  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether everything was read.
  package var isAtEnd: Bool { place == bytes.count }

  private var left: Int { bytes.count - place }

  package mutating func number() throws(Broken) -> Int {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard shift < 64 else { throw Broken() }
      let byte = try byte()
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int(truncatingIfNeeded: Int64(bitPattern: result >> 1) ^ -Int64(result & 1))
  }

  package mutating func double() throws(Broken) -> Double {
    let range = try take(8)
    return Double(bitPattern: bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  package mutating func flag() throws(Broken) -> Bool {
    let byte = try byte()
    guard byte < 2 else { throw Broken() }
    return byte == 1
  }

  package mutating func text() throws(Broken) -> String {
    let range = try take(number())
    let text = bytes.withUnsafeBufferPointer {
      String(validating: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
    }
    guard let text else { throw Broken() }
    return text
  }

  package mutating func content() throws(Broken) -> [UInt8] {
    let range = try take(number())
    return Array(bytes[range])
  }

  /// A value that may be absent.
  package mutating func optional<Value>(
    _ read: (inout ByteReader) throws(Broken) -> Value
  ) throws(Broken) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Values of one kind. Each of them takes a byte at least.
  package mutating func array<Value>(
    _ read: (inout ByteReader) throws(Broken) -> Value
  ) throws(Broken) -> [Value] {
    let count = try number()
    guard count >= 0, count <= left else { throw Broken() }
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try read(&self)) }
    return values
  }

  private mutating func byte() throws(Broken) -> UInt8 {
    guard place < bytes.count else { throw Broken() }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func take(_ count: Int) throws(Broken) -> Range<Int> {
    guard count >= 0, count <= left else { throw Broken() }
    defer { place += count }
    return place..<place + count
  }
}
