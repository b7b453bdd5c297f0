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
