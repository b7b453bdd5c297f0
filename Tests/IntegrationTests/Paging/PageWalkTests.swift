import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks over whole lists, with every way of paging.
@Suite(.timeLimit(.minutes(2))) struct PageWalkTests {
  private static func walk(
    _ loopback: LoopbackServer, _ style: CatalogueStyle, parallel: Int = 1,
    from checkpoint: PageWalk.Checkpoint? = nil, knownIDs ids: [RowID] = []
  ) -> PageWalk {
    let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
    return PageWalk(
      server, style.call, items: style.items, paging: style.paging, parallel: parallel,
      from: checkpoint, knownIDs: ids)
  }

  private static func server(_ loopback: LoopbackServer) -> Server {
    Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
  }

  /// All rows that a walk delivers.
  private static func rest(of walk: PageWalk) async throws -> [Int] {
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    return ids
  }

  @Test(arguments: CatalogueStyle.all, [1, 4])
  func `a walk delivers every row once and in order, with the fewest requests`(
    _ style: CatalogueStyle, _ parallel: Int
  ) async throws {
    let catalogue = Catalogue(count: 1_013)
    let loopback = try style.server(catalogue)
    let walk = Self.walk(loopback, style, parallel: parallel)
    #expect(try await Self.rest(of: walk) == catalogue.ids)
    #expect(walk.end == .complete)
    #expect(walk.checkpoint == nil && walk.consistency.seams[.mended] == nil)
    #expect(walk.idPath == "id")
    #expect(loopback.requestCount == style.requestCount(catalogue))
    #expect(try await walk.next() == nil)
  }

  @Test(arguments: CatalogueStyle.all.filter { $0.ending != .onlyPage })
  func `a walk resumes from any checkpoint`(_ style: CatalogueStyle) async throws {
    let catalogue = Catalogue(count: 230)
    let loopback = try style.server(catalogue)
    var checkpoint: PageWalk.Checkpoint?
    var (ids, known): ([Int], [RowID]) = ([], [])
    // Each page is read by a walk of its own.
    for _ in 0..<10 {
      let text = checkpoint?.text
      let walk = Self.walk(
        loopback, style, from: try text.map { try #require(PageWalk.Checkpoint(text: $0)) },
        knownIDs: known)
      guard let page = try await walk.next() else { break }
      ids += page.rows.compactMap { $0["id"]?.int }
      known += page.ids.compactMap(\.self)
      checkpoint = walk.checkpoint
      if checkpoint == nil { break }
    }
    #expect(ids == catalogue.ids)
  }

  @Test func `the paging is recognized again after resuming`() async throws {
    let loopback = try LoopbackServer { request in
      .json(
        Catalogue.rows(
          Catalogue(count: 230).positions(from: ((request.number("page") ?? 1) - 1) * 50)))
    }
    let first = PageWalk(Self.server(loopback), Call("/rows"))
    var ids = (try await first.next()?.rows ?? []).compactMap { $0["id"]?.int }
    let start = try #require(first.checkpoint)
    let second = PageWalk(
      Self.server(loopback), Call("/rows"), from: PageWalk.Checkpoint(text: start.text))
    ids += (try await second.next()?.rows ?? []).compactMap { $0["id"]?.int }
    #expect(second.recognized != nil)
    let middle = try #require(second.checkpoint)
    ids += try await Self.rest(
      of: PageWalk(
        Self.server(loopback), Call("/rows"), from: PageWalk.Checkpoint(text: middle.text)))
    #expect(ids == Catalogue(count: 230).ids)
  }

  @Test func `a rejected id path stays rejected after resuming`() async throws {
    let loopback = try LoopbackServer { request in
      let rows = [
        "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":2}]", "[{\"id\":1,\"n\":3},{\"id\":1,\"n\":4}]",
      ]
      return .json(rows[((request.number("page") ?? 1) - 1) % 2])
    }
    let paging = Paging.pageNumber(endsBy: .page(3))
    let walk = PageWalk(Self.server(loopback), Call("/rows"), paging: paging)
    #expect(try await walk.next()?.rows.count == 2 && walk.idPath == "id")
    #expect(try await walk.next()?.rows.count == 2 && walk.idPath == nil)
    let next = PageWalk(Self.server(loopback), Call("/rows"), paging: paging, from: walk.checkpoint)
    #expect(try await next.next()?.rows.count == 2)
    #expect(next.idPath == nil && next.end == .complete)
  }

  @Test func `a failure does not move the walk`() async throws {
    let style = CatalogueStyle.all[0]
    let catalogue = Catalogue(count: 120)
    let loopback = try style.server(catalogue)
    let walk = Self.walk(loopback, style)
    var ids = (try await walk.next()?.rows ?? []).compactMap { $0["id"]?.int }
    let checkpoint = walk.checkpoint
    loopback.enqueue(.status(500), .json("{"), .json(#"{"rows":1}"#))
    for _ in 0..<3 { await #expect(throws: LoadError.self) { _ = try await walk.next() } }
    #expect(walk.checkpoint == checkpoint && walk.end == nil)
    ids += try await Self.rest(of: walk)
    #expect(ids == catalogue.ids)
  }

  @Test func `rows to skip are still skipped when the resumed page fails at first`()
    async throws
  {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let rows = (number * 3..<number * 3 + 3).map { #"{"n":\#($0)}"# }
      return .json("[\(rows.joined(separator: ","))]")
    }
    let paging = Paging.pageNumber(endsBy: .page(3))
    let first = PageWalk(Self.server(loopback), Call("/rows"), paging: paging)
    _ = try await first.next()
    var checkpoint = try #require(first.checkpoint)
    checkpoint.rowsToSkip = 2
    let second = PageWalk(Self.server(loopback), Call("/rows"), paging: paging, from: checkpoint)
    loopback.enqueue(.status(500))
    await #expect(throws: LoadError.self) { _ = try await second.next() }
    #expect(second.checkpoint == checkpoint)
    #expect(try await second.next()?.rows.compactMap { $0["n"]?.int } == [8])
  }

  /// Rows are removed after the first page.
  private func shrinking(by gone: Int, of count: Int) throws -> LoopbackServer {
    let served = ResponseCounter()
    return try LoopbackServer { request in
      let start = served.next() == 0 ? 0 : gone
      let page = (start..<count).dropFirst(((request.number("page") ?? 1) - 1) * 50).prefix(50)
      return Catalogue.page(page, #""total":\#(count - start)"#)
    }
  }

  @Test(arguments: [1, 49, 50, 51, 100, 120])
  func `rows that move up across a seam are found again`(_ gone: Int) async throws {
    let loopback = try shrinking(by: gone, of: 400)
    let walk = PageWalk(
      Self.server(loopback), Call("/rows"), items: "rows",
      paging: .pageNumber(size: 50, endsBy: .total("total")))
    let ids = try await Self.rest(of: walk)
    // All remaining rows, and those that were removed after they were read.
    let expected = (0..<400).filter { $0 < 50 || $0 >= gone }.map(Catalogue.id)
    #expect(ids == expected)
    #expect(walk.end == .complete && walk.consistency.seams[.mended] == 1)
  }

  @Test(arguments: [1, 4])
  func `a page that comes twice does not fill the place of one that is missing`(
    _ parallel: Int
  ) async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      // The second page has the rows of the first one.
      return Catalogue.page(
        Catalogue(count: 12).positions(from: (number == 2 ? 0 : number - 1) * 3, 3), #""total":12"#)
    }
    let walk = PageWalk(
      Self.server(loopback), "/rows", items: "rows",
      paging: .pageNumber(size: 3, endsBy: .total("total")), parallel: parallel)
    #expect(try await Self.rest(of: walk).count == 9)
    let reason = PagingError.fewerRows(received: 9, reported: 12)
    #expect(walk.end == .incomplete(reason))
  }

  @Test func `removed rows without ids end the walk as incomplete`() async throws {
    let loopback = try shrinking(by: 10, of: 200)
    let walk = PageWalk(
      Self.server(loopback), Call("/rows"), items: "rows",
      paging: .pageNumber(size: 50, endsBy: .total("total")), identity: .none)
    _ = try await Self.rest(of: walk)
    guard case .incomplete(let error) = walk.end else {
      Issue.record("\(String(describing: walk.end))")
      return
    }
    #expect("\(error)".contains("fell from 200"))
  }

  @Test(arguments: ["", "0", "zz", "00", "02", "01ff", "0101", "é"])
  func `a text that is not a checkpoint is rejected`(_ text: String) {
    #expect(PageWalk.Checkpoint(text: text) == nil)
  }

  @Test(
    arguments: [
      (#"[{"id":1},{"id":2}]"#, "id"), (#"[{"id":1,"uuid":"a"},{"id":1,"uuid":"b"}]"#, "uuid"),
      (#"[{"node":{"id":"a"}},{"node":{"id":"b"}}]"#, "node.id"), (#"["a","b"]"#, "$"),
      ("[1,2]", "$"), ("[1.5,2]", nil), (#"["a","a"]"#, nil), (#"[{"id":1},{"id":null}]"#, nil),
      (#"[{"name":"a"}]"#, nil), ("[]", nil),
    ] as [(String, JSONPath?)])
  func `rows are told apart by a member with distinct values`(
    _ rows: String, _ path: JSONPath?
  ) async throws {
    let loopback = try LoopbackServer { _ in .json(rows) }
    let walk = PageWalk(Self.server(loopback), Call("/rows"), paging: .single)
    _ = try await walk.next()
    #expect(walk.idPath == path)
  }
}
