/// Where a path that leads nowhere ended.
public struct JSONStop: Sendable, Hashable {
  /// The longest beginning of the path that exists.
  public let path: JSONPath
  /// What stands there.
  public let kind: JSONKind
}

extension JSONStop: CustomStringConvertible {
  /// One line, such as `stopped at $['data']: null`.
  public var description: String { "stopped at \(path): \(kind)" }
}
