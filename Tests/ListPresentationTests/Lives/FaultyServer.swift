import QuireTesting
import ServerAPI
import Support

/// A server on a socket whose rows change, and that damages responses.
final class FaultyServer: Sendable {
  private final class State: Sendable {
    let rows: Lock<[Row]>
    /// What happens to the next responses.
    let damages = Lock<[Damage]>([])

    init(_ rows: [Row]) { self.rows = Lock(rows) }
  }

  /// What a response is instead of a page.
  enum Damage: Sendable {
    case fault(LoopbackFault)
    /// The same fault with another framing.
    case chunked(LoopbackFault)
    case gzipped(LoopbackFault)
    case closing(LoopbackFault)
    case other(LoopbackResponse)
    /// The page, behind a redirect to another address.
    case redirected(status: Int)
  }

  private let state: State
  private let loopback: LoopbackServer

  init(_ rows: [Row]) throws(LoopbackError) {
    let state = State(rows)
    self.state = state
    loopback = try LoopbackServer { request in
      let damage = state.damages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      let page = Self.page(request, state.rows.withLock { $0 })
      switch damage {
      case nil: return page
      case .fault(let fault): return page.failing(fault)
      case .chunked(let fault): return page.chunked(of: 20).failing(fault)
      case .gzipped(let fault): return page.gzipped().failing(fault)
      case .closing(let fault): return page.untilClose().failing(fault)
      case .other(let response): return response
      case .redirected(let status):
        return .redirect(to: "/moved" + request.target, status: status)
      }
    }
  }

  private static func page(_ request: LoopbackRequest, _ rows: [Row]) -> LoopbackResponse {
    let start =
      request.query("offset").flatMap { Int($0) }
      ?? (request.query("page").flatMap { Int($0) } ?? 0) * 3
    let limit = request.query("limit").flatMap { Int($0) } ?? 3
    let json = rows.dropFirst(max(0, start)).prefix(limit).map(\.json).joined(separator: ",")
    return .json(#"{"rows":[\#(json)],"total":\#(rows.count)}"#)
      .with("Cache-Control", "max-age=0").with("ETag", "\"\(json.hashValue)\"")
  }

  var baseURL: String { loopback.baseURL }
  var rows: [Row] { state.rows.withLock { $0 } }

  /// Damages the next response.
  func damage(_ damage: Damage) { state.damages.withLock { $0.append(damage) } }

  /// Damages no more.
  func recover() { state.damages.withLock { $0 = [] } }

  /// Inserts, removes, moves or changes a row.
  func change(_ random: inout SeededGenerator, fresh: Int) {
    state.rows.withLock { $0.change(&random, fresh: fresh) }
  }
}

extension FaultyServer.Damage {
  /// Any damage that ends by itself.
  static func random(_ random: inout SeededGenerator) -> Self {
    let bytes = Int.random(in: 0..<60, using: &random)
    let moment: LoopbackMoment = random.pick(
      .requestRead, .headStarted, .headSent, .bodySent(bytes), .responseSent, .reused)
    let ending: LoopbackFault = random.pick(.close(moment), .reset(moment), .halfClose(moment))
    return random.pick(
      .fault(ending), .chunked(ending), .gzipped(ending), .closing(ending),
      .fault(.lengthTooLong(by: bytes + 1)), .fault(.lengthTooShort(by: bytes % 20 + 1)),
      .fault(.conflictingLengths), .chunked(.badChunkSize), .chunked(.truncatedChunks),
      .gzipped(.truncatedGzip), .gzipped(.brokenGzip), .fault(.garbageStatusLine), .fault(.noHead),
      .fault(.raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}".utf8))),
      .other(.status(500)), .other(.status(503)), .other(.status(404)), .other(.status(204)),
      .other(.status(304)), .other(.html("<html>Log in</html>")), .other(.json("")),
      .other(.json("null")), .other(.json(#"{"rows":[{"id":"#)), .other(.json(#"{"rows":null}"#)),
      .other(.json(#"{"error":"down"}"#)), .other(.json(#"{"rows":[{"no":1}],"total":14}"#)),
      .other(.redirect(to: "/")), .redirected(status: 302), .redirected(status: 307),
      .other(.redirect(to: "http://127.0.0.1:1/")),
      .other(.json("{}").with("Content-Encoding", "gzip")),
      .other(.json("{}").with("Content-Encoding", "nonsense")))
  }
}
