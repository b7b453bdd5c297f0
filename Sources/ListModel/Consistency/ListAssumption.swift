/// An assumption about a server on which a ``Consistency`` rests. Most servers keep most of them; none can be
/// checked from outside.
public enum ListAssumption: String, Hashable, Sendable, CaseIterable {
  /// The rows of one response are those of one instant, without a gap between them.
  case instants
  /// A row keeps its id, and no two rows have the same one.
  case ids
  /// Two rows that stay in the list keep their order.
  case order
  /// A position is a number of rows, a page is short or empty only at the end, and a total is not too low.
  case positions
  /// Where the server says that no page follows, the list ends.
  case end
  /// A cursor, or the key of a row, marks a place in the order of the rows and not a number of them.
  case cursors
  /// A response shows no older list than the responses before it, also through replicas and caches on the way.
  case freshness
  /// A row that goes does not come back while the list is read.
  case absence
  /// The declared version changes whenever rows come, go or change their order.
  case version
}

extension ListAssumption: CustomStringConvertible {
  /// What is assumed, as a phrase.
  public var description: String {
    switch self {
    case .instants: "each response is of one instant"
    case .ids: "ids are unique and stay"
    case .order: "rows keep their order"
    case .positions: "positions count rows"
    case .end: "the list ends where the server says"
    case .cursors: "cursors mark places"
    case .freshness: "no response is older than the one before"
    case .absence: "rows that go don't come back"
    case .version: "the version changes with the rows"
    }
  }
}
