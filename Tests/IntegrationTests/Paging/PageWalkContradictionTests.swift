import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks over servers that contradict themselves.
@Suite(.timeLimit(.minutes(2))) struct PageWalkContradictionTests {
  private func walk(
    _ loopback: LoopbackServer, _ paging: Paging = .automatic,
    identity: PageWalk.Identity = .recognized, from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs ids: [RowID] = []
  ) -> PageWalk {
    let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
    return PageWalk(
      server, Call("/rows"), items: "rows", paging: paging, identity: identity, from: checkpoint,
      knownIDs: ids)
  }

  /// All ids that a walk delivers.
  private func rest(of walk: PageWalk) async throws -> [Int] {
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    return ids
  }

  /// A server whose pages are linked by their numbers. Each element is its number of rows at that
  /// response; rows are removed at the front.
  private func linked(
    of count: Int, says total: Int? = nil, hasPrevious: Bool = true,
    gone: @escaping @Sendable (Int) -> Int = { _ in 0 }
  ) throws -> LoopbackServer {
    let served = ResponseCounter()
    return try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let start = gone(served.next())
      let rows = (min(start, count)..<count).dropFirst((number - 1) * 50).prefix(50)
      let isLast = start + number * 50 >= count
      let next = isLast ? "null" : #""/rows?page=\#(number + 1)""#
      let previous = number > 1 ? #""/rows?page=\#(number - 1)""# : "null"
      return Catalogue.page(
        rows,
        #""count":\#((total ?? count) - start),"next":\#(next)"#
          + (hasPrevious ? #","previous":\#(previous)"# : ""))
    }
  }

  @Test func `fewer rows than the server reports end the walk as incomplete`() async throws {
    let honest = try linked(of: 120)
    let whole = walk(honest)
    #expect(try await rest(of: whole).count == 120 && whole.end == .complete)
    let boasting = try linked(of: 120, says: 300)
    let short = walk(boasting)
    #expect(try await rest(of: short).count == 120)
    short.expectIncomplete("180 of 300 rows are missing")
  }

  @Test func `rows before a checkpoint count too`() async throws {
    for (total, isComplete) in [(120, true), (300, false)] {
      let loopback = try linked(of: 120, says: total)
      let first = walk(loopback)
      let page = try #require(try await first.next())
      let text = try #require(first.checkpoint?.text)
      let second = walk(
        loopback, from: PageWalk.Checkpoint(text: text), knownIDs: page.ids.compactMap(\.self))
      #expect(try await rest(of: second).count == 70)
      #expect((second.end == .complete) == isComplete, "\(total)")
    }
  }

  @Test func `an empty page is not the end if the server counts more pages`() async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let rows = Catalogue(count: 500).positions(from: (number - 1) * 50)
      return Catalogue.page(number == 3 ? 0..<0 : rows, #""pages":10"#)
    }
    let walk = walk(loopback, .pageNumber(endsBy: .pageCount("pages")))
    #expect(try await rest(of: walk).count == 100)
    walk.expectIncomplete("the server reported 10 pages, but the list ended after 3")
  }

  @Test func `repeated rows without ids end the walk, whatever changes around them`()
    async throws
  {
    let loopback = try LoopbackServer { request in
      .json(#"{"rows":[{"n":1},{"n":1}],"page":\#(request.number("page") ?? 1),"more":true}"#)
    }
    let walk = walk(loopback, .pageNumber(endsBy: .hasNext("more")))
    while let page = try await walk.next(), page.number < 100 {}
    walk.expectIncomplete("no new rows")
    #expect(loopback.requestCount < 20)
  }

  @Test func `a repeated page does not end the walk while there are new rows in between`()
    async throws
  {
    let loopback = try LoopbackServer { request in
      let pages = [[1, 2], [1, 2], [3, 4], [1, 2], [5, 6]]
      let rows = pages[(request.number("page") ?? 1) - 1].map { #"{"id":\#($0)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))]}"#)
    }
    let walk = walk(loopback, .pageNumber(endsBy: .page(5)))
    #expect(try await rest(of: walk) == [1, 2, 3, 4, 5, 6])
    #expect(walk.end == .complete)
  }

  @Test func `rows that move up are found again where links count pages`() async throws {
    let loopback = try linked(of: 400) { $0 < 2 ? 0 : 30 }
    let walk = walk(loopback)
    let ids = try await rest(of: walk)
    #expect(ids == (0..<400).map(Catalogue.id))
    #expect(walk.end == .complete && walk.consistency.seams[.mended] == 1)
  }

  @Test func `fewer pages than before end the walk as incomplete, also after resuming`()
    async throws
  {
    let served = ResponseCounter()
    let loopback = try LoopbackServer { request in
      let start = served.next() < 2 ? 0 : 70
      let rows = (start..<400).dropFirst(((request.number("page") ?? 1) - 1) * 50).prefix(50)
      return Catalogue.page(rows, #""pages":\#((400 - start + 49) / 50)"#)
    }
    let paging = Paging.pageNumber(endsBy: .pageCount("pages"))
    let first = walk(loopback, paging)
    for _ in 0..<3 { _ = try await first.next() }
    let second = walk(
      loopback, paging, from: PageWalk.Checkpoint(text: try #require(first.checkpoint?.text)))
    for walk in [first, second] {
      _ = try await rest(of: walk)
      walk.expectIncomplete("the total number of pages fell from 8")
    }
  }
}
