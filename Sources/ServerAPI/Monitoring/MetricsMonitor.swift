internal import Support

/// Counts calls and measures their phases, endpoint by endpoint, in constant memory.
///
/// ```swift
/// let metrics = MetricsMonitor()
/// let server = Server("https://api.example.com") { $0.monitors = [metrics] }
/// print(metrics.snapshot())
/// ```
///
/// The key is the name of the call: give calls whose paths hold identifiers a ``Call/name``, so
/// that they count as one endpoint.
public final class MetricsMonitor: EventMonitor {
  /// The name under which endpoints beyond the limit are counted.
  public static let overflowName = "(other)"

  private let maximumEndpoints: Int
  /// Guards the numbers; held for a few additions.
  private let endpoints = Lock<[String: MetricsMonitor.Snapshot.Endpoint]>([:])

  /// Counts nothing yet. Endpoints after the first `maximumEndpoints` share one entry; each takes
  /// up to 40 KiB.
  public init(maximumEndpoints: Int = 200) {
    self.maximumEndpoints = max(0, maximumEndpoints)
  }

  /// Takes note of retries and of the end of a call.
  public func record(_ event: CallEvent, of call: CallInfo) {
    switch event {
    case .retrying:
      change(call.name) { $0.retries += 1 }
    case .finished(let result):
      change(call.name) { $0.record(result) }
    default: break
    }
  }

  /// The numbers as they are now.
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
