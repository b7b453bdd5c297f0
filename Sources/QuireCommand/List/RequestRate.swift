internal import Quire
internal import Support

/// A limit on the number of requests per time.
struct RequestRate: Hashable, Sendable {
  /// The minimum time between the starts of two requests.
  let interval: Duration

  /// Parses `5`, `5/s`, `100/min` or `1000/h`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let units = ["s": 1.0, "sec": 1, "m": 60, "min": 60, "h": 3600]
    guard let count = Double(parts[0]), count > 0, count <= 1e6, parts.count <= 2,
      let unit = units[parts.count == 2 ? String(parts[1]) : "s"]
    else {
      throw UsageError(
        "--rate must be a number of requests per s, min or h, as in 5/s, found “\(text)”")
    }
    interval = .seconds(unit / count)
  }
}

/// Delays requests, including retries, to keep within a rate.
final class PacedTransport: Transport {
  private let base: any Transport
  private let interval: Duration
  private let time: TimeSource
  /// The earliest start of the next request.
  private let nextStart = Lock(Duration.zero)

  init(_ base: any Transport, _ rate: RequestRate, time: TimeSource = .system) {
    self.base = base
    interval = rate.interval
    self.time = time
  }

  var identity: String? { base.identity }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let now = time.now()
    let start = nextStart.withLock { next in
      let start = max(next, now)
      next = start + interval
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
