extension MetricsMonitor {
  /// The numbers of a ``MetricsMonitor`` at one moment. Its description is a table.
  public struct Snapshot: Hashable, Sendable, CustomStringConvertible {
    /// The endpoints, most called first.
    public let endpoints: [Endpoint]

    init(_ endpoints: [Endpoint]) {
      self.endpoints = endpoints.sorted { ($1.calls, $0.name) < ($0.calls, $1.name) }
    }

    /// One line for each endpoint: counts, and the total duration of calls.
    public var description: String {
      let head = ["endpoint", "calls", "failed", "retries", "p50", "p95", "p99", "max"]
      let rows = endpoints.map { endpoint -> [String] in
        let total = endpoint[.total]
        let percentiles = [0.5, 0.95, 0.99].map { total.percentile($0)?.text ?? "–" }
        let counts = [endpoint.calls, endpoint.failures, endpoint.retries].map { "\($0)" }
        return [endpoint.name] + counts + percentiles + [total.count > 0 ? total.maximum.text : "–"]
      }
      let table = [head] + rows
      let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
      return table.map { row in
        row.enumerated().map { column, text in
          let space = String(repeating: " ", count: widths[column] - text.count)
          return column == 0 ? text + space : space + text
        }.joined(separator: "  ")
      }.joined(separator: "\n")
    }
  }
}

extension MetricsMonitor.Snapshot {
  /// A measured phase of a call.
  public enum Phase: Int, Hashable, Sendable, CaseIterable {
    /// See ``HTTPResponse/Timings/queue``.
    case queue
    /// See ``HTTPResponse/Timings/dns``.
    case dns
    /// See ``HTTPResponse/Timings/connect``.
    case connect
    /// See ``HTTPResponse/Timings/tls``.
    case tls
    /// See ``HTTPResponse/Timings/send``.
    case send
    /// See ``HTTPResponse/Timings/wait``.
    case wait
    /// See ``HTTPResponse/Timings/receive``.
    case receive
    /// See ``HTTPResponse/Timings/decode``.
    case decode
    /// See ``HTTPResponse/Timings/deliver``.
    case deliver
    /// See ``HTTPResponse/Timings/total``.
    case total

    func duration(in timings: HTTPResponse.Timings) -> Duration {
      switch self {
      case .queue: timings.queue
      case .dns: timings.dns
      case .connect: timings.connect
      case .tls: timings.tls
      case .send: timings.send
      case .wait: timings.wait
      case .receive: timings.receive
      case .decode: timings.decode
      case .deliver: timings.deliver
      case .total: timings.total
      }
    }
  }

  /// The numbers of one endpoint.
  public struct Endpoint: Hashable, Sendable {
    /// The name of its calls.
    public let name: String
    /// Calls that ended, with any outcome.
    public internal(set) var calls = 0
    /// Calls that failed, without cancelled ones.
    public internal(set) var failures = 0
    /// Calls that were cancelled.
    public internal(set) var cancellations = 0
    /// Exchanges that retried a failed one.
    public internal(set) var retries = 0
    /// Waits for rate limits of the server.
    public internal(set) var rateLimits = 0
    /// Body bytes received on the wire.
    public internal(set) var wireBytes = 0
    private var phases = [MetricsMonitor.Histogram](
      repeating: MetricsMonitor.Histogram(), count: Phase.allCases.count)

    init(name: String) { self.name = name }

    /// The distribution of a phase's durations, over the calls that had it: name resolution, for example, is
    /// only part of calls with a new connection.
    public subscript(phase: Phase) -> MetricsMonitor.Histogram { phases[phase.rawValue] }

    mutating func record(_ result: Result<HTTPResponse, RequestError>) {
      calls += 1
      let timings: HTTPResponse.Timings
      switch result {
      case .success(let response):
        timings = response.timings
      case .failure(let error):
        timings = error.timings
        if case .cancelled = error.kind { cancellations += 1 } else { failures += 1 }
      }
      wireBytes += timings.wireBytes
      for phase in Phase.allCases {
        let duration = phase.duration(in: timings)
        if duration > .zero { phases[phase.rawValue].record(duration) }
      }
    }
  }
}
