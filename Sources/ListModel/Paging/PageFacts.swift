/// What an answer says of its place in the list.
public struct PageFacts: Hashable, Sendable {
  /// What follows the page.
  public var next: PageLink
  /// What comes before it.
  public var previous: PageLink
  /// How many rows there are in all.
  public var total: Int?
  /// How many pages there are in all.
  public var pageCount: Int?
  /// What the answer says that can't be so: a total below zero, a number that is a text. What was
  /// done about it shows in the links.
  public var problems: [PagingError]

  /// Makes facts.
  public init(
    next: PageLink, previous: PageLink = .end, total: Int? = nil, pageCount: Int? = nil,
    problems: [PagingError] = []
  ) {
    self.next = next
    self.previous = previous
    self.total = total
    self.pageCount = pageCount
    self.problems = problems
  }
}

/// What lies beyond one side of a page.
public enum PageLink: Hashable, Sendable {
  /// Another page.
  case page(PageKey)
  /// Nothing: the page is the last one on this side.
  case end
  /// Perhaps more, but it can't be had, and this is why.
  case stopped(PagingError)
}
