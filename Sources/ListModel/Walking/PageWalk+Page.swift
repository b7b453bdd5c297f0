public import ItemMapping
public import ServerAPI

extension PageWalk {
  /// One page of a ``PageWalk``.
  public struct Page: Sendable {
    /// Its number in the walk, counted from 0.
    public var number: Int
    /// The rows that were not there before, in order.
    public var rows: [JSONView]
    /// The id of each of these rows, `nil` for one without; empty where rows are not told apart.
    public var ids: [RowID?]
    /// How many rows came that had come before.
    public var duplicates: Int
    /// What the answer says of its place in the list.
    public var facts: PageFacts
    /// Where the rows are in the answer.
    public var itemsPath: JSONPath
    /// Where the answer came from, after redirects.
    public var url: WebURL?
    /// Whether rows had moved across the border before it.
    public var isSeam: Bool
    /// Where the walk stood before it: a walk from here brings the page again.
    public var checkpoint: PageWalk.Checkpoint
  }
}

extension PageWalk {
  /// How a ``PageWalk`` tells rows apart.
  public enum Identity: Hashable, Sendable {
    /// By the member that ids usually are in, where all rows of the first page have one of their own; by
    /// the rows themselves where they are texts or whole numbers. Otherwise every row is one of its own.
    case recognized
    /// By what stands there in each row.
    case by(JSONPath)
    /// Every row is one of its own.
    case none
  }
}
