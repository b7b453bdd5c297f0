public import ItemMapping

extension Paging {
  /// Pages of a Relay connection, asked for by the variables of a GraphQL query.
  ///
  /// ```swift
  /// // query($first: Int, $after: String) { repository { issues(first: $first, after: $after) {
  /// //   nodes { … } pageInfo { hasNextPage endCursor } } } }
  /// .relay(connection: "data.repository.issues", size: 20)
  /// ```
  ///
  /// The call carries the query as JSON, `{"query": …, "variables": …}`; the variables of the page are
  /// added to those that are there, and a `GET` becomes a `POST`.
  ///
  /// The list ends where `hasNextPage` is false, and going back where `hasPreviousPage` is. Where the
  /// flag is missing, it ends without rows or without a cursor. A cursor that is missing from
  /// `pageInfo` is taken from the last edge.
  ///
  /// - Parameters:
  ///   - connection: Where the connection is in the answer.
  ///   - size: How many rows a page is asked to have.
  ///   - after: The variable with the cursor, going forward.
  ///   - first: The variable with the size, going forward.
  ///   - before: The variable with the cursor, going back.
  ///   - last: The variable with the size, going back.
  ///   - startsAtEnd: Whether the list begins with its last rows and grows towards the first, as the
  ///     messages of a conversation do.
  public static func relay(
    connection: JSONPath, size: Int, after: String = "after", first: String = "first",
    before: String = "before", last: String = "last", startsAtEnd: Bool = false
  ) -> Paging {
    precondition(size > 0, "a page should have at least 1 row, found \(size)")
    return Paging(
      strategy: RelayPaging(
        connection: connection, size: size,
        forward: .init(cursor: after, size: first), backward: .init(cursor: before, size: last),
        startsAtEnd: startsAtEnd))
  }
}
