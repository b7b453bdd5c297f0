/// Whether the list has all rows on one side.
public enum ListEnd: Hashable, Sendable {
  /// The list has all rows, as the server says.
  case complete
  /// There may be more rows; this is why the list can't load them.
  case incomplete(PagingError)
}

extension ListEnd: CustomStringConvertible {
  /// The end in words: `complete`, or `incomplete: ` with the reason.
  public var description: String {
    switch self {
    case .complete: "complete"
    case .incomplete(let reason): "incomplete: \(reason)"
    }
  }
}
