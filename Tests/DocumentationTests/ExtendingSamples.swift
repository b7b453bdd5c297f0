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

  final class Metrics: EventMonitor {
    struct Endpoint {
      var calls = 0
      var failures = 0
      var retries = 0
      var latest: [Duration] = []

      mutating func record(_ event: Call.Event) {
        switch event {
        case .retrying: retries += 1
        case .finished(.success(let response)):
          calls += 1
          latest = latest.suffix(999) + [response.timings.total]
        case .finished(.failure(let error)):
          calls += 1
          if !error.isCancelled { failures += 1 }
        default: break
        }
      }

      func percentile(_ fraction: Double) -> Duration? {
        let sorted = latest.sorted()
        return sorted.isEmpty ? nil : sorted[Int(fraction * Double(sorted.count - 1))]
      }
    }

    let endpoints = Mutex<[String: Endpoint]>([:])

    func record(_ event: Call.Event, of call: Call.Info) {
      endpoints.withLock { $0[call.name, default: Endpoint()].record(event) }
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

  @Test func `a monitor measures endpoints`() async throws {
    let metrics = Metrics()
    let transport = MockTransport(playing: [.text("one"), .status(404)])
    let server = Server("https://api.example.com", transport: transport) {
      $0.monitors = [metrics]
    }
    for _ in 0..<2 { _ = try? await server.send(Call("/books")) }
    let books = try #require(metrics.endpoints.withLock { $0["GET /books"] })
    #expect(books.calls == 2 && books.failures == 1 && books.retries == 0)
    #expect(books.percentile(0.95) == books.latest.first)
  }

  @Test func `several calls are sent a few at a time`() async throws {
    let transport = MockTransport { request in
      request.url.path == "/broken" ? .status(404) : .text(request.url.path)
    }
    let server = Server("https://api.example.com", transport: transport)
    let responses = try await server.all((0..<9).map { Call("/\($0)") })
    #expect(try responses.map { try $0.text() } == (0..<9).map { "/\($0)" })
    await #expect(throws: RequestError.self) {
      try await server.all([Call("/broken"), Call("/1")])
    }
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

extension Server {
  func all(_ calls: [Call], width: Int = 4) async throws -> [HTTPResponse] {
    try await withThrowingTaskGroup(of: (Int, HTTPResponse).self) { group in
      var responses: [Int: HTTPResponse] = [:]
      for (index, call) in calls.enumerated() {
        if index >= width, let (ended, response) = try await group.next() {
          responses[ended] = response
        }
        group.addTask { (index, try await send(call)) }
      }
      for try await (ended, response) in group { responses[ended] = response }
      return calls.indices.compactMap { responses[$0] }
    }
  }
}
