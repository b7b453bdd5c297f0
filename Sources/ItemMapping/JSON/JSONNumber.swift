extension JSONAny {
  /// A number digit for digit as it is written, of any length.
  public struct Number: Sendable, Hashable {
    /// The digits, in the form JSON has for numbers.
    public let text: String

    /// The number with these digits, or `nil` where JSON has no such number.
    public init?(_ text: String) {
      guard JSONScanner.isNumber(text) else { return nil }
      self.text = text
    }

    init(trusted text: String) { self.text = text }
  }
}

extension JSONAny.Number: CustomStringConvertible {
  /// The digits.
  public var description: String { text }
}

/// Numbers as they are written.
enum JSONNumberText {
  /// The whole of a number that begins here.
  static func range(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var end = start
    while end < text.count {
      switch text[end] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        end += 1
      default: return start..<end
      }
    }
    return start..<end
  }
}

extension JSONDocument {
  /// The bytes of the number at this index, digit for digit as the server wrote them. Good as long
  /// as the document lives.
  func numberText(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start =
      tape.tag(index) == JSONTape.Tag.bigNumber ? tape.payload(index) : textOffsets[index]
    return UnsafeBufferPointer(rebasing: text[JSONNumberText.range(at: start, in: text)])
  }
}
