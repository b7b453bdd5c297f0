/// A number digit for digit as it is written, of any length.
public struct JSONNumber: Sendable, Hashable {
  /// The digits, in the form JSON has for numbers.
  public let text: String

  /// The number with these digits, or `nil` where JSON has no such number.
  public init?(_ text: String) {
    guard JSONScanner.isNumber(text) else { return nil }
    self.text = text
  }

  init(trusted text: String) { self.text = text }
}

extension JSONNumber: CustomStringConvertible {
  /// The digits.
  public var description: String { text }
}
