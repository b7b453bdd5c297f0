extension JSONAny {
  /// A number of any length, digit for digit.
  public struct Number: Sendable, Hashable {
    /// The number in JSON notation.
    public let text: String

    /// Creates a number from its JSON notation; `nil` if the text is not a JSON number.
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

/// Finds numbers in a text.
enum JSONNumberText {
  /// Returns the range of the number that starts here.
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
  /// Returns the bytes of the number at this index as the server wrote them, valid while the
  /// document is alive.
  func numberText(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start =
      tape.tag(index) == JSONTape.Tag.bigNumber ? tape.payload(index) : textOffsets[index]
    return UnsafeBufferPointer(rebasing: text[JSONNumberText.range(at: start, in: text)])
  }
}
