public import ServerAPI
internal import Support

/// Responds from a ``Cassette``, without a network.
///
/// ```swift
/// let transport = ReplayTransport(try Cassette(path: "Fixtures/books.json"), mode: .strict)
/// ```
///
/// Requests are masked as in the recording and compared by method, URL and body; header fields don't count.
/// Limits, receivers and progress work as with ``MockTransport``.
public struct ReplayTransport: Transport {
  /// How a response is found.
  public enum Mode: Hashable, Sendable {
    /// Requests must arrive in the recorded order; any other request fails with the expected and the received
    /// one.
    case strict
    /// Any order. Equal requests get their responses in the recorded order, and then repeat the last one.
    case byKey
  }

  private final class Deck: Sendable {
    let tape: Lock<ReplayTape>

    init(_ tape: ReplayTape) { self.tape = Lock(tape) }
  }

  private let deck: Deck
  private let redaction: Redaction

  /// Creates a transport that plays a cassette recorded with the same redaction.
  public init(_ cassette: Cassette, mode: Mode, redaction: Redaction = Redaction()) {
    deck = Deck(ReplayTape(cassette, mode: mode))
    self.redaction = redaction
  }

  /// Responds from the cassette, or fails with a description of its contents.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var player = ResponsePlayer(request, time: .system)
    try player.checkEnded()
    try request.checkFields()
    let masked = try redaction.masked(request)
    let found: Result<Cassette.Response, ReplayTape.Mismatch> = deck.tape.withLock { tape in
      Result { () throws(ReplayTape.Mismatch) in try tape.response(to: masked) }
    }
    switch found {
    case .success(let response):
      return try await player.play(MockResponse(response), pieceSize: 16 << 10)
    case .failure(let mismatch): throw player.error(.unusable(mismatch.explanation))
    }
  }
}

extension MockResponse {
  fileprivate init(_ response: Cassette.Response) {
    self.init(
      status: response.status,
      headers: HTTPHeaders(
        response.headers.compactMap { pair in
          pair.count == 2 ? .init(name: pair[0], value: pair[1]) : nil
        }),
      body: ResponseBody(response.body?.bytes ?? []))
  }
}
