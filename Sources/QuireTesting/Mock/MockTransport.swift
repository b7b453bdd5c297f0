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
/// (``MockAnswer/held(by:afterBytes:)``, ``MockAnswer/delayed(by:afterBytes:)``), where the time
/// limits see it. While an answer is held, one timer of the exchange sleeps on the clock.
public final class MockTransport: Transport {
  private struct State {
    var script = MockScript()
    var requests: [HTTPRequest] = []
  }

  /// The clock of delays and time limits.
  let time: TimeSource
  private let pieceSize: Int
  private let answer: (@Sendable (HTTPRequest) async -> MockAnswer)?
  private let state = Awaitable(State())

  /// Makes a transport that plays what is enqueued, and asks a closure where nothing is.
  ///
  /// - Parameters:
  ///   - time: The clock of delays and time limits; give `ManualClock().timeSource` to hold it.
  ///   - pieceSize: How many bytes a receiver gets at once. The default is 16 KiB.
  ///   - answer: Answers a request that has nothing enqueued.
  public init(
    time: TimeSource = .system, pieceSize: Int = 16 << 10,
    answer: (@Sendable (HTTPRequest) async -> MockAnswer)? = nil
  ) {
    precondition(pieceSize > 0, "a piece has at least one byte, not \(pieceSize)")
    self.time = time
    self.pieceSize = pieceSize
    self.answer = answer
  }

  /// Scripts answers for the next requests, whatever they ask.
  public func enqueue(_ answers: MockAnswer...) {
    state.update { $0.script.enqueue(answers) }
  }

  /// Scripts answers for requests to one path; with a query in `path` only for that query. They go
  /// before those for any request.
  public func enqueue(_ method: HTTPMethod, _ path: String, _ answers: MockAnswer...) {
    state.update { $0.script.enqueue(answers, method, path) }
  }

  /// Every request so far, in the order they came. Those refused as malformed are not among them.
  public var requests: [HTTPRequest] { state.value.requests }

  /// The request of that number, counted from 0, as soon as it has come; throws
  /// `CancellationError` when the calling task is cancelled before.
  public func request(at index: Int) async throws -> HTTPRequest {
    try await state.wait { $0.requests.count > index }
    return state.value.requests[index]
  }

  /// Returns when a request has come that the closure recognises; throws `CancellationError` when
  /// the calling task is cancelled before.
  public func waitForRequest(
    where matches: @escaping @Sendable (HTTPRequest) -> Bool
  ) async throws {
    try await state.wait { $0.requests.contains(where: matches) }
  }

  /// Answers as scripted.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var player = AnswerPlayer(request, time: time)
    try player.checkEnded()
    try request.checkFields()
    let scripted = state.update { state in
      state.requests.append(request)
      return state.script.take(for: request)
    }
    if let scripted { return try await player.play(scripted, pieceSize: pieceSize) }
    guard let answer else {
      throw player.error(.unusable(state.value.script.complaint(about: request)))
    }
    return try await player.play(await answer(request), pieceSize: pieceSize)
  }
}
