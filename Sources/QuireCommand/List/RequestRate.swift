internal import Quire
internal import Support

/// How many requests may be made in a time.
struct RequestRate: Hashable, Sendable {
  /// From one request to the next.
  let interval: Duration

  /// Reads `5`, `5/s`, `100/min` or `1000/h`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let units = ["s": 1.0, "sec": 1, "m": 60, "min": 60, "h": 3600]
    guard let count = Double(parts[0]), count > 0, count <= 1e6, parts.count <= 2,
      let unit = units[parts.count == 2 ? String(parts[1]) : "s"]
    else { throw UsageError("--rate is a number of requests per s, min or h, found “\(text)”") }
    interval = .seconds(unit / count)
  }
}

/// Holds requests back, retries included, so that they keep a rate.
final class PacedTransport: Transport {
  private let base: any Transport
  private let interval: Duration
  private let time: TimeSource
  /// When the next request may go.
  private let free = Lock(Duration.zero)

  init(_ base: any Transport, _ rate: RequestRate, time: TimeSource = .system) {
    self.base = base
    interval = rate.interval
    self.time = time
  }

  var identity: String? { base.identity }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let now = time.now()
    let start = free.withLock { free in
      let start = max(free, now)
      free = start + interval
      return start
    }
    if start > now {
      do {
        try await time.sleep(start - now)
      } catch {
        throw RequestError(.cancelled(.byCaller))
      }
    }
    return try await base.send(request)
  }
}
