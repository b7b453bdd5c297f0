public import ServerAPI
internal import Support

/// Answers from a ``Cassette``, without a network.
///
/// ```swift
/// let transport = ReplayTransport(try Cassette(path: "Fixtures/books.json"), mode: .strict)
/// ```
///
/// Requests are masked as they were when recorded and compared by method, address and body; fields
/// do not count. Limits, receivers and progress work as with ``MockTransport``.
public struct ReplayTransport: Transport {
  /// How an answer is found.
  public enum Mode: Hashable, Sendable {
    /// The requests must come as they were recorded, one after the other; anything else is an error
    /// that shows what was expected and what came.
    case strict
    /// Any order. Equal requests get their answers in the order of the recording, and the last one
    /// from then on.
    case byKey
  }

  private final class Deck: Sendable {
    let tape: Lock<ReplayTape>

    init(_ tape: ReplayTape) { self.tape = Lock(tape) }
  }

  private let deck: Deck
  private let redaction: Redaction

  /// Plays a cassette that was recorded with the same redaction.
  public init(_ cassette: Cassette, mode: Mode, redaction: Redaction = Redaction()) {
    deck = Deck(ReplayTape(cassette, mode: mode))
    self.redaction = redaction
  }

  /// Answers from the cassette, or fails with what it has instead.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var player = ResponsePlayer(request, time: .system)
    try player.checkEnded()
    try request.checkFields()
    let masked = try redaction.masked(request)
    let found: Result<Cassette.Response, ReplayTape.Mismatch> = deck.tape.withLock { tape in
      Result { () throws(ReplayTape.Mismatch) in try tape.answer(to: masked) }
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
