/// A query that would take more steps than it was allowed to.
public struct JSONQueryExhausted: Error, Sendable, Hashable {
  /// The query as it was given.
  public let query: String
  /// How many steps it was allowed.
  public let budget: Int
}

extension JSONQueryExhausted: CustomStringConvertible {
  /// One line with the query and the limit.
  public var description: String { "query “\(query)” takes more than \(budget) steps" }
}
