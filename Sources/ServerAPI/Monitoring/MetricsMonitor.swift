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
  public func record(_ event: CallEvent, of call: CallInfo) {
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
