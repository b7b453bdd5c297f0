public import ItemMapping

/// What ``Paging/automatic`` found out about a list: printed, it is what to write in its place.
///
/// ```
/// items: "data.list", paging: .pageNumber(size: 20, endsBy: .total("data.total"))
/// ```
///
/// A declaration saves the first answer from being searched, and it stays the same when the server
/// changes its answers.
public struct RecognisedPaging: Hashable, Sendable {
  /// What the choice rests on, the surest first.
  public enum Grounds: Hashable, Sendable {
    /// The answer says where the next page is.
    case said
    /// The answer has the facts of a known convention.
    case concluded
    /// It was tried, and the rows showed that it works.
    case tried
  }

  /// The paging, as it could have been declared.
  public var paging: Paging
  /// Where the rows are.
  public var itemsPath: JSONPath
  /// What the choice rests on.
  public var grounds: Grounds
  /// What was seen, in one sentence.
  public var reason: String

  init(paging: Paging, itemsPath: JSONPath, grounds: Grounds, reason: String) {
    self.paging = paging
    self.itemsPath = itemsPath
    self.grounds = grounds
    self.reason = reason
  }
}

extension RecognisedPaging: CustomStringConvertible {
  /// The arguments to write: `items: "data.list", paging: .pageNumber(size: 20)`.
  public var description: String {
    itemsPath == .root ? "paging: \(paging)" : "items: \(itemsPath.declared), paging: \(paging)"
  }
}
