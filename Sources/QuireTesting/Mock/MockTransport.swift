public import ServerAPI

/// A transport without a network: a closure or a script answers, and every request is recorded.
///
/// ```swift
/// let transport = MockTransport { request in .json(page(request.query["page"])) }
///
/// let scripted = MockTransport()
/// scripted.enqueue(.status(503), .json("[]"))               // whatever is asked, in this order
/// scripted.enqueue(.get, "/books", .json("[]"))             // one path
/// ```
///
/// It keeps what ``Quire/Transport`` promises: limits and time limits of the request, pieces for its
/// receiver, progress, cancellation. An answer that nothing holds up comes without a suspension.
/// A request nobody scripted fails and says which one it was.
///
/// The closure runs on the task that sends; a delay belongs into its answer
/// (``MockResponse/held(by:afterBytes:)``, ``MockResponse/delayed(by:afterBytes:)``), where the time
/// limits see it. While an answer is held, one timer of the exchange sleeps on the clock.
public final class MockTransport: Transport {
  private struct State {
    var script = MockScript()
    var requests: [HTTPRequest] = []
  }

  /// The clock of delays and time limits.
  let time: TimeSource
  /// The user that the transport makes known to servers, as with a client certificate.
  public let identity: String?
  private let pieceSize: Int
  private let response: (@Sendable (HTTPRequest) async -> MockResponse)?
  private let state = Awaitable(State())

  /// Makes a transport that plays what is enqueued, and asks a closure where nothing is.
  ///
  /// - Parameters:
  ///   - time: The clock of delays and time limits; give `ManualClock().timeSource` to hold it.
  ///   - pieceSize: How many bytes a receiver gets at once. The default is 16 KiB.
  ///   - identity: The user that the transport makes known to servers. The default is nobody.
  ///   - answer: Answers a request that has nothing enqueued.
  public init(
    time: TimeSource = .system, pieceSize: Int = 16 << 10, identity: String? = nil,
    response: (@Sendable (HTTPRequest) async -> MockResponse)? = nil
  ) {
    precondition(pieceSize > 0, "a piece has at least one byte, not \(pieceSize)")
    self.time = time
    self.identity = identity
    self.pieceSize = pieceSize
    self.response = response
  }

  /// Makes a transport that answers in this order, whatever is asked, and repeats the last answer.
  ///
  /// - Parameters:
  ///   - answers: The answers. Without any, every request fails.
  ///   - identity: The user that the transport makes known to servers. The default is nobody.
  public convenience init(playing responses: [MockResponse], identity: String? = nil) {
    if let last = responses.last {
      self.init(identity: identity) { _ in last }
    } else {
      self.init(identity: identity)
    }
    state.update { $0.script.enqueue(responses) }
  }

  /// Scripts answers for the next requests, whatever they ask.
  public func enqueue(_ responses: MockResponse...) {
    state.update { $0.script.enqueue(responses) }
  }

  /// Scripts answers for requests to one path; with a query in `path` only for that query. They go
  /// before those for any request.
  public func enqueue(_ method: HTTPMethod, _ path: String, _ responses: MockResponse...) {
    state.update { $0.script.enqueue(responses, method, path) }
  }

  /// Every request so far, in the order they came. Those refused as malformed are not among them.
  public var requests: [HTTPRequest] { state.value.requests }

  /// The request of that number, counted from 0, as soon as it has come; throws
  /// `CancellationError` when the calling task is cancelled before.
  public func request(at index: Int) async throws -> HTTPRequest {
    try await state.wait { $0.requests.count > index }
    return state.value.requests[index]
  }

  /// Returns when a request has come that the closure recognizes; throws `CancellationError` when
  /// the calling task is cancelled before.
  public func waitForRequest(
    where matches: @escaping @Sendable (HTTPRequest) -> Bool
  ) async throws {
    try await state.wait { $0.requests.contains(where: matches) }
  }

  /// Answers as scripted.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var player = ResponsePlayer(request, time: time)
    try player.checkEnded()
    try request.checkFields()
    let scripted = state.update { state in
      state.requests.append(request)
      return state.script.take(for: request)
    }
    if let scripted { return try await player.play(scripted, pieceSize: pieceSize) }
    guard let response else {
      throw player.error(.unusable(state.value.script.complaint(about: request)))
    }
    return try await player.play(await response(request), pieceSize: pieceSize)
  }
}

/// The answers that wait for their requests.
struct MockScript: Sendable {
  /// Which requests a queue of answers is for.
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

  /// The next answer for a request: of its path and query, of its path, or the next in order.
  mutating func take(for request: HTTPRequest) -> MockResponse? {
    for target in [request.url.target, request.url.path] {
      let route = Route(method: request.method, target: target)
      if let index = routes.firstIndex(where: { $0.route == route && !$0.responses.isEmpty }) {
        return routes[index].responses.removeFirst()
      }
    }
    return anyRequest.isEmpty ? nil : anyRequest.removeFirst()
  }

  /// Why a request has no answer, with what there would have been answers for.
  func complaint(about request: HTTPRequest) -> String {
    var scripted = routes.map {
      "\($0.route.method) \($0.route.target) (\($0.responses.count) left)"
    }
    if scripted.isEmpty { scripted = ["none"] }
    return "no answer scripted for \(request.method) \(request.url.target); scripted are: "
      + scripted.joined(separator: ", ")
  }
}

extension WebURL {
  /// Path and query, as they stand in the first line of a request.
  var target: String { path + (query.map { "?" + $0 } ?? "") }
}
