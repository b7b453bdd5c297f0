public import ServerAPI

/// A transport without a network: a closure or a script responds, and every request is recorded.
///
/// ```swift
/// let transport = MockTransport { request in .json(page(request.query["page"])) }
///
/// let scripted = MockTransport()
/// scripted.enqueue(.status(503), .json("[]"))               // for any request, in this order
/// scripted.enqueue(.get, "/books", .json("[]"))             // for one path
/// ```
///
/// It keeps the contract of ``Quire/Transport``: limits and timeouts of the request, pieces for its receiver,
/// progress and cancellation. A response that is neither delayed nor held arrives without suspending the
/// caller. A request without a scripted response fails with an error that names it.
///
/// The closure runs on the task that sends. Put a delay into its response
/// (``MockResponse/held(by:afterBytes:)``, ``MockResponse/delayed(by:afterBytes:)``), where timeouts
/// apply to it. While a response is held, the exchange has one timer on the clock.
public final class MockTransport: Transport {
  private struct State {
    var script = MockScript()
    var requests: [HTTPRequest] = []
  }

  /// The clock of delays and timeouts.
  let time: TimeSource
  /// The user that the transport authenticates as, for example with a client certificate.
  public let identity: String?
  private let pieceSize: Int
  private let response: (@Sendable (HTTPRequest) async -> MockResponse)?
  private let state = Awaitable(State())

  /// Creates a transport that plays enqueued responses, and calls a closure if there are none.
  ///
  /// - Parameters:
  ///   - time: The clock of delays and timeouts; pass `ManualClock().timeSource` to control it.
  ///   - pieceSize: The number of bytes that a receiver gets at once. The default is 16 KiB.
  ///   - identity: The user that the transport authenticates as. The default is none.
  ///   - response: Responds to a request that has no enqueued response.
  public init(
    time: TimeSource = .system, pieceSize: Int = 16 << 10, identity: String? = nil,
    response: (@Sendable (HTTPRequest) async -> MockResponse)? = nil
  ) {
    precondition(pieceSize > 0, "pieceSize must be at least 1, not \(pieceSize)")
    self.time = time
    self.identity = identity
    self.pieceSize = pieceSize
    self.response = response
  }

  /// Creates a transport that plays the given responses in order, for any request, and repeats the last one.
  ///
  /// - Parameters:
  ///   - responses: The responses. If empty, every request fails.
  ///   - identity: The user that the transport authenticates as. The default is none.
  public convenience init(playing responses: [MockResponse], identity: String? = nil) {
    if let last = responses.last {
      self.init(identity: identity) { _ in last }
    } else {
      self.init(identity: identity)
    }
    state.update { $0.script.enqueue(responses) }
  }

  /// Enqueues responses for the next requests of any kind.
  public func enqueue(_ responses: MockResponse...) {
    state.update { $0.script.enqueue(responses) }
  }

  /// Enqueues responses for requests to one path; if `path` has a query, only for that query. They take
  /// precedence over those for any request.
  public func enqueue(_ method: HTTPMethod, _ path: String, _ responses: MockResponse...) {
    state.update { $0.script.enqueue(responses, method, path) }
  }

  /// All requests so far, in order of arrival, except those rejected as malformed.
  public var requests: [HTTPRequest] { state.value.requests }

  /// Returns the request with a number, counted from 0, as soon as it has arrived; throws
  /// `CancellationError` if the calling task is cancelled first.
  public func request(at index: Int) async throws -> HTTPRequest {
    try await state.wait { $0.requests.count > index }
    return state.value.requests[index]
  }

  /// Waits for a request that matches the closure; throws `CancellationError` if the calling task is
  /// cancelled first.
  public func waitForRequest(
    where matches: @escaping @Sendable (HTTPRequest) -> Bool
  ) async throws {
    try await state.wait { $0.requests.contains(where: matches) }
  }

  /// Sends the scripted response.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var player = ResponsePlayer(request, time: time)
    try player.checkEnded()
    try request.checkFields()
    let scripted = state.update { state in
      state.requests.append(request)
      return state.script.dequeue(for: request)
    }
    if let scripted { return try await player.play(scripted, pieceSize: pieceSize) }
    guard let response else {
      throw player.error(.unusable(state.value.script.problem(with: request)))
    }
    return try await player.play(await response(request), pieceSize: pieceSize)
  }
}

/// The enqueued responses.
struct MockScript: Sendable {
  /// The requests that a queue of responses is for.
  private struct Route: Hashable {
    let method: HTTPMethod
    /// A path, or a path with its query.
    let target: String
  }

  private var routes: [(route: Route, responses: [MockResponse])] = []
  private var anyRequest: [MockResponse] = []

  mutating func enqueue(_ responses: [MockResponse]) { anyRequest += responses }

  mutating func enqueue(_ responses: [MockResponse], _ method: HTTPMethod, _ target: String) {
    let route = Route(method: method, target: target)
    guard let index = routes.firstIndex(where: { $0.route == route }) else {
      return routes.append((route, responses))
    }
    routes[index].responses += responses
  }

  /// Removes the next response for a request: for its path and query, for its path, or for any request.
  mutating func dequeue(for request: HTTPRequest) -> MockResponse? {
    for target in [request.url.target, request.url.path] {
      let route = Route(method: request.method, target: target)
      if let index = routes.firstIndex(where: { $0.route == route && !$0.responses.isEmpty }) {
        return routes[index].responses.removeFirst()
      }
    }
    return anyRequest.isEmpty ? nil : anyRequest.removeFirst()
  }

  /// Describes why a request has no response, with the enqueued ones.
  func problem(with request: HTTPRequest) -> String {
    var scripted = routes.map {
      "\($0.route.method) \($0.route.target) (\($0.responses.count) left)"
    }
    if scripted.isEmpty { scripted = ["none"] }
    return "no response scripted for \(request.method) \(request.url.target); scripted: "
      + scripted.joined(separator: ", ")
  }
}

extension WebURL {
  /// Path and query, as in a request line.
  var target: String { path + (query.map { "?" + $0 } ?? "") }
}
