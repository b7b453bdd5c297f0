/// Why a path or a query can't be read.
public struct JSONPathError: Error, Sendable, Hashable {
  /// The path as it was given.
  public let text: String
  /// How many Unicode scalars stand before the fault.
  public let position: Int
  /// What should have been there.
  public let expected: String
}

extension JSONPathError: CustomStringConvertible {
  /// One line with the path, the place and what was expected.
  public var description: String {
    let scalars = Array(text.unicodeScalars)
    let found = position < scalars.count ? "“\(scalars[position])”" : "the end"
    return "path “\(text)”: expected \(expected) at position \(position), found \(found)"
  }
}
