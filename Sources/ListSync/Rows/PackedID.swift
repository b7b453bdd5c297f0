package import ListReading

/// An id in as few bytes as it needs: a number in up to eleven, a UUID in 17, any other text in two or more beside its own.
///
/// The bytes are the same in every process, and no id has those that another one starts with.
package struct PackedID: Hashable, Sendable {
  package private(set) var bytes: [UInt8] = []

  /// What an id is.
  package enum Kind: UInt8, Sendable, CaseIterable {
    case number, text, uuid, upperUUID, other
  }

  package init(_ id: RowID) {
    switch id {
    case .number(let number):
      bytes = [Kind.number.rawValue]
      write(UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1))))
    case .text(let text): write(text)
    case .other(let other):
      bytes = [Kind.other.rawValue]
      write("\(RowID.other(other))".utf8)
    }
  }

  private mutating func write(_ text: String) {
    if text.utf8.count == 36, let (digits, isUpper) = Self.digits(of: text.utf8) {
      bytes = [(isUpper ? Kind.upperUUID : Kind.uuid).rawValue] + digits
    } else {
      bytes = [Kind.text.rawValue]
      write(text.utf8)
    }
  }

  private mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func write(_ text: String.UTF8View) {
    write(UInt64(text.count))
    bytes.append(contentsOf: text)
  }

  /// Returns the 16 bytes of a UUID; `nil` if the text is none, or if its letters have both cases.
  private static func digits(of text: String.UTF8View) -> (bytes: [UInt8], isUpper: Bool)? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(17)
    var (high, place): (UInt8?, Int) = (nil, 0)
    var (hasLower, hasUpper) = (false, false)
    for byte in text {
      defer { place += 1 }
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == 0x2D else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: (digit, hasLower) = (byte - 0x61 + 10, true)
      case 0x41...0x46: (digit, hasUpper) = (byte - 0x41 + 10, true)
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return hasLower && hasUpper ? nil : (bytes, hasUpper)
  }
}

extension PackedID {
  /// Reads an id from the start of bytes; `nil` if they are none. Returns how many bytes it takes.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> (id: RowID, kind: Kind, count: Int)? {
    guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
    switch kind {
    case .uuid, .upperUUID:
      guard bytes.count >= 17 else { return nil }
      return (.text(uuid(bytes[1..<17], isUpper: kind == .upperUUID)), kind, 17)
    case .number:
      guard let (number, end) = number(bytes) else { return nil }
      let value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
      return (.number(Int(truncatingIfNeeded: value)), kind, end)
    case .text, .other:
      guard let (count, start) = number(bytes), count <= UInt64(bytes.count - start) else { return nil }
      let end = start + Int(count)
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      // The type of any other id is not kept.
      return (.text(text), kind, end)
    }
  }

  /// The number of bytes of the id at the start of bytes that a ``PackedID`` has written.
  static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    switch Kind(rawValue: bytes[0]) {
    case .uuid, .upperUUID: 17
    case .number: number(bytes)?.end ?? 1
    case .text, .other: number(bytes).map { $0.end + Int($0.number) } ?? 1
    case nil: 1
    }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> (number: UInt64, end: Int)? {
    var (number, shift, place): (UInt64, UInt64, Int) = (0, 0, 1)
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      number |= UInt64(byte & 0x7F) << shift
      place += 1
      if byte < 0x80 { return (number, place) }
      shift += 7
    }
    return nil
  }

  private static func uuid(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, isUpper: Bool) -> String {
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(0x2D) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension PackedID {
  package var isNumber: Bool { bytes.first == Kind.number.rawValue }

  /// The id. One of a type that JSON doesn't have is its text.
  package var rowID: RowID {
    bytes.withUnsafeBufferPointer { Self.read($0)?.id ?? .text("") }
  }

  var text: String {
    let text = "\(rowID)"
    return text.utf8.first == 0 ? String(text.dropFirst()) : text
  }

  /// The text of a number, or the number of a text; `nil` for texts that are none.
  var twin: PackedID? {
    isNumber ? PackedID(.text(text)) : Int(text).map { PackedID(.number($0)) }
  }
}
