/// What a JSON value is.
public enum JSONKind: String, Sendable, Hashable {
  case null
  case bool
  case number
  case string
  case array
  case object
}

extension JSONKind: CustomStringConvertible {
  /// The word JSON has for it, such as `object`.
  public var description: String { rawValue }
}
