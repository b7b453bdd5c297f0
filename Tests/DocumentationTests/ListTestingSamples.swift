import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Testing your list”, in their order.
@MainActor @Suite struct ListTestingSamples {
  struct Book: Decodable, Identifiable {
    let id: Int
  }

  @Sendable nonisolated static func page(_ number: Int) -> String {
    let rows = (number * 2 - 1...number * 2).map { #"{"id": \#($0)}"# }
    return #"{"rows": [\#(rows.joined(separator: ", "))], "pages": 3}"#
  }

  private let transport = MockTransport { request in
    .json(Self.page(request.query["page"].flatMap { Int($0) } ?? 1))
  }

  private var books: ListModel<Book> {
    let server = Server("https://api.example.com", transport: transport) { $0.retry = .never }
    return ListModel<Book>(
      server, "/books", items: "rows", paging: .pageNumber(size: 2, endsBy: .pageCount("pages")))
  }

  @Test func `a closure returns every page`() async {
    let transport = MockTransport { request in
      .json(Self.page(request.query["page"].flatMap { Int($0) } ?? 1))
    }
    let server = Server("https://api.example.com", transport: transport) { $0.retry = .never }
    let books = ListModel<Book>(
      server, "/books", items: "rows", paging: .pageNumber(size: 2, endsBy: .pageCount("pages")))
    #expect(await books.loadAll() == .reachedEnd(.complete))
    #expect(books.rows.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(transport.requests.map(\.query["page"]) == ["1", "2", "3"])
  }

  @Test func `a failed page keeps the rows, and a retry loads it`() async {
    let books = books
    _ = await books.refresh().outcome
    transport.enqueue(.failure(.connectRefused))
    guard case .failed = await books.loadNextPage().outcome else {
      Issue.record("the page did not fail")
      return
    }
    #expect(books.rows.items.map(\.id) == [1, 2])
    _ = await books.retry().outcome
    #expect(books.rows.items.map(\.id) == [1, 2, 3, 4])
  }

  @Test func `a late response changes nothing`() async {
    let books = books
    _ = await books.refresh().outcome
    let gate = Gate()
    transport.enqueue(.json(Self.page(2)).held(by: gate))
    let next = books.loadNextPage()
    await gate.reached()
    let refresh = books.refresh()
    gate.open()
    #expect(await next.outcome == .cancelled(.superseded))
    _ = await refresh.outcome
    #expect(books.rows.items.map(\.id) == [1, 2])
  }

  @Test func `the state is loading while a page is loaded`() async {
    let books = books
    let gate = Gate()
    transport.enqueue(.json(Self.page(1)).held(by: gate))
    let load = books.refresh()
    await gate.reached()
    #expect(books.refreshState == .loading)
    gate.open()
    _ = await load.outcome
    #expect(books.refreshState == .idle)
  }

  @Test func `a page that is cut off on the wire fails`() async throws {
    let loopback = try LoopbackServer { request in
      .json(Self.page(request.query("page").flatMap { Int($0) } ?? 1))
    }
    let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
    let books = ListModel<Book>(server, "/books", items: "rows", paging: .pageNumber(size: 2))
    _ = await books.refresh().outcome
    loopback.enqueue(.json(Self.page(2)).failing(.reset(.bodySent(10))))
    let broken = await books.loadNextPage().outcome
    guard case .failed(.request(let error)) = broken, case .connectionLost = error.kind else {
      Issue.record("\(broken)")
      return
    }
    #expect(books.count == 2)
  }

  /// One page for each year, newest first, down to the year 2000.
  private let years = Paging.custom(first: PageKey(.number(2026))) { key, call in
    guard case .number(let year) = key.place else { return }
    call.params["year"] = "\(year)"
  } facts: { response in
    guard case .number(let year) = response.key.place, year > 2000 else {
      return PageFacts(next: .end)
    }
    return PageFacts(next: .page(PageKey(.number(year - 1))))
  }

  @Test func `a paging by years requests each year once and ends`() async {
    let transport = MockTransport { request in
      .json(#"[{"id": \#(request.query["year"] ?? "0")}]"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    let books = ListModel<Book>(server, "/books", paging: years)
    #expect(await books.loadAll() == .reachedEnd(.complete))
    #expect(books.rows.items.map(\.id) == Array((2000...2026).reversed()))
    #expect(transport.requests.count == 27)
  }

  @Test func `a row that moves up is lost, and the walk does not claim otherwise`() async throws {
    let list = ServedList(
      rows: 8, pageSize: 4, by: .pages, churn: [.before(request: 2, .delete(at: 0))])
    let run = ServedRun(list)
    let walk = PageWalk(
      Server("https://test", transport: run.transport), "/rows", items: "rows",
      paging: .pageNumber())
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    let verdict = run.verdict(ids: ids, claim: .whole(given: [.ids, .order]))
    #expect(verdict.lost == [5] && verdict.isFalse)
    #expect(walk.consistency.claim == .unproven)
  }

  /// Reads numbered pages until one is empty, as a program without Quire might.
  private func readPages(_ transport: MockTransport) async throws -> [Int] {
    struct Page: Decodable { var rows: [Book] }
    var ids: [Int] = []
    for number in 1... {
      let url = try WebURL("https://test/rows?page=\(number)")
      let response = try await transport.send(HTTPRequest(.get, url))
      let rows = try JSONDecoder().decode(Page.self, from: Data(try response.text().utf8)).rows
      guard !rows.isEmpty else { break }
      ids += rows.map(\.id).filter { !ids.contains($0) }
    }
    return ids
  }

  @Test func `histories find the shortest one that a client doesn't survive`() async throws {
    var histories = ServedHistories()
    histories.ways = [.pages]
    let outcome = await histories.run(1_000) { run in
      let rows = try await readPages(run.transport)
      return (ids: rows, claim: .whole(given: [.ids, .order]))
    }
    let failure = try #require(outcome.failure)
    #expect(
      failure.list
        == ServedList(
          rows: 2, pageSize: 1, by: .pages, churn: [.before(request: 2, .delete(at: 0))]))
  }

  private struct Person: Decodable, Identifiable {
    var id: Int
    var name: String
  }

  @Test func `a served list has rows of the program's own shape`() async {
    let people = ServedList(at: "data.people", rows: 50, pageSize: 20, by: .cursors) { row in
      #"{"id": \#(row.id), "name": "Person \#(row.id)"}"#
    }
    let server = Server("https://test", transport: ServedRun(people).transport)
    let list = ListModel<Person>(server, "/people", items: "data.people", paging: .automatic)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.rows.items.last?.name == "Person 50")
  }
}
