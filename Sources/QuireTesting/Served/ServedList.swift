/// A list on a server that changes while a client reads it, to test that client.
///
/// ```swift
/// let list = ServedList(
///   rows: 8, pageSize: 4, by: .pages, total: .exact,
///   churn: [.before(request: 2, .delete(at: 0)), .before(request: 3, .insert(at: 0))])
/// let run = ServedRun(list)
/// let server = Server("https://test", transport: run.transport)
/// // … read the list …
/// let verdict = run.verdict(ids: ids, claim: .nothing)
/// #expect(verdict.doubled.isEmpty && verdict.lost == [5])
/// ```
///
/// It responds at any path with `{"rows": [{"id": 1, "key": …, "group": …, "version": 0}, …]}`, or with rows of the
/// program's own shape:
///
/// ```swift
/// let people = ServedList(at: "people", rows: 50, pageSize: 20, by: .cursors) { row in
///   #"{"id": \#(row.id), "name": "Person \#(row.id)"}"#
/// }
/// ```
///
/// The rows are numbered from 1 in the order of the list; inserted rows get the numbers after them. What else a request
/// and its response contain depends on the ``Way``.
public struct ServedList: Hashable, Sendable {
  /// The number of rows at the start.
  public var rows: Int
  /// The number of rows of a page.
  public var pageSize: Int
  /// How it is paged.
  public var way: Way
  /// What it says of the total number of rows.
  public var total: Total
  /// How it changes.
  public var churn: Churn
  /// The responses with a fault, by the number of their request, counted from 1.
  public var faults: [Int: Fault]
  /// What its rows look like.
  let shape: Shape

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - path: The names that lead to the rows in a response, as `people` or `data.people`.
  ///   - rows: The number of rows at the start.
  ///   - pageSize: The number of rows of a page.
  ///   - way: How it is paged.
  ///   - total: What it says of the total number of rows.
  ///   - churn: How it changes.
  ///   - faults: The responses with a fault, by the number of their request.
  ///   - row: Returns the JSON of a row.
  public init(
    at path: String = "rows", rows: Int, pageSize: Int, by way: Way, total: Total = .absent,
    churn: Churn = [], faults: [Int: Fault] = [:],
    row: @escaping @Sendable (Row) -> String = { $0.json }
  ) {
    precondition(rows >= 0, "rows must not be negative, found \(rows)")
    precondition(pageSize > 0, "a page should have at least 1 row, found \(pageSize)")
    self.rows = rows
    self.pageSize = pageSize
    self.way = way
    self.total = total
    self.churn = churn
    self.faults = faults
    let names = path.split(separator: ".").map(String.init)
    precondition(!names.isEmpty, "the path of the rows should have a name, found “\(path)”")
    shape = Shape(path: names, json: row)
  }
}

extension ServedList {
  /// A row of a list.
  public struct Row: Hashable, Sendable {
    /// Its number.
    public let id: Int
    /// Its place: rows are sorted by it, and no two rows have the same one.
    public internal(set) var key: Int
    /// How often it was updated.
    public internal(set) var version = 0

    /// A coarse key. Two rows that follow each other at the start have the same one.
    public var group: Int { key >> (ServedRows.gapBits + 1) }

    /// The row as the list sends it where the program gives it no shape.
    public var json: String {
      #"{"id":\#(id),"key":\#(key),"group":\#(group),"version":\#(version)}"#
    }
  }

  /// What the rows look like, and where they are. Two shapes with the same path count as equal.
  struct Shape: Hashable, Sendable {
    /// The names that lead to the rows; at least one.
    let path: [String]
    let json: @Sendable (Row) -> String

    static func == (a: Shape, b: Shape) -> Bool { a.path == b.path }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }

    func array(_ rows: ArraySlice<Row>) -> String {
      "[\(rows.map(json).joined(separator: ","))]"
    }

    /// Returns the member of a response in which the rows are.
    func member(_ rows: ArraySlice<Row>) -> String {
      let value = path.dropFirst().reversed().reduce(array(rows)) { "{\"\($1)\":\($0)}" }
      return "\"\(path[0])\":\(value)"
    }
  }
}

extension ServedList {
  /// How a list is paged.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    /// `?page=2`, counted from 1; other sizes are ignored.
    case pages
    /// `?page=2&size=30`.
    case pagesOfAnySize
    /// `?page=2&size=30`, with at most the rows of a page.
    case pagesOfCappedSize
    /// `?page=2`; a page after the end has status 404.
    case pagesRefusedAfterEnd
    /// `?offset=20&limit=10`.
    case offsets
    /// `?offset=20&limit=10`, with at most the rows of a page.
    case offsetsOfCappedSize
    /// `?offset=25` responds like `?offset=20` if a page has 20 rows.
    case offsetsRoundedToPages
    /// An offset of more than ten pages has status 400.
    case offsetsWithinLimit
    /// `Range: items=20-29`, with status 206 or 416.
    case ranges
    /// A `Link` header with `rel="next"` and the number of the page.
    case links
    /// A `Link` header with `rel="next"`, and in it the number and the size of the page: `?page=2&size=30`.
    case linksOfAnySize
    /// The address of the next page in `next`, with its number.
    case nextAddresses
    /// `?after=` the `key` of the last row, which no other row has.
    case keys
    /// `?after=` the `group` of the last row, which two rows have at the start.
    case keysWithTies
    /// `?cursor=` the text in `next`, which has the key of the last row in it.
    case cursors
    /// `?cursor=` the text in `next`, which has a number of rows in it.
    case countingCursors
    /// A GraphQL query with the variables `first` and `after`; the rows are at `data.rows.nodes`, with the
    /// last name of the path in place of `rows`. The cursors have keys in them.
    case relay
    /// As `relay`, but the cursors have numbers of rows in them.
    case countingRelay
    /// `?cursor=` the text in `next`. All pages are those of the instant of the first one, whose number is in
    /// `version`.
    case snapshots
  }

  /// What a list says of the total number of rows, as `total`, `totalCount` or in `Content-Range`.
  public enum Total: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case absent
    /// Their number.
    case exact
    /// Their number at the request before.
    case late
    /// Their number, rounded up to tens.
    case estimated
  }

  /// A response that isn't as it should be.
  public enum Fault: Hashable, Sendable {
    /// It takes that long.
    case slow(Duration)
    /// The connection is lost in the middle of the body.
    case cut
    /// It has this status, and `Retry-After: 0`.
    case status(Int)
    /// What leads to the next page leads to this one.
    case repeatedCursor
    /// The page has only its first row, and the next page starts where it would start otherwise.
    case shortPage
    /// The page has no rows, and the next page starts where it would start otherwise.
    case emptyPage
    /// The page has the rows of the page that starts that many rows later.
    case shifted(by: Int)
    /// The page has its first row again at its end.
    case rowTwice
  }
}
