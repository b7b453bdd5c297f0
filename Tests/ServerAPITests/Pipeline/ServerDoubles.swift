import QuireTesting
import Support

@testable import ServerAPI

extension MockResponse {
  /// Creates a response from its parts.
  static func status(_ status: Int, _ headers: HTTPHeaders, _ text: String = "") -> MockResponse {
    MockResponse(status: status, headers: headers, body: ResponseBody(text: text))
  }
}

extension MockTransport {
  /// Responds to each request and its number, counted from zero.
  static func numbered(
    _ respond: @escaping @Sendable (HTTPRequest, Int) -> MockResponse
  ) -> MockTransport {
    let count = Counter()
    return MockTransport { request in respond(request, count.add() - 1) }
  }

  /// Serves so many requests in each second of a clock, and refuses the others until the next one.
  static func limited(to most: Int, _ clock: ManualClock) -> MockTransport {
    let requests = Lock<[Int: Int]>([:])
    return MockTransport { _ in
      let second = Int(clock.now.offset / .seconds(1))
      let number = requests.withLock { requests in
        requests[second, default: 0] += 1
        return requests[second, default: 0]
      }
      return number > most ? .status(429, ["Retry-After": "1"]) : .status(200)
    }
  }
}

/// Responds at once, in the caller's task.
struct InstantTransport: Transport {
  var respond: @Sendable (HTTPRequest) -> Result<HTTPResponse, RequestError>

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try respond(request).get()
  }
}

/// Records events as short texts.
final class EventRecorder: EventMonitor {
  private let lines = Lock<[(call: UInt64, text: String)]>([])

  /// The events of all calls, in order.
  var events: [String] { lines.withLock { $0.map(\.text) } }

  /// The events of each call.
  var eventsByCall: [[String]] {
    lines.withLock { Dictionary(grouping: $0, by: \.call).values.map { $0.map(\.text) } }
  }

  func record(_ event: Call.Event, of call: Call.Info) {
    let line: String =
      switch event {
      case .created(let request): "created \(request.method)"
      case .joined: "joined"
      case .queued(let wait): "queued \(wait)"
      case .rateLimited(let wait): "rate limited \(wait)"
      case .paced(let wait): "paced \(wait)"
      case .sent(let request): "sent \(request.url.path)"
      case .redirected(let status, let url): "redirected \(status) \(url.path)"
      case .retrying(let attempt, let reason, let delay): "retrying \(attempt) \(reason) \(delay)"
      case .served(let response, _): "served \(response.status)"
      case .received(let response): "received \(response.status)"
      case .finished(.success(let response)): "finished \(response.status)"
      case .finished(.failure(let error)): "failed \(error.kind)"
      }
    lines.withLock { $0.append((call.id, line)) }
  }
}

extension Server {
  /// Sends a call and returns its outcome.
  func outcome(_ call: Call) async -> HTTPResponse.Attempt.Outcome {
    do throws(RequestError) { return .responded(try await send(call).status) } catch {
      return .failed(error.kind)
    }
  }
}
