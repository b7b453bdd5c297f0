public import ItemMapping
public import ServerAPI

/// A response with everything that shows its place in the list.
public struct PageResponse: Sendable {
  /// The key of the page that was requested.
  public var key: PageKey
  /// The call that requested it.
  public var call: Call
  /// The response. ``HTTPResponse/url`` is its address after redirects.
  public var response: HTTPResponse
  /// The whole JSON; `nil` where the page has another format.
  public var envelope: JSONView?
  /// The path of the rows in the JSON.
  public var itemsPath: JSONPath
  /// The number of rows that the server sent, including those that could not be read.
  public var count: Int
  /// The origins that the list may use; `nil` in a test of a paging.
  var origins: ListOrigins?
  /// What the facts of the first page were.
  var known: KnownFacts?

  /// The array of rows; `nil` where the page has another format.
  public var rows: JSONView? { envelope?[itemsPath] }

  /// Creates a page response, as a test of a paging does.
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

/// What a response says about its place in the list.
public struct PageFacts: Hashable, Sendable {
  /// The link to the next page.
  public var next: PageFacts.Link
  /// The link to the previous page.
  public var previous: PageFacts.Link
  /// The total number of rows.
  public var total: Int?
  /// The total number of pages.
  public var pageCount: Int?
  /// Facts in the response that can't be true: a negative total, a text in place of a number. The links
  /// show how they were handled.
  public var problems: [PagingError]
  /// How the end is known, if the page is the last one.
  var endSign = EndSign.said
  /// Whether the list may have more rows than the total.
  package var isTotalAtLeast = false
  /// Whether the total is the number of rows of the page, as it is where a server counts those.
  var isOwnTotal = false
  /// Whether the page reaches beyond its total, which so counts something else.
  var exceedsTotal = false
  /// All totals of the response by their names, where all its facts are read.
  var totals: [String: ReportedTotal] = [:]
  /// The number of its rows, where all its facts are read.
  var sentRows = 0
  /// The number of pages that the server reports, also where the paging doesn't use it.
  var reportedPages: ReportedPages?
  /// The number of pages after this one, by the link to the last page.
  var pagesAfter: Int?
  /// Whether it begins with rows of the page before it, so that it is none of the pages that the server counts.
  var startsInside = false
  /// What says that there is more after the page, in words.
  var more: [String] = []
  /// What says that there is no more, in the words that it has where there is. It takes these back.
  var denied: [String] = []
  /// What says that no page follows, where that is a guess about the meaning of its name: `“next” is null`.
  var endMember: String?
  /// Whether the end is a guess about a name.
  var endsByName: Bool { endMember != nil }
  /// Why the response has some of the rows only, if it says so.
  var partial: String?
  /// The link to the last page.
  var lastLink: String?

  /// Creates facts.
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
  /// What follows a page on one side.
  public enum Link: Hashable, Sendable {
    /// Another page.
    case page(PageKey)
    /// Nothing: the page is the last one on this side.
    case end
    /// There may be more, but the list can't continue, for this reason.
    case stopped(PagingError)

    /// The key of the page; `nil` if there is none.
    package var key: PageKey? { if case .page(let key) = self { key } else { nil } }
  }
}

extension PageFacts {
  /// The total number of rows, if the page says it for certain: not a lower bound, nor the number of its own rows.
  var countedTotal: Int? { isTotalAtLeast || isOwnTotal ? nil : total }

  /// Whether the list ends with the page, because the server says so.
  var isStatedEnd: Bool { next == .end && endSign.isStated }

  /// Whether the server says that no page follows, other than by a guess about a name. Its total may be of another moment.
  package var saysEnd: Bool { next == .end && endSign == .said && !endsByName }
}

/// A total number of pages, and how many rows each of them has, as far as is known.
struct ReportedPages: Hashable, Sendable {
  var pages: Int
  var rows: Int
}
