/// Why nothing could be made of a document.
public enum MappingError: Error, Sendable, Hashable {
  /// The text is no JSON.
  case broken(JSONError)
  /// There is nothing at the path the mapping was to start from.
  case nothingThere(JSONPath, JSONStop, hint: String?)
  /// What is at that path is something else.
  case wrongRoot(JSONPath, expected: JSONKind, found: String)
  /// The one item that was asked for can't be used, or the first loss was to end it all.
  case unusable(MappingIssue?)
}

extension MappingError: CustomStringConvertible {
  /// One line that says what, where and what was expected.
  public var description: String {
    switch self {
    case .broken(let error): "\(error)"
    case .nothingThere(let path, let stop, let hint):
      "there is nothing at \(path), \(stop)" + (hint.map { "; \($0)" } ?? "")
    case .wrongRoot(let path, let expected, let found):
      "\(path) should be an \(expected), found \(found)"
    case .unusable(let issue): issue.map { "\($0)" } ?? "the item can't be used"
    }
  }
}
