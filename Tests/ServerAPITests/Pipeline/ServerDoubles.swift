import QuireTesting
import Support

@testable import ServerAPI

extension MockResponse {
  /// An answer of its parts, in short.
  static func status(_ status: Int, _ headers: HTTPHeaders, _ text: String = "") -> MockResponse {
    MockResponse(status: status, headers: headers, body: ResponseBody(text: text))
  }
}

extension MockTransport {
  /// Answers each request by its number too, counted from zero.
  static func numbered(
    _ answer: @escaping @Sendable (HTTPRequest, Int) -> MockResponse
  ) -> MockTransport {
    let count = Counter()
    return MockTransport { request in answer(request, count.add() - 1) }
  }
}

/// Answers at once, without leaving the caller.
struct InstantTransport: Transport {
  var answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, RequestError>

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try answer(request).get()
  }
}

/// Writes events down in short words.
final class EventRecorder: EventMonitor {
  private let lines = Lock<[(call: UInt64, text: String)]>([])

  /// The events of all calls, in the order they came.
  var events: [String] { lines.withLock { $0.map(\.text) } }

  /// The events of each call.
  var eventsByCall: [[String]] {
    lines.withLock { Dictionary(grouping: $0, by: \.call).values.map { $0.map(\.text) } }
  }

  func record(_ event: CallEvent, of call: CallInfo) {
    let line: String =
      switch event {
      case .created(let request): "created \(request.method)"
      case .joined: "joined"
      case .queued(let wait): "queued \(wait)"
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
  /// How a call ends.
  func outcome(_ call: Call) async -> HTTPResponse.Attempt.Outcome {
    do throws(RequestError) { return .responded(try await send(call).status) } catch {
      return .failed(error.kind)
    }
  }
}
