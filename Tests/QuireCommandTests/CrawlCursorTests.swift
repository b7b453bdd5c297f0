import Foundation
import QuireTesting
import Testing

/// Cursors that expire while a crawl reads on, or while it is stopped.
@Suite(.timeLimit(.minutes(2))) struct CrawlCursorTests {
  private static let rows = ServedRows(count: 100)

  /// A server whose cursors name their page and the age in which they were made. `@unchecked`: guarded by its lock.
  private final class Aging: @unchecked Sendable {
    private let lock = NSLock()
    private var age = 0
    private var requests = 0
    /// The numbers of the requests before which all cursors expire.
    let expiries: Set<Int>
    let status: Int

    init(_ expiries: Set<Int>, status: Int = 410) {
      (self.expiries, self.status) = (expiries, status)
    }

    func expire() { lock.withLock { age += 1 } }

    func respond(_ request: LoopbackRequest) -> LoopbackResponse {
      lock.withLock {
        requests += 1
        if expiries.contains(requests) { age += 1 }
        var page = 1
        if let parts = request.query("cursor")?.split(separator: "-"), parts.count == 3 {
          guard parts[2] == "\(age)" else { return .status(status) }
          page = Int(parts[1]) ?? 1
        }
        let next = page < 5 ? #""p-\#(page + 1)-\#(age)""# : "null"
        return CrawlCursorTests.rows.page(number: page, #""next":\#(next)"#)
      }
    }
  }

  @Test(arguments: [400, 404, 410, 416, 422])
  func `an expired cursor goes back to the start and drops known rows`(_ status: Int) async throws {
    let aging = Aging([4], status: status)
    let server = try LoopbackServer { aging.respond($0) }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "next")
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == Self.rows.ids)
    #expect(result.errors.contains("the server refused cursors or links that it had sent"))
    // Three pages, two refusals, and all five pages.
    #expect(server.requestCount == 10)
  }

  @Test func `a walk gets a new cursor from the page before a refused one`() async throws {
    let refused = CrawlFaultsTests.Seen()
    let served = Self.rows
    let server = try LoopbackServer { request in
      let parts = request.query("cursor")?.split(separator: "-") ?? []
      let page = parts.first.flatMap { Int($0) } ?? 1
      if page == 4, refused.isFirst(4) { return .status(410) }
      let stamp = refused.isFirst(100 + page) ? "a" : "b"
      return served.page(
        number: page, page < 5 ? #""next":"\#(page + 1)-\#(stamp)""# : #""next":null"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "next")
    #expect(result.status == 0 && ids(result.output) == served.ids, "\(result.errors)")
    #expect(server.requestCount == 7)
  }

  @Test func `a cursor that is refused again and again fails the crawl`() async throws {
    let served = Self.rows
    let server = try LoopbackServer { request in
      request.query("cursor") == nil
        ? served.page(number: 1, #""next":"k""#) : .status(410)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "next")
    #expect(result.status == 2, "\(result.errors)")
    #expect(ids(result.output) == Array(served.ids.prefix(20)))
    #expect(result.errors.contains("the server responded with 410"))
    #expect(server.requestCount <= 4)
    let unknown = try await QuireProcess.run(
      "crawl", server.baseURL, "--cursor", "next", "--id", "none")
    #expect(unknown.status == 2 && ids(unknown.output) == Array(served.ids.prefix(20)))
  }

  @Test func `a crawl that resumes with an expired cursor starts over and drops known rows`()
    async throws
  {
    let aging = Aging([])
    let server = try LoopbackServer { aging.respond($0) }
    let folder = try TemporaryFolder()
    let words = ["crawl", server.baseURL, "--cursor", "next", "--resume", folder.file("state")]
    let first = try QuireProcess(words + ["--max-pages", "3"], appendingTo: folder.file("rows"))
    #expect(await first.end().status == 3)
    aging.expire()
    let second = try QuireProcess(words, appendingTo: folder.file("rows"))
    let result = await second.end()
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(folder.text("rows")) == Self.rows.ids)
  }

  /// A server of five pages whose last page has this cursor, which it doesn't know: it starts over, or has no rows.
  private func server(end cursor: String, startsOver: Bool) throws -> LoopbackServer {
    try LoopbackServer { request in
      let page = request.query("cursor").map { Int($0.dropFirst()) ?? 0 } ?? 1
      let known = request.query("cursor").map { $0.hasPrefix("p") } ?? true
      guard known || startsOver else { return .json(#"{"rows":[],"next":\#(cursor)}"#) }
      let number = known ? page : 1
      return Self.rows.page(
        number: number, #""next":\#(number < 5 ? #""p\#(number + 1)""# : cursor)"#)
    }
  }

  private static let ends = ["0", #""0""#, "-1", #""null""#, #""end""#]

  @Test(arguments: ends)
  func `a declared end cursor ends the list`(_ cursor: String) async throws {
    let server = try server(end: cursor, startsOver: true)
    // The text and the number are the same value, and a text needs no quotes.
    for value in [cursor, cursor.filter { $0 != "\"" }] where value != "null" {
      let before = server.requestCount
      let result = try await QuireProcess.run(
        "crawl", server.baseURL, "--cursor", "next", "--end", "cursor:\(value)")
      #expect(result.status == 0, "\(value): \(result.errors)")
      #expect(ids(result.output) == Self.rows.ids)
      #expect(server.requestCount == before + 5)
    }
  }

  @Test(arguments: ends, [false, true])
  func `an end cursor that is not declared proves nothing and makes no circle`(
    _ cursor: String, _ startsOver: Bool
  ) async throws {
    let server = try server(end: cursor, startsOver: startsOver)
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "next", "--stats")
    #expect(ids(result.output) == Self.rows.ids, "\(result.errors)")
    #expect(result.status == (startsOver ? 3 : 0), "\(result.errors)")
    #expect(
      [#""consistency":"may-lack""#, #""consistency":"unproven""#].contains(
        where: result.errors.contains), "\(result.errors)")
    #expect(server.requestCount < 40)
  }
}
