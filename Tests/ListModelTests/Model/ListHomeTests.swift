import ItemMapping
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// The origins that a list or a walk may follow links and redirects to.
@Suite @MainActor struct ListHomeTests {
  private struct Row: Decodable, Identifiable {
    let id: Int
  }

  /// A server at `https://asked.test` that responds by host and page.
  private func server(
    base: String = "https://asked.test",
    _ respond: @escaping @Sendable (_ host: String, _ page: Int, HTTPRequest) -> MockResponse
  ) -> (server: Server, transport: MockTransport) {
    let transport = MockTransport { request in
      respond(request.url.host, request.query["page"].flatMap { Int($0) } ?? 1, request)
    }
    let server = Server(base, transport: transport) {
      $0.authentication = .bearer("SECRET")
      $0.headers["X-Server-Field"] = "SECRET"
      $0.params = ["server_param": "SECRET"]
      $0.retry.attempts = 1
    }
    return (server, transport)
  }

  /// A page of one row, with the link to the next page in its body.
  nonisolated private static func page(_ number: Int, next: String? = nil) -> MockResponse {
    .json(#"{"items": [{"id": \#(number)}], "next": \#(next.map { "\"\($0)\"" } ?? "null")}"#)
  }

  private let call = Call("/rows", headers: ["X-Call-Field": "SECRET"])

  private func list(
    _ server: Server, _ paging: Paging, _ call: Call? = nil, allowsOtherOrigins: Bool = false
  ) -> ListModel<Row> {
    ListModel(
      server, call ?? self.call, reading: .decodables(at: "items", decoder: ItemDecoder()),
      paging: paging, identity: .id
    ) { $0.allowsOtherOrigins = allowsOtherOrigins }
  }

  private func secrets(_ transport: MockTransport, at host: String) -> Int {
    transport.requests.count { request in
      request.url.host == host
        && (request.headers.fields.contains { $0.value.contains("SECRET") }
          || request.url.description.contains("SECRET"))
    }
  }

  nonisolated private static let pagings: [Paging] = [
    .pageNumber(endsBy: .emptyPage), .offset(limit: 1, endsBy: .emptyPage),
    .cursor(at: "next", into: "page"), .nextURL(at: "next"), .automatic,
  ]

  @Test(arguments: pagings.indices)
  func `a redirect of a later page away from home fails the load without a request`(
    _ index: Int
  ) async {
    let paging = Self.pagings[index]
    let (server, transport) = server { host, _, request in
      let isFirst = (request.query["page"] ?? "1") == "1" && (request.query["offset"] ?? "0") == "0"
      guard host == "asked.test" else { return Self.page(2) }
      return isFirst
        ? Self.page(1, next: index == 2 ? "2" : "/rows?page=2")
        : .redirect(to: "https://evil.test/")
    }
    let list = list(server, paging)
    #expect(await list.loadNextPage().outcome.isSuccess)
    #expect(
      await list.loadNextPage().outcome.failure == .redirect(.crossOrigin("https://evil.test")))
    #expect(list.rows.items.map(\.id) == [1])

    let walk = PageWalk(server, call, items: "items", paging: paging)
    _ = try? await walk.next()
    await #expect(throws: LoadError.self) { try await walk.next() }
    #expect(transport.requests.allSatisfy { $0.url.host == "asked.test" })
  }

  @Test func `the origin of the first page is the home and gets no credentials`() async {
    let (server, transport) = server { host, page, _ in
      if host == "asked.test" { return .redirect(to: "https://home.test/rows?page=\(page)") }
      return Self.page(page, next: page < 3 ? "?page=\(page + 1)" : nil)
    }
    let linked = list(server, .nextURL(at: "next"))
    #expect(await linked.loadAll() == .reachedEnd(.complete))
    #expect(linked.rows.items.map(\.id) == [1, 2, 3])
    #expect(
      transport.requests.map(\.url.host) == ["asked.test", "home.test", "home.test", "home.test"])
    #expect(secrets(transport, at: "home.test") == 0)
    #expect(secrets(transport, at: "asked.test") == 1)

    let counted = list(server, .pageNumber(endsBy: .emptyPage))
    _ = await counted.loadNextPage().outcome
    #expect(await counted.loadNextPage().outcome.isSuccess)
    #expect(secrets(transport, at: "home.test") == 0)
  }

  @Test(arguments: ["https://asked.test/rows?page=2", "https://third.test/rows?page=2"])
  func `no link leaves the home`(_ target: String) async {
    let (server, transport) = server { host, page, _ in
      host == "asked.test" && page == 1
        ? .redirect(to: "https://home.test/rows") : Self.page(page, next: target)
    }
    let list = list(server, .nextURL(at: "next"))
    guard case .reachedEnd(.incomplete(.otherOrigin)) = await list.loadAll() else {
      Issue.record("went to \(target)")
      return
    }
    #expect(transport.requests.count == 2)
  }

  @Test func `a later page may only be redirected to the home`() async {
    let (server, transport) = server { host, page, _ in
      host == "asked.test"
        ? .redirect(to: "https://\(page == 1 ? "home" : "third").test/rows") : Self.page(page)
    }
    let list = list(server, .pageNumber(endsBy: .emptyPage))
    _ = await list.loadNextPage().outcome
    #expect(
      await list.loadNextPage().outcome.failure == .redirect(.crossOrigin("https://third.test")))
    #expect(transport.requests.map(\.url.host) == ["asked.test", "home.test", "asked.test"])
  }

  @Test func `a refresh sets the home again`() async {
    let moves = Atomic(0)
    let (server, _) = server { host, page, _ in
      if host == "asked.test" {
        let count = moves.add(1, ordering: .relaxed).newValue
        return .redirect(to: "https://home\(count).test/rows")
      }
      return Self.page(page, next: page < 2 ? "?page=2" : nil)
    }
    let list = list(server, .nextURL(at: "next"))
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(await list.refresh().outcome.isSuccess)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(moves.load(ordering: .relaxed) == 2)
  }

  @Test func `after leaving its home, a list sends no credentials, not even going back`()
    async
  {
    let hosts = ["asked.test", "other.test", "asked.test", "third.test"]
    let (server, transport) = server { host, page, _ in
      if page == 3, host == "asked.test" { return .redirect(to: "https://third.test/rows?page=3") }
      return Self.page(page, next: page < 3 ? "https://\(hosts[page])/rows?page=\(page + 1)" : nil)
    }
    let list = list(server, .nextURL(at: "next"), allowsOtherOrigins: true)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.rows.items.map(\.id) == [1, 2, 3])
    #expect(transport.requests.map(\.url.host) == hosts)
    #expect(secrets(transport, at: "asked.test") == 1, "only the first page sends secrets")
    #expect(secrets(transport, at: "other.test") + secrets(transport, at: "third.test") == 0)
    #expect(transport.requests.allSatisfy { $0.headers["Accept"] != nil })

    let walk = PageWalk(
      server, call, items: "items", paging: .nextURL(at: "next"), allowsOtherOrigins: true)
    var rows = 0
    while let page = try? await walk.next() { rows += page.rows.count }
    #expect(rows == 3)
    #expect(walk.end == .complete)
    #expect(secrets(transport, at: "asked.test") == 2)
    #expect(secrets(transport, at: "other.test") + secrets(transport, at: "third.test") == 0)
  }

  @Test func `a page from another origin can't redirect the user's credentials`() async {
    let (server, transport) = server { host, page, _ in
      if host == "asked.test", page == 1 { return .redirect(to: "https://other.test/rows") }
      return Self.page(page, next: page < 2 ? "https://asked.test/rows?page=2" : nil)
    }
    let list = list(server, .nextURL(at: "next"), allowsOtherOrigins: true)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(transport.requests.map(\.url.host) == ["asked.test", "other.test", "asked.test"])
    #expect(secrets(transport, at: "asked.test") == 1)
  }

  @Test func `a body is never sent to another origin`() async {
    let (server, transport) = server { _, page, _ in
      Self.page(page, next: "https://other.test/rows?page=2")
    }
    let search = Call("/rows", method: .post, body: .text(#"{"q":"SECRET"}"#))
    let list = list(server, .nextURL(at: "next"), search, allowsOtherOrigins: true)
    _ = await list.loadNextPage().outcome
    guard case .failed(.paging(.wrongCall)) = await list.loadNextPage().outcome else {
      Issue.record("the body was sent")
      return
    }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [true, false])
  func `a list never steps down to http by a link`(allowsOtherOrigins: Bool) async {
    let (server, transport) = server { _, page, _ in
      Self.page(page, next: "http://asked.test/rows?page=2")
    }
    let list = list(server, .nextURL(at: "next"), allowsOtherOrigins: allowsOtherOrigins)
    guard case .reachedEnd(.incomplete(let error)) = await list.loadAll() else {
      Issue.record("the list continued")
      return
    }
    #expect("\(error)".contains("never steps down from https to http"))
    #expect(transport.requests.count == 1)
  }

  @Test func `the same host over TLS is the home and gets no credentials`() async {
    let (server, transport) = server(base: "http://asked.test") { _, page, _ in
      Self.page(page, next: page == 1 ? "https://asked.test/rows?page=2" : nil)
    }
    let list = list(server, .nextURL(at: "next"))
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(transport.requests.map(\.url.scheme) == ["http", "https"])
    #expect(secrets(transport, at: "asked.test") == 1)
  }

  @Test func `a custom paging can't leave the home`() async {
    let paging = Paging.custom(
      first: PageKey(.number(1)),
      ask: { key, call in
        if key.place != .number(1) { call.address = "https://other.test/rows" }
      }, facts: { _ in PageFacts(next: .page(PageKey(.number(2)))) })
    let (server, transport) = server { _, page, _ in Self.page(page) }
    let list = list(server, paging)
    _ = await list.loadNextPage().outcome
    guard case .failed(.paging(.otherOrigin)) = await list.loadNextPage().outcome else {
      Issue.record("the list continued")
      return
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `a resumed walk keeps its home`() async throws {
    let (server, transport) = server { host, page, _ in
      if host == "asked.test" { return .redirect(to: "https://home.test/rows?page=\(page)") }
      return page == 3
        ? .redirect(to: "https://asked.test/other") : Self.page(page, next: "?page=\(page + 1)")
    }
    let paging = Paging.nextURL(at: "next")
    let walk = PageWalk(server, call, items: "items", paging: paging)
    _ = try await walk.next()
    let text = try #require(walk.checkpoint?.text)
    let checkpoint = try #require(PageWalk.Checkpoint(text: text))
    let resumed = PageWalk(server, call, items: "items", paging: paging, from: checkpoint)
    #expect(try await resumed.next()?.rows.count == 1)
    await #expect(throws: LoadError.self) { try await resumed.next() }
    #expect(secrets(transport, at: "home.test") == 0)
    #expect(
      transport.requests.map(\.url.host) == ["asked.test", "home.test", "home.test", "home.test"])
  }
}

extension LoadOutcome {
  fileprivate var isSuccess: Bool {
    switch self {
    case .appended, .replaced, .reachedEnd: true
    default: false
    }
  }

  fileprivate var failure: RequestError.Kind? {
    if case .failed(.request(let error)) = self { error.kind } else { nil }
  }
}
