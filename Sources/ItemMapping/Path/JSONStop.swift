/// Where a path that leads nowhere ended.
public struct JSONStop: Sendable, Hashable {
  /// The last place on the way that exists, seen from the document's root.
  public let path: JSONPath
  /// What stands there.
  public let kind: JSONKind
}

extension JSONStop: CustomStringConvertible {
  /// One line, such as `stopped at $['data']: null`.
  public var description: String { "stopped at \(path): \(kind)" }
}
