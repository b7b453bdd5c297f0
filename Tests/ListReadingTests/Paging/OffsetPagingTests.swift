import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct OffsetPagingTests {
  private func server(_ shelf: Shelf, usual: Int = 20) -> (Call) -> PagedReply {
    { call in
      let offset = call.number("offset") ?? 0
      let rows = shelf.rows(from: offset, call.number("limit") ?? usual)
      let end = offset + (rows.array?.count ?? 0)
      return PagedReply(json: [
        "items": rows, "total": .int(shelf.count), "more": .bool(end < shelf.count),
      ])
    }
  }

  private func paging(_ rules: [EndRule], first: Int? = nil) -> Paging {
    Paging(
      strategy: OffsetPaging(
        pages: CountedPages(size: 20, firstSize: first, sizeParameter: "limit", ends: rules),
        limit: 20, parameter: "offset"))
  }

  static let endings: [([EndRule], [Int])] = [
    ([], [1, 2, 2, 2, 2, 3, 3]),
    ([.shortPage], [1, 1, 1, 2, 2, 3, 3]),
    ([.emptyPage], [1, 2, 2, 2, 3, 3, 4]),
    ([.total("total")], [1, 1, 1, 1, 2, 2, 3]),
    ([.hasNext("more")], [1, 1, 1, 1, 2, 2, 3]),
    ([.total("nowhere")], [1, 2, 2, 2, 2, 3, 3]),
  ]

  @Test(arguments: endings)
  func `every row is loaded once and in order, for each end rule`(
    _ rules: [EndRule], requests: [Int]
  ) throws {
    for (size, requests) in zip(sizes, requests) {
      let walk = try walk(paging(rules), with: server(Shelf(count: size)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
      #expect(walk.last == .end)
    }
  }

  @Test(arguments: endings.map(\.0).filter { $0 != [.shortPage] }, [1, 7, 10, 19])
  func `a server with a smaller limit of its own loses no row`(
    _ rules: [EndRule], cap: Int
  ) throws {
    for size in sizes {
      let walk = try walk(paging(rules), with: server(Shelf(count: size, cap: cap)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
    }
  }

  @Test func `a page larger than requested repeats no row`() throws {
    let larger = server(Shelf(count: 120), usual: 50)
    let walk = try walk(paging([])) { call in
      var call = call
      call.params["limit"] = nil
      return larger(call)
    }
    #expect(walk.rows == Array(0..<120))
    #expect(walk.calls.map { $0.params["offset"] } == ["0", "50", "100"])
  }

  @Test(arguments: [[EndRule.total("total")], [.emptyPage], [.hasNext("more")]])
  func `short pages in the middle lose no row`(_ rules: [EndRule]) throws {
    let whole = server(Shelf(count: 100))
    var turn = 0
    let walk = try walk(paging(rules)) { call in
      turn += 1
      var call = call
      if turn == 2 { call.params["limit"] = "3" }
      return whole(call)
    }
    #expect(walk.rows == Array(0..<100))
    #expect(walk.calls.map { $0.number("offset") }.prefix(4) == [0, 20, 23, 43])
  }

  @Test(arguments: [10, 20, 30, 41])
  func `going back loads every row once, down to the first`(_ offset: Int) throws {
    let shelf = Shelf(count: 61)
    let walk = try walk(paging([]), from: PageKey(.offset(offset)), .backward, with: server(shelf))
    #expect(walk.rows == Array(0..<min(61, offset + 20)))
    #expect(walk.calls.last?.number("offset") == 0)
  }

  @Test func `the page before a small offset has that many rows`() throws {
    let facts = paging([]).strategy.facts(
      in: try pageResponse(paging([]), at: PageKey(.offset(10))))
    #expect(facts.previous == .page(PageKey(.offset(0), size: 10)))
  }

  @Test func `an empty page ends a list against its total, with a problem`() throws {
    let walk = try walk(paging([.total("total")])) { call in
      var reply = server(Shelf(count: 20))(call)
      reply.json = ["items": reply.json["items"] ?? [], "total": 523]
      return reply
    }
    #expect(walk.rows == Array(0..<20))
    #expect(walk.last == .end)
    #expect(
      walk.problems == [
        .fewerRows(received: 20, reported: 523)
      ])
  }

  @Test func `an empty page that claims more is skipped`() throws {
    let key = PageKey(.offset(40))
    let json: JSONAny = ["items": [], "more": true]
    let facts = paging([.hasNext("more")]).strategy.facts(
      in: try pageResponse(paging([]), at: key, json))
    #expect(facts.next == .page(PageKey(.offset(60))))
  }

  @Test func `a larger first load is followed by the next rows`() throws {
    let walk = try walk(paging([], first: 50), with: server(Shelf(count: 95)))
    #expect(walk.rows == Array(0..<95))
    #expect(walk.calls.map { $0.params["offset"] } == ["0", "50", "70", "90"])
    #expect(walk.calls.map { $0.params["limit"] } == ["50", "20", "20", "20"])
  }

  @Test func `pages are addressed by number and by steps`() {
    let strategy = paging([], first: 50).strategy
    #expect(strategy.key(ofPage: 0) == PageKey(.offset(0)))
    #expect(strategy.key(ofPage: 3) == PageKey(.offset(60)))
    #expect(strategy.key(ofPage: .max) == nil)
    #expect(strategy.key(2, after: strategy.first) == PageKey(.offset(70)))
    #expect(strategy.key(-1, after: PageKey(.offset(5))) == PageKey(.offset(0), size: 5))
    #expect(strategy.key(.max, after: PageKey(.offset(5))) == nil)
  }

  @Test func `steps are not guessed if the server has a limit of its own`() throws {
    let strategy = paging([]).strategy
    let rows = JSONAny.array(Array(repeating: 1, count: 10))
    let facts = strategy.facts(in: try pageResponse(paging([]), ["items": rows]))
    guard case .page(let next) = facts.next else {
      Issue.record("\(facts.next)")
      return
    }
    #expect(next == PageKey(.offset(10)))
    #expect(strategy.key(1, after: next) == nil)
  }

  @Test func `an offset that would overflow stops the list`() throws {
    let key = PageKey(.offset(.max - 1))
    let facts = paging([]).strategy.facts(
      in: try pageResponse(paging([]), at: key, ["items": [1, 2]]))
    #expect(facts.next == .stopped(.noProgress(key)))
  }
}
