public import ItemMapping
public import ServerAPI

extension PageWalk {
  /// One page of a ``PageWalk``.
  public struct Page: Sendable {
    /// Its number in the walk, counted from 0.
    public var number: Int
    /// The rows that are new, in order.
    public var rows: [JSONView]
    /// The number of rows that earlier pages already had, apart from those that were requested again to see the seam.
    public var duplicates: Int
    /// What the response says about its place in the list.
    public var facts: PageFacts
    /// The path of the rows in the response.
    public var itemsPath: JSONPath
    /// The address of the response, after redirects.
    public var url: WebURL?
    /// How it follows the pages before it; `nil` for the first page.
    public var seam: Seam?
    /// The checkpoint before this page: a walk from here delivers it again.
    public var checkpoint: PageWalk.Checkpoint
    /// The time that it took to parse the responses of the page, and to tell its rows apart.
    package var work = Duration.zero
    /// The path of the id in a row; `nil` where rows are not told apart.
    var idPath: JSONPath?

    /// The id of each of these rows, `nil` for one without; empty where rows are not told apart. Made when it is read.
    public var ids: [RowID?] {
      idPath.map { path in rows.map { RowID(at: path, in: $0) } } ?? []
    }
  }
}

extension PageWalk {
  /// How a ``PageWalk`` tells rows apart.
  public enum Identity: Hashable, Sendable {
    /// By the usual member for ids, where every row of the first page has a different one; by
    /// the rows themselves where they are texts or whole numbers. Otherwise every row is distinct.
    case recognized
    /// By the value at this path of each row.
    case by(JSONPath)
    /// Every row is distinct.
    case none
  }
}
