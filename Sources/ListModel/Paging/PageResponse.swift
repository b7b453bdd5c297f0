public import ItemMapping
public import ServerAPI

/// An answer with all that can tell its place in the list.
public struct PageResponse: Sendable {
  /// What was asked.
  public var key: PageKey
  /// The call that asked it.
  public var call: Call
  /// The answer. ``HTTPResponse/url`` is where it came from, after redirects.
  public var response: HTTPResponse
  /// The whole JSON; absent where the page has another format.
  public var envelope: JSONView?
  /// Where in the JSON the rows are.
  public var itemsPath: JSONPath
  /// How many rows the server sent, those that could not be read included.
  public var count: Int
  /// The origins that the list may use; absent in a test of a paging.
  var origins: ListOrigins?

  /// The array of rows; absent where the page has another format.
  public var rows: JSONView? { envelope?[itemsPath] }

  /// Makes an answer, as a test of a paging does.
  public init(
    key: PageKey, call: Call, response: HTTPResponse, envelope: JSONView?,
    itemsPath: JSONPath = .root, count: Int
  ) {
    self.key = key
    self.call = call
    self.response = response
    self.envelope = envelope
    self.itemsPath = itemsPath
    self.count = count
  }
}

/// What an answer says of its place in the list.
public struct PageFacts: Hashable, Sendable {
  /// What follows the page.
  public var next: PageFacts.Link
  /// What comes before it.
  public var previous: PageFacts.Link
  /// How many rows there are in all.
  public var total: Int?
  /// How many pages there are in all.
  public var pageCount: Int?
  /// What the answer says that can't be so: a total below zero, a number that is a text. What was
  /// done about it shows in the links.
  public var problems: [PagingError]

  /// Makes facts.
  public init(
    next: PageFacts.Link, previous: PageFacts.Link = .end, total: Int? = nil, pageCount: Int? = nil,
    problems: [PagingError] = []
  ) {
    self.next = next
    self.previous = previous
    self.total = total
    self.pageCount = pageCount
    self.problems = problems
  }
}

extension PageFacts {
  /// What lies beyond one side of a page.
  public enum Link: Hashable, Sendable {
    /// Another page.
    case page(PageKey)
    /// Nothing: the page is the last one on this side.
    case end
    /// Perhaps more, but it can't be had, and this is why.
    case stopped(PagingError)
  }
}
