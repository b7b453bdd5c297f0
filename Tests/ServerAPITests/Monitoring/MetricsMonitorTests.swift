import ServerAPI
import Testing

/// The end of a call with a duration.
private func success(_ total: Duration, wire: Int = 0) throws -> Call.Event {
  var timings = HTTPResponse.Timings()
  timings.total = total
  timings.wireBytes = wire
  return .finished(.success(HTTPResponse(url: try WebURL("https://h/"), timings: timings)))
}

private func failure(_ kind: RequestError.Kind) -> Call.Event {
  .finished(.failure(RequestError(kind)))
}

@Suite struct MetricsMonitorTests {
  @Test func `calls, failures, cancels, retries and bytes are counted by name`() throws {
    let metrics = MetricsMonitor()
    let books = Call.Info(id: 1, name: "books.list")
    for _ in 0..<3 { metrics.record(try success(.milliseconds(20), wire: 100), of: books) }
    metrics.record(failure(.status(500)), of: books)
    metrics.record(failure(.cancelled(.byCaller)), of: books)
    metrics.record(.retrying(attempt: 2, reason: "503", delay: .zero), of: books)
    metrics.record(.joined, of: Call.Info(id: 2, name: "never finished"))
    metrics.record(try success(.milliseconds(1)), of: Call.Info(id: 3, name: "authors.list"))

    let snapshot = metrics.snapshot()
    #expect(snapshot.endpoints.map(\.name) == ["books.list", "authors.list"])
    let endpoint = try #require(snapshot.endpoints.first)
    #expect(endpoint.calls == 5)
    #expect(endpoint.failures == 1)
    #expect(endpoint.cancellations == 1)
    #expect(endpoint.retries == 1)
    #expect(endpoint.wireBytes == 300)
    #expect(endpoint[.total].count == 3)
    #expect(endpoint[.dns].count == 0, "a phase that did not happen is no zero")
  }

  @Test func `endpoints beyond the limit share one entry`() throws {
    let metrics = MetricsMonitor(maximumEndpoints: 2)
    for number in 0..<10 {
      metrics.record(try success(.milliseconds(1)), of: Call.Info(id: 1, name: "/books/\(number)"))
    }
    let counts = metrics.snapshot().endpoints.map { "\($0.name) \($0.calls)" }
    #expect(counts == ["(other) 8", "/books/0 1", "/books/1 1"])
  }

  @Test func `a snapshot prints as a table`() throws {
    let metrics = MetricsMonitor()
    metrics.record(try success(.milliseconds(16)), of: Call.Info(id: 1, name: "books"))
    metrics.record(failure(.offline), of: Call.Info(id: 2, name: "a"))
    #expect(
      metrics.snapshot().description == """
        endpoint  calls  failed  retries      p50      p95      p99      max
        a             1       1        0        –        –        –        –
        books         1       0        0  16.0 ms  16.0 ms  16.0 ms  16.0 ms
        """)
  }
}

@Suite struct MetricsRaceTests {
  @Test func `calls that end on many threads are all counted`() async throws {
    let metrics = MetricsMonitor(maximumEndpoints: 3)
    let event = try success(.milliseconds(2))
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<500 {
            metrics.record(event, of: Call.Info(id: 1, name: "\((task + number) % 5)"))
            if number % 100 == 0 { _ = metrics.snapshot() }
          }
        }
      }
    }
    #expect(metrics.snapshot().endpoints.map(\.calls).reduce(0, +) == 4_000)
  }
}
