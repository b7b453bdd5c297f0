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

/// Finds the response to a request, by the rules of a ``ReplayTransport/Mode``.
struct ReplayTape: Sendable {
  private let exchanges: [Cassette.Exchange]
  private let mode: ReplayTransport.Mode
  /// The number of played requests, in all and for each key.
  private var count = 0
  private var played: [Key: Int] = [:]

  /// The parts that make two requests equal: everything but the header fields.
  private struct Key: Hashable {
    let method: String
    let url: String
    let body: Cassette.Body?

    init(_ request: Cassette.Request) {
      method = request.method
      url = request.url
      body = request.body
    }
  }

  /// An error that describes a request without a recorded response.
  struct Mismatch: Error, Hashable {
    let explanation: String
  }

  init(_ cassette: Cassette, mode: ReplayTransport.Mode) {
    exchanges = cassette.exchanges
    self.mode = mode
  }

  /// Returns the next response. A request that doesn't match leaves the tape unchanged.
  mutating func response(to request: Cassette.Request) throws(Mismatch) -> Cassette.Response {
    switch mode {
    case .strict: try next(request)
    case .byKey: try matching(request)
    }
  }

  private mutating func next(_ request: Cassette.Request) throws(Mismatch) -> Cassette.Response {
    guard count < exchanges.count else {
      throw Mismatch(
        explanation: "the cassette has no exchange left for " + Self.describe(request))
    }
    let expected = exchanges[count]
    guard Key(expected.request) == Key(request) else {
      throw Mismatch(
        explanation: "exchange \(count + 1) of the cassette doesn't match: expected "
          + "\(Self.describe(expected.request)), received \(Self.describe(request))")
    }
    count += 1
    return expected.response
  }

  private mutating func matching(
    _ request: Cassette.Request
  ) throws(Mismatch) -> Cassette.Response {
    let key = Key(request)
    let same = exchanges.filter { Key($0.request) == key }
    guard let last = same.last else {
      let near = exchanges.filter { $0.request.url == request.url }.first ?? exchanges.first
      let hint = near.map { "; it has, for example, " + Self.describe($0.request) } ?? ""
      throw Mismatch(
        explanation: "the cassette has no response for \(Self.describe(request))\(hint)")
    }
    let index = played[key, default: 0]
    played[key] = index + 1
    return index < same.count ? same[index].response : last.response
  }

  private static func describe(_ request: Cassette.Request) -> String {
    let line = "\(request.method) \(request.url)"
    return switch request.body {
    case nil: line
    case .text(let text): line + " with the body “\(text.prefix(200))”"
    case .base64(let text): line + " with the bytes \(text.prefix(200))"
    }
  }
}
