internal import ItemMapping

/// One page of a list that a closure returns, in place of the response of a server.
///
/// ```swift
/// ListModel(of: Book.self, paging: .cursor) { cursor in
///   let books = try await library.books(after: cursor)
///   return Page(books.items, next: books.next, total: books.count)
/// }
/// ```
///
/// It says as much of the list as is known. What it says counts as what a response says: a total that is too low is not
/// believed, and a list that ends before its total is incomplete.
public struct Page<Item> {
  /// The items of the page, in order. There may be more or fewer than were asked for.
  public var items: [Item]
  /// The cursor of the next page; `nil` ends a list with cursors. Pages by number or offset need none.
  public var next: String?
  /// Whether another page follows, if that is known.
  public var hasMore: Bool?
  /// The total number of rows of the list, if it is known.
  public var total: Int?
  /// The version of the whole list, such as a revision or the id of a snapshot. If all pages have the same, their rows
  /// are those of one instant.
  public var version: String?

  /// Creates a page.
  public init(
    _ items: [Item], next: String? = nil, hasMore: Bool? = nil, total: Int? = nil, version: String? = nil
  ) {
    self.items = items
    self.next = next
    self.hasMore = hasMore
    self.total = total
    self.version = version
  }
}

extension Page: Sendable where Item: Sendable {}

// MARK: - As a response

extension Page {
  /// The page as the JSON that a response would have, so that the rules for responses hold for it.
  ///
  /// - Parameters:
  ///   - items: The JSON of the items, where it is needed.
  ///   - hasCursor: Whether a page without a cursor says that it is the last one.
  func json(_ items: String? = nil, hasCursor: Bool) -> String {
    var members: [String] = []
    func add(_ name: String, _ value: JSONAny?) {
      if let value { members.append("\"\(name)\":\(value.text())") }
    }
    if let items { members.append("\"items\":\(items)") }
    add("next", next.map { .string($0) } ?? (hasCursor ? .null : nil))
    add("hasMore", hasMore.map { .bool($0) })
    add("total", total.map { .int($0) })
    add("version", version.map { .string($0) })
    return "{\(members.joined(separator: ","))}"
  }
}

/// Where the JSON of a page has its facts.
enum ClosureFacts {
  static let items: JSONPath = "items"
  static let next: ResponseLocation = "next"
  static let version: ResponseLocation = "version"

  /// Returns the rules for the end of the list that apply to a page: those whose facts it has.
  static func ends(in envelope: JSONView?) -> [EndRule] {
    var ends: [EndRule] = []
    if envelope?["hasMore"] != nil { ends.append(.hasNext("hasMore")) }
    if envelope?["total"] != nil { ends.append(.total("total")) }
    return ends
  }
}
