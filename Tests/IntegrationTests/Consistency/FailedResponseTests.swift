import Foundation
import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Responses with status 200 that say that they failed, or that they have some of the rows only.
@Suite(.timeLimit(.minutes(1))) struct FailedResponseTests {
  private static let size = 5

  private static func page(_ number: Int, of pages: Int, _ more: String = "") -> String {
    let first = (number - 1) * size
    let rows = (first..<first + size).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    return #"{"items":[\#(rows)],"pages":\#(pages)\#(more)}"#
  }

  /// Responds to page 2 with `second` for the first `times` requests.
  private static func transport(
    _ second: String, times: Int = .max, requests: Counter = Counter()
  ) -> MockTransport {
    MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let isFailing = number == 2 && requests.next() <= times
      return .json(isFailing ? second : page(number, of: 3)).headers([
        "Cache-Control": "max-age=600"
      ])
    }
  }

  private static func server(_ transport: MockTransport, _ cache: HTTPCache? = nil) -> Server {
    Server("https://test", transport: transport) {
      $0.cache = cache
      $0.retry.baseDelay = .zero
    }
  }

  private static func walk(
    _ server: Server, _ consistency: Consistency.Level = .seams
  ) -> PageWalk {
    PageWalk(
      server, "/rows", items: "items", paging: .pageNumber(endsBy: .pageCount(.body("pages"))),
      consistency: consistency)
  }

  @Test(arguments: [
    #"{"ok":false,"error":"invalid_auth"}"#, #"{"items":[],"errors":[{"message":"invalid_auth"}]}"#,
    #"{"status":"error","message":"invalid_auth"}"#,
  ])
  func `a page that says that it failed fails the walk with the message of the server`(
    json: String
  ) async throws {
    let requests = Counter()
    let walk = Self.walk(Self.server(Self.transport(json, requests: requests)))
    _ = try await walk.next()
    let error = await #expect(throws: LoadError.self) { _ = try await walk.next() }
    #expect("\(try #require(error))".contains("invalid_auth"))
    #expect(walk.end == nil && walk.pages == 1)
    #expect(requests.value == 1, "a permanent failure is not retried")
  }

  @Test(arguments: [
    #"{"ok":false,"error":"ratelimited"}"#, #"{"error":{"code":503,"message":"no"}}"#,
    #"{"success":false,"message":"Please try again later"}"#,
    #"{"errors":[{"message":"Service temporarily unavailable"}]}"#,
  ])
  func `a temporary failure is retried`(json: String) async throws {
    let requests = Counter()
    let walk = Self.walk(Self.server(Self.transport(json, times: 2, requests: requests)))
    var rows = 0
    while let page = try await walk.next() { rows += page.rows.count }
    #expect(rows == 15 && walk.end == .complete)
    #expect(requests.value == 3)
  }

  @Test(arguments: [true, false])
  func `nothing of a failed response is stored`(onDisk: Bool) async throws {
    try await withStore(onDisk) { store in
      let cache = HTTPCache(store)
      let failing = Self.server(Self.transport(#"{"ok":false,"error":"no"}"#), cache)
      let walk = Self.walk(failing)
      _ = try await walk.next()
      await #expect(throws: LoadError.self) { _ = try await walk.next() }
      await store.flush()
      #expect(await cache.contents().map(\.address).count == 1)
      let working = Self.walk(Self.server(Self.transport("", times: 0), cache))
      while try await working.next() != nil {}
      #expect(working.end == .complete)
      await store.flush()
      #expect(await cache.contents().count == 3)
    }
  }

  @Test func `a failed response that another call stored is requested again`() async throws {
    let cache = HTTPCache()
    let server = Self.server(Self.transport(#"{"ok":false,"error":"no"}"#, times: 1), cache)
    _ = try await server.send(Call("/rows", params: ["page": 2]))
    let walk = Self.walk(server)
    while try await walk.next() != nil {}
    #expect(walk.end == .complete)
  }

  @MainActor @Test func `a response that the rules of a list refuse is not stored`() async throws {
    final class Rules: BaseServerAPI {
      override func validate(_ response: HTTPResponse) throws(RequestError) {
        if response.body.utf8Text?.contains(#""code":7"#) == true {
          throw RequestError(.business(code: "7", message: "no"))
        }
      }
    }
    let cache = HTTPCache()
    let server = Self.server(Self.transport(#"{"code":7,"items":[]}"#), cache)
    let list = ListModel<Row>(
      server, "/rows", items: "items", paging: .pageNumber(endsBy: .pageCount(.body("pages")))
    ) { $0.rules = Rules(server) }
    _ = await list.refresh().outcome
    guard case .failed = await list.loadNextPage().outcome else {
      Issue.record("the page joined the list")
      return
    }
    #expect(await cache.contents().count == 1)
  }

  @Test(arguments: Consistency.Level.allCases)
  func `a partial page keeps its rows, and the list may lack some`(
    level: Consistency.Level
  ) async throws {
    for more in [
      #","timed_out":true"#, #","errors":[{"message":"a shard failed"}]"#,
      #","_shards":{"failed":1}"#, #","incomplete_results":true"#,
    ] {
      let walk = Self.walk(Self.server(Self.transport(Self.page(2, of: 3, more))), level)
      var rows = 0
      while let page = try await walk.next() { rows += page.rows.count }
      #expect(rows == 15)
      guard case .incomplete(.missingRows(let reason))? = walk.end else {
        Issue.record("\(more): \(String(describing: walk.end))")
        continue
      }
      #expect(reason.contains("a part of the rows"))
      #expect(
        walk.consistency.claim <= Consistency.Claim.mayLack(atMost: nil), "\(walk.consistency)")
    }
  }

  @MainActor @Test func `a list that got a partial page ends as incomplete`() async throws {
    let server = Self.server(Self.transport(Self.page(2, of: 3, #","timed_out":true"#)))
    let list = ListModel<Row>(
      server, "/rows", items: "items", paging: .pageNumber(endsBy: .pageCount(.body("pages"))))
    _ = await list.refresh().outcome
    while case .appended = await list.loadNextPage().outcome {}
    #expect(list.rows.count == 15)
    guard case .paging(.missingRows)? = list.error else {
      Issue.record("\(String(describing: list.error))")
      return
    }
    #expect(list.consistency.claim <= Consistency.Claim.mayLack(atMost: nil))
  }

  @MainActor @Test func `an empty first page with errors is no list`() async throws {
    let transport = MockTransport { _ in .json(#"{"items":[],"errors":["a bad day"]}"#) }
    let list = ListModel<Row>(Self.server(transport), "/rows", paging: .automatic)
    guard case .failed(let error) = await list.refresh().outcome else {
      Issue.record("the page joined the list")
      return
    }
    #expect("\(error)".contains("a bad day"))
  }

  @Test func `a loop over an endpoint has the words of the endpoint`() async throws {
    var endpoint = Endpoint<Row>(
      "/rows", at: "items", paging: .pageNumber(endsBy: .pageCount(.body("pages"))))
    let second = #"{"items":[],"pages":3,"state":"broken"}"#
    endpoint.failures.add("state", "broken")
    let server = Self.server(Self.transport(second))
    let items = server.items(endpoint)
    await #expect(throws: LoadError.self) { for try await _ in items {} }
    #expect(items.count == 5)
  }
}

private struct Row: Decodable, Identifiable, Sendable { let id: Int }

/// Counts from 1.
private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

private func withStore(
  _ onDisk: Bool, _ body: (any CacheStore) async throws -> Void
) async throws {
  guard onDisk else { return try await body(MemoryCacheStore()) }
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "quire-failed-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(SQLiteCacheStore(folder: folder))
}
