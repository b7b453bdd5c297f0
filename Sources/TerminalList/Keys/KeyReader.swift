/// Parses keys from terminal input, however it is split.
struct KeyReader: Hashable, Sendable {
  /// The maximum length of a sequence; no terminal sends a longer one for a key.
  private static let longestSequence = 32

  private var bytes: ArraySlice<UInt8> = []

  /// Whether a key is incomplete. The escape key is distinguished from a sequence only by a pause after it:
  /// wait a moment, then call ``flush()``.
  var isWaiting: Bool { !bytes.isEmpty }

  /// Reads input, and returns the complete keys.
  mutating func read(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    var keys: [Key] = []
    while let first = bytes.first {
      guard let (key, length) = first == 0x1B ? sequence : character(first) else { break }
      if let key { keys.append(key) }
      bytes = bytes.dropFirst(length)
    }
    // Indices of a slice would grow forever.
    bytes = ArraySlice(Array(bytes))
    return keys
  }

  /// Ends an incomplete key after a pause.
  mutating func flush() -> [Key] {
    guard let first = bytes.first else { return [] }
    let rest = bytes.dropFirst()
    bytes = []
    // An incomplete character is dropped.
    return first == 0x1B ? [.escape] + read(rest) : []
  }

  // MARK: - Sequences

  /// The key that starts with an escape, and its length; `nil` if it is incomplete.
  private var sequence: (Key?, Int)? {
    let rest = bytes.dropFirst()
    guard let kind = rest.first else { return nil }
    switch kind {
    case UInt8(ascii: "["):
      let body = rest.dropFirst()
      guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return body.count < Self.longestSequence ? nil : (nil, bytes.count)
      }
      let length = end - bytes.startIndex + 1
      if end == body.startIndex, let count = Self.bytesAfter(body[end]) {
        let more = body.dropFirst().prefix(count)
        guard more.allSatisfy({ $0 >= 0x20 }) else { return (nil, length) }
        guard more.count == count else { return nil }
        return (Self.wheel(more.first), length + count)
      }
      // Another escape inside starts a new sequence.
      guard (0x40...0x7E).contains(body[end]) else { return (nil, length - 1) }
      return (Self.key(String(decoding: body[..<end], as: UTF8.self), body[end]), length)
    case UInt8(ascii: "O"):
      guard let end = rest.dropFirst().first else { return nil }
      return (Self.key("", end), 3)
    default: return (.escape, 1)
    }
  }

  /// The number of bytes after a sequence without parameters: the button and place of a mouse, as a terminal reports them
  /// that knows no other way, or the letter of a function key of the Linux console.
  private static func bytesAfter(_ end: UInt8) -> Int? {
    switch end {
    case UInt8(ascii: "M"): 3
    case UInt8(ascii: "["): 1
    default: nil
    }
  }

  private static func wheel(_ button: UInt8?) -> Key? {
    switch button {
    case 0x60, 0x64: .wheelUp
    case 0x61, 0x65: .wheelDown
    default: nil
    }
  }

  private static func key(_ parameters: String, _ end: UInt8) -> Key? {
    switch (end, parameters.prefix { $0 != ";" }) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    case (UInt8(ascii: "M"), "<64"), (UInt8(ascii: "M"), "<68"): .wheelUp
    case (UInt8(ascii: "M"), "<65"), (UInt8(ascii: "M"), "<69"): .wheelDown
    default: nil
    }
  }

  // MARK: - Characters

  private func character(_ first: UInt8) -> (Key?, Int)? {
    switch first {
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case 0..<0x20: return (nil, 1)
    case ..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
    default: break
    }
    let length =
      switch first {
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 1
      }
    let rest = bytes.dropFirst().prefix(length - 1)
    let tail = rest.prefix { (0x80..<0xC0).contains($0) }
    // Invalid bytes are dropped, and the byte after them starts a new character.
    if tail.count < rest.count || length == 1 { return (nil, 1 + tail.count) }
    guard tail.count == length - 1 else { return nil }
    let text = String(validating: bytes.prefix(length), as: UTF8.self)
    return (text?.first.map { .character($0) }, length)
  }
}

/// A key press.
enum Key: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  case wheelUp, wheelDown
  case character(Character)
  /// A letter with the control key.
  case control(Character)
}
