internal import Support

/// Counts calls and measures their phases for each endpoint, in constant memory.
///
/// ```swift
/// let metrics = MetricsMonitor()
/// let server = Server("https://api.example.com") { $0.monitors = [metrics] }
/// print(metrics.snapshot())
/// ```
///
/// An endpoint is the name of a call: give calls whose paths contain identifiers a ``Call/name``, so that
/// they count as one endpoint.
public final class MetricsMonitor: EventMonitor {
  /// The name under which endpoints beyond the limit are counted.
  package static let overflowName = "(other)"

  private let maximumEndpoints: Int
  /// Guards the numbers; held for a few additions.
  private let endpoints = Lock<[String: MetricsMonitor.Snapshot.Endpoint]>([:])

  /// Creates a monitor. Endpoints after the first `maximumEndpoints` share one entry; each needs up to
  /// 40 KiB.
  public init(maximumEndpoints: Int = 200) {
    self.maximumEndpoints = max(0, maximumEndpoints)
  }

  /// Records retries, waits for rate limits, and the ends of calls.
  public func record(_ event: Call.Event, of call: Call.Info) {
    switch event {
    case .retrying:
      change(call.name) { $0.retries += 1 }
    case .rateLimited:
      change(call.name) { $0.rateLimits += 1 }
    case .finished(let result):
      change(call.name) { $0.record(result) }
    default: break
    }
  }

  /// Returns the current numbers.
  public func snapshot() -> MetricsMonitor.Snapshot {
    MetricsMonitor.Snapshot(endpoints.withLock { Array($0.values) })
  }

  private func change(_ name: String, _ update: (inout MetricsMonitor.Snapshot.Endpoint) -> Void) {
    endpoints.withLock { endpoints in
      let isKnown = endpoints[name] != nil || endpoints.count < maximumEndpoints
      let key = isKnown ? name : Self.overflowName
      update(&endpoints[key, default: MetricsMonitor.Snapshot.Endpoint(name: key)])
    }
  }
}

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

extension MetricsMonitor {
  /// The distribution of durations, in constant memory.
  ///
  /// Buckets grow with the value: sixteen for each doubling, so a percentile is at most 1/32 away from the
  /// exact one, plus the microsecond to which durations are truncated. Durations above an hour share the
  /// last bucket.
  public struct Histogram: Hashable, Sendable {
    /// The number of recorded durations.
    public private(set) var count = 0
    /// The longest duration, exactly.
    public private(set) var maximum = Duration.zero
    /// Empty until the first duration, so that an unused phase costs nothing.
    private var buckets: [Int] = []

    /// Creates an empty histogram.
    package init() {}

    /// Adds a duration; a negative one counts as zero.
    mutating func record(_ duration: Duration) {
      if buckets.isEmpty { buckets = [Int](repeating: 0, count: Self.bucketCount) }
      buckets[Self.bucket(of: Self.microseconds(duration))] += 1
      count += 1
      maximum = max(maximum, duration)
    }

    /// Adds everything that `other` recorded.
    mutating func merge(_ other: MetricsMonitor.Histogram) {
      guard !other.buckets.isEmpty else { return }
      if buckets.isEmpty { buckets = [Int](repeating: 0, count: Self.bucketCount) }
      for index in buckets.indices { buckets[index] += other.buckets[index] }
      count += other.count
      maximum = max(maximum, other.maximum)
    }

    /// Returns the duration that a fraction of all durations, such as `0.95`, do not exceed; `nil` if there
    /// are none.
    public func percentile(_ fraction: Double) -> Duration? {
      guard count > 0 else { return nil }
      let share = fraction.isNaN ? 1 : min(max(fraction, 0), 1)
      let rank = max(1, Int((share * Double(count)).rounded(.up)))
      var passed = 0
      for (index, inBucket) in buckets.enumerated() {
        passed += inBucket
        if passed >= rank { return min(Self.middle(of: index), maximum) }
      }
      return maximum
    }

    private static let steps = 16
    /// 2³² µs are 71 minutes.
    private static let largest = (1 << 32) - 1
    private static let bucketCount = bucket(of: largest) + 1

    /// Below 16, each microsecond has its own bucket; above, the four bits after the leading one decide.
    private static func bucket(of value: Int) -> Int {
      guard value >= steps else { return value }
      let shift = Int.bitWidth - value.leadingZeroBitCount - 5
      return shift * steps + (value >> shift)
    }

    private static func middle(of bucket: Int) -> Duration {
      guard bucket >= 2 * steps else { return .microseconds(bucket) }
      let shift = bucket / steps - 1
      let lowest = (bucket - shift * steps) << shift
      return .microseconds(lowest + (1 << shift) / 2)
    }

    private static func microseconds(_ duration: Duration) -> Int {
      let (seconds, attoseconds) = duration.components
      guard duration > .zero else { return 0 }
      guard seconds < 4_294 else { return largest }
      return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
  }
}
