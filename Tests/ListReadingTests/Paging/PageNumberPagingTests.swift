import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct PageNumberPagingTests {
  /// A server that sends pages with the requested number and size, and with all facts.
  private func server(_ shelf: Shelf, first: Int = 1, usual: Int = 20) -> (Call) -> PagedReply {
    { call in
      let size = min(call.number("per_page") ?? usual, shelf.cap)
      let number = call.number("page") ?? first
      let pages = (shelf.count + size - 1) / size
      return PagedReply(json: [
        "items": shelf.rows(from: (number - first) * size, size),
        "total": .int(shelf.count), "pages": .string("\(pages)"), "last": .int(first + pages - 1),
        "more": .bool(number - first + 1 < pages),
        "next": number - first + 1 < pages ? .int(number + 1) : .null,
      ])
    }
  }

  struct Ending: CustomTestStringConvertible, Sendable {
    var rules: [EndRule]
    /// The number of requests for each of ``sizes``.
    var requests: [Int]
    var testDescription: String { "\(rules)" }
  }

  static let exact = [1, 1, 1, 1, 2, 2, 3]

  static let endings = [
    Ending(rules: [], requests: [1, 2, 2, 2, 2, 3, 3]),
    Ending(rules: [.shortPage], requests: [1, 1, 1, 2, 2, 3, 3]),
    Ending(rules: [.emptyPage], requests: [1, 2, 2, 2, 3, 3, 4]),
    Ending(rules: [.total("total")], requests: exact),
    Ending(rules: [.pageCount("pages")], requests: exact),
    Ending(rules: [.lastPage("last")], requests: exact),
    Ending(rules: [.hasNext("more")], requests: exact),
    Ending(rules: [.nextPage("next")], requests: exact),
    Ending(rules: [.total("nowhere"), .shortPage], requests: [1, 1, 1, 2, 2, 3, 3]),
    Ending(rules: [.total("items"), .pageCount("pages")], requests: exact),
  ]

  @Test(arguments: endings, [0, 1])
  func `every row is loaded once and in order, for each end rule`(
    _ ending: Ending, first: Int
  ) throws {
    for (size, requests) in zip(sizes, ending.requests) {
      let paging = numbered(first: first, ends: ending.rules)
      let walk = try walk(paging, with: server(Shelf(count: size), first: first))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
      #expect(walk.last == .end)
    }
  }

  private func numbered(first: Int = 1, size: Int = 20, ends: [EndRule]) -> Paging {
    Paging(
      strategy: PageNumberPaging(
        pages: CountedPages(size: size, firstSize: nil, sizeParameter: "per_page", ends: ends),
        start: first, parameter: "page"))
  }

  @Test(arguments: endings.filter { $0.rules.first != .shortPage && $0.rules.last != .shortPage })
  func `a server with smaller pages than requested loses no row`(_ ending: Ending) throws {
    for size in sizes {
      let walk = try walk(numbered(ends: ending.rules), with: server(Shelf(count: size, cap: 10)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
    }
  }

  @Test(arguments: endings.filter { $0.rules.first != .shortPage && $0.rules.last != .shortPage })
  func `a server with larger pages than requested loses no row`(_ ending: Ending) throws {
    for size in sizes + [100, 101] {
      let ignoring = server(Shelf(count: size), usual: 50)
      let walk = try walk(numbered(ends: ending.rules)) { call in
        var call = call
        call.params["per_page"] = nil
        return ignoring(call)
      }
      #expect(walk.rows == Array(0..<size), "\(size) rows")
    }
  }

  @Test(arguments: sizes)
  func `going back from the middle ends at the first page`(_ size: Int) throws {
    let middle = try #require(numbered(ends: []).strategy.key(ofPage: size / 20))
    let walk = try walk(
      numbered(ends: []), from: middle, .backward, with: server(Shelf(count: size)))
    #expect(walk.rows == Array(0..<size))
    #expect(walk.last == .end)
    #expect(walk.calls.count == size / 20 + 1)
  }

  @Test(arguments: [10, 20])
  func `a list that starts in the middle continues to its end, even from a short page`(
    _ cap: Int
  ) throws {
    let middle = PageKey(.number(3))
    for rules in [[], [EndRule.total("total")]] {
      let walk = try walk(
        numbered(ends: rules), from: middle, with: server(Shelf(count: 45, cap: cap)))
      #expect(walk.rows == Array((2 * cap)..<45))
      #expect(walk.problems.isEmpty)
    }
  }

  @Test func `a larger first load counts as several pages`() throws {
    let paging = Paging.pageNumber(size: 20, firstSize: 60)
    let walk = try walk(paging, with: server(Shelf(count: 101)))
    #expect(walk.rows == Array(0..<101))
    #expect(walk.calls.map { $0.params["page"] } == ["1", "4", "5", "6"])
    #expect(walk.calls.map { $0.params["per_page"] } == ["60", "20", "20", "20"])
  }

  @Test(arguments: [10, 15, 30, 50])
  func `a larger first load that the server shortens loses no row`(_ cap: Int) throws {
    let walk = try walk(
      .pageNumber(size: 20, firstSize: 60), with: server(Shelf(count: 101, cap: cap)))
    #expect(Set(walk.rows) == Set(0..<101))
  }

  @Test func `a fixed last page ends a list that has more`() throws {
    let walk = try walk(.pageNumber(size: 20, endsBy: .page(2)), with: server(Shelf(count: 100)))
    #expect(walk.rows == Array(0..<40))
  }

  @Test func `a declared status ends the list, but not on the first page`() throws {
    let paging = Paging.pageNumber(size: 20, endsBy: .status(404))
    let walk = try walk(paging) { call in
      let reply = server(Shelf(count: 40))(call)
      return reply.json["items"]?.array?.isEmpty == true ? PagedReply(status: 404) : reply
    }
    #expect(walk.rows == Array(0..<40))
    #expect(walk.last == .end)
    #expect(!paging.strategy.isEnd(404, for: paging.strategy.first))
    #expect(!paging.strategy.isEnd(500, for: PageKey(.number(3))))
  }

  @Test(
    arguments: [
      (.pageNumber(), true), (.pageNumber(size: 20, endsBy: .shortPage, .emptyPage), true),
      (.pageNumber(endsBy: .total("total"), .status(410)), true),
      (.pageNumber(endsBy: .hasNext("more")), false), (.pageNumber(endsBy: .pageCount("n")), false),
      (.pageNumber(endsBy: .total("total"), .nextPage("next")), false),
      (.offset(limit: 20), true), (.offset(limit: 20, endsBy: .hasNext("more")), false),
    ] as [(Paging, Bool)])
  func `a refused page is the end unless the page before said that there is more`(
    paging: Paging, isEnd: Bool
  ) throws {
    var key = try #require(paging.strategy.key(ofPage: 2))
    // Before the first page, nothing is known.
    for status in [400, 404, 416, 422] { #expect(!paging.strategy.isEnd(status, for: key)) }
    key.full = FullSize(rows: 20)
    for status in [400, 404, 410, 416, 422] {
      #expect(paging.strategy.isEnd(status, for: key) == isEnd)
    }
    for status in [401, 403, 405, 414, 429, 500, 503] {
      #expect(!paging.strategy.isEnd(status, for: key))
    }
    var first = paging.strategy.first
    first.full = FullSize(rows: 20)
    #expect(!paging.strategy.isEnd(404, for: first))
  }

  @Test func `facts inform even where another rule decides`() throws {
    let paging = Paging.pageNumber(
      size: 20, endsBy: .hasNext("more"), .total("total"), .pageCount("pages"))
    let walk = try walk(paging, with: server(Shelf(count: 41)))
    #expect(walk.facts.allSatisfy { $0.total == 41 && $0.pageCount == 3 && $0.problems.isEmpty })
  }

  @Test func `numbers go to their declared locations`() throws {
    var call = Call("/books/{page}/rows", body: .text(#"{"q": 1.10}"#))
    let paging = Paging.pageNumber(
      size: 5, first: 0, parameter: .path("page"), sizeParameter: .body("paging.size"))
    try paging.strategy.apply(PageKey(.number(7)), to: &call)
    #expect(call.address == "/books/7/rows")
    #expect(call.body?.pieces == RequestBody.text(#"{"q":1.10,"paging":{"size":5}}"#).pieces)
  }

  @Test func `a call without a place for the number fails`() throws {
    var call = Call("/books")
    #expect(
      throws: PagingError.wrongCall("the address of the call lacks the placeholder {page}")
    ) {
      try Paging.pageNumber(parameter: .path("page")).strategy.apply(PageKey(.number(1)), to: &call)
    }
    call.body = .text("[1, 2]")
    #expect(throws: PagingError.self) {
      try Paging.pageNumber(parameter: .body("page")).strategy.apply(PageKey(.number(1)), to: &call)
    }
    call.body = .text("page=1")
    #expect(throws: PagingError.self) {
      try Paging.pageNumber(parameter: .body("page")).strategy.apply(PageKey(.number(1)), to: &call)
    }
  }

  @Test func `pages are addressed by number and by steps`() {
    let strategy = Paging.pageNumber(size: 20, firstSize: 60).strategy
    #expect(strategy.key(ofPage: 0) == PageKey(.number(1)))
    #expect(strategy.key(ofPage: 6) == PageKey(.number(7)))
    #expect(strategy.key(ofPage: -1) == nil)
    #expect(strategy.key(ofPage: .max) == nil)
    #expect(strategy.key(1, after: strategy.first) == PageKey(.number(4)))
    #expect(strategy.key(3, after: PageKey(.number(4))) == PageKey(.number(7)))
    #expect(strategy.key(-1, after: PageKey(.number(4))) == PageKey(.number(3)))
    #expect(strategy.key(-1, after: PageKey(.number(1))) == nil)
    #expect(strategy.key(.max, after: PageKey(.number(4))) == nil)
    #expect(strategy.key(1, after: PageKey(.start)) == nil)
  }
}
