/// How many rows are new above the first row of a list, by its last probe.
///
/// ```swift
/// if let new = books.newRows { banner.text = "\(new)" }    // 3 new rows
/// ```
public struct NewRows: Hashable, Sendable {
  /// The number of new rows that the probe found.
  public var count: Int
  /// Whether there may be more: the first page of the server doesn't reach the rows of the list, or not for sure.
  public var isAtLeast: Bool

  /// Creates a number of rows.
  public init(count: Int, isAtLeast: Bool = false) {
    (self.count, self.isAtLeast) = (count, isAtLeast)
  }
}

extension NewRows: CustomStringConvertible {
  /// The number in words: `1 new row`, `3 new rows` or `20 or more new rows`.
  public var description: String {
    "\(count)\(isAtLeast ? " or more" : "") new row\(count == 1 && !isAtLeast ? "" : "s")"
  }
}
