import Foundation
import QuireTesting
import Testing

/// Faults of a server that go away: a crawl has every row all the same.
@Suite(.timeLimit(.minutes(5))) struct CrawlFaultsTests {
  /// A response in place of the second page, the first time.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: LoopbackResponse

    init(_ name: String, _ response: LoopbackResponse) {
      (testDescription, self.response) = (name, response)
    }

    init(_ fault: LoopbackFault) { self.init("\(fault)", page(2).failing(fault)) }

    init(status: Int) { self.init("status \(status)", .status(status)) }
  }

  static let rows = ServedRows(count: 60)

  static func page(_ number: Int) -> LoopbackResponse {
    rows.page(number: number, #""page":\#(number),"total_pages":3,"total":60"#)
  }

  static let faults: [Fault] =
    [500, 502, 503, 504, 507, 520, 524, 530, 599].map { Fault(status: $0) }
    + [
      Fault("an empty body", .json("")), Fault("no content", .status(204)),
      Fault("half of the JSON", .json(#"{"rows":[{"id":21},{"id":"#)),
      Fault("a web page", .html("<html>Sign in</html>")),
      Fault("an error under 200", .json(#"{"error":{"code":17,"message":"try again"}}"#)),
      Fault(.close(.requestRead)), Fault(.close(.headStarted)), Fault(.close(.bodySent(20))),
      Fault(.reset(.headSent)), Fault(.garbageStatusLine), Fault(.noHead),
      Fault(.lengthTooLong(by: 9)), Fault(.badChunkSize), Fault(.truncatedChunks),
      Fault(.truncatedGzip), Fault(.brokenGzip), Fault(.conflictingLengths),
    ]

  @Test(arguments: faults)
  func `a fault of one response is mended`(_ fault: Fault) async throws {
    let server = try LoopbackServer { Self.page($0.number("page") ?? 1) }
    for words in [[], ["--body", "{}"]] {
      server.enqueue(Self.page(1), fault.response)
      let result = try await QuireProcess.run(
        ["crawl", server.baseURL, "--paging", "page", "--total", "total", "--stats"] + words)
      #expect(result.status == 0, "\(result.errors)")
      #expect(ids(result.output) == Self.rows.ids)
      #expect(result.errors.contains(#""retries":1"#), "\(result.errors)")
    }
  }

  @Test func `a fault is not mended without retries`() async throws {
    let server = try LoopbackServer { Self.page($0.number("page") ?? 1) }
    for response in [LoopbackResponse.json(""), .status(500), .html("<p>")] {
      server.enqueue(Self.page(1), response)
      let result = try await QuireProcess.run(
        "crawl", server.baseURL, "--paging", "page", "--total", "total", "--retries", "0")
      #expect(
        result.status == 2 && ids(result.output) == Array(Self.rows.ids.prefix(20)),
        "\(result.errors)")
    }
  }

  @Test func `a stalled response takes a part of the time`() async throws {
    let server = try LoopbackServer { Self.page($0.number("page") ?? 1) }
    server.enqueue(Self.page(1), Self.page(2).failing(.stall(.bodySent(20))))
    let result = try await QuireProcess.run("crawl", server.baseURL, "--timeout", "2", "--stats")
    #expect(result.status == 0 && ids(result.output) == Self.rows.ids, "\(result.errors)")
    let always = try LoopbackServer { _ in Self.page(1).failing(.stall(.bodySent(20))) }
    let failed = try await QuireProcess.run("crawl", always.baseURL, "--timeout", "1")
    #expect(failed.status == 2)
    #expect(
      failed.errors.contains("the response stopped after 20 bytes of the body, "),
      "\(failed.errors)")
    #expect(failed.errors.contains("after the request; retry after idle timeout"))
  }

  @Test func `each page has its own retries, and their rate has an option`() async throws {
    let seen = Seen()
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      guard !seen.isFirst(number) else { return .status(503) }
      return ServedRows(count: 1_000).page(
        number: number, #""page":\#(number),"total_pages":50,"total":1000"#)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--retries", "1", "--retry-rate", "1000", "--stats")
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == ServedRows(count: 1_000).ids)
    #expect(result.errors.contains(#""retries":50"#))
    let failing = try LoopbackServer { _ in .status(503) }
    let spent = try await QuireProcess.run(
      "crawl", failing.baseURL, "--retries", "9", "--retry-rate", "1", "--timeout", "1")
    #expect(spent.status == 2)
    #expect(
      spent.errors.contains(
        "the limit of 1 retry per second for this host is used up; raise --retry-rate"),
      "\(spent.errors)")
  }

  @Test func `a limit beyond the time left names server, length and end`() async throws {
    for status in [403, 429, 503] {
      let server = try LoopbackServer { _ in .status(status).with("Retry-After", "3600") }
      let result = try await QuireProcess.run("crawl", server.baseURL)
      #expect(result.status == 2)
      #expect(
        result.errors.contains(
          "can't load page 1 (GET \(server.baseURL)/): the server responded with \(status)"
            + " and asked to wait 60 min, until "
        ), "\(result.errors)")
      #expect(result.errors.contains(" GMT; use --wait SECONDS to wait that long, or use --resume"))
    }
  }

  @Test func `--wait waits for limits and pauses beyond the time limit`() async throws {
    let server = try LoopbackServer { Self.page($0.number("page") ?? 1) }
    server.enqueue(
      .status(503).with("Retry-After", "2"), Self.page(1), .status(429).with("Retry-After", "2"))
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--timeout", "1", "--wait", "5")
    #expect(result.status == 0 && ids(result.output) == Self.rows.ids, "\(result.errors)")
    server.enqueue(.status(503).with("Retry-After", "2"))
    let short = try await QuireProcess.run(
      "crawl", server.baseURL, "--timeout", "1", "--wait", "1")
    #expect(short.status == 2 && short.errors.contains("asked to wait 2 s"), "\(short.errors)")
  }

  /// The pages that were requested. `@unchecked`: guarded by its lock.
  final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var pages: Set<Int> = []

    func isFirst(_ page: Int) -> Bool { lock.withLock { pages.insert(page).inserted } }
  }
}
