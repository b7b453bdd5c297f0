import Foundation
import Quire
import QuireTesting
import Synchronization
import Testing

/// The samples of “Extending Quire”, in their order.
@Suite struct ExtendingSamples {
  enum Trace {
    @TaskLocal static var id = "none"
  }

  struct TraceHeader: Interceptor {
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
      var traced = request
      traced.headers["X-Trace"] = Trace.id
      return try await next(traced)
    }
  }

  struct SlowCalls: EventMonitor {
    let report: @Sendable (String) -> Void

    func record(_ event: Call.Event, of call: Call.Info) {
      guard case .finished(.success(let response)) = event else { return }
      if response.timings.total > .seconds(1) { report("\(call.name): \(response.timings.total)") }
    }
  }

  struct Counting: Transport {
    let base: any Transport
    let count: @Sendable () -> Void

    var identity: String? { base.identity }

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      count()
      return try await base.send(request)
    }
  }

  private let marked = Paging.custom { key, call in
    if case .after(.string(let mark)) = key.place { call.headers["X-Mark"] = mark }
  } facts: { page in
    guard let mark = page.response.headers["X-Next-Mark"] else { return PageFacts(next: .end) }
    return PageFacts(next: .page(PageKey(.after(.string(mark)))))
  }

  @Test func `interceptors and monitors see what a program does`() async throws {
    let reports = Mutex<[String]>([])
    let clock = ManualClock()
    let transport = MockTransport { request in
      clock.advance(by: .seconds(2))
      return .text(request.headers["X-Trace"] ?? "")
    }
    let server = Server("https://api.example.com", transport: transport) {
      $0.time = clock.timeSource
      $0.interceptors = [TraceHeader()]
      $0.monitors = [SlowCalls { text in reports.withLock { $0.append(text) } }]
    }
    let text = try await Trace.$id.withValue("7") {
      try await server.send(Call("/books")).text()
    }
    #expect(text == "7")
    #expect(reports.withLock { $0 } == ["GET /books: 2.0 seconds"])
  }

  @Test func `a transport wraps another one, and keeps its promises`() async {
    let host = InMemoryHost()
    let report = await TransportConformance(host: host) {
      Counting(base: host.transport) {}
    }.run()
    #expect(report.failures.isEmpty, "\(report)")
  }

  @Test func `a paging of one's own sends and reads headers`() async throws {
    struct Book: Decodable, Identifiable { var id: Int }
    let transport = MockTransport { request in
      let page = Int(request.headers["X-Mark"] ?? "0") ?? 0
      return MockResponse.json(#"[{"id":\#(page)}]"#)
        .headers(page < 3 ? ["X-Next-Mark": "\(page + 1)"] : [:])
    }
    let server = Server("https://api.example.com", transport: transport)
    var ids: [Int] = []
    for try await book in server.items(Book.self, "/books", paging: marked) { ids.append(book.id) }
    #expect(ids == [0, 1, 2, 3])
  }
}
