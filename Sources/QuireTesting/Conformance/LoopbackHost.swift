public import ServerAPI
internal import Support

/// The other side of a conformance run for transports that open sockets: a ``LoopbackServer`` for
/// each exchange. They stop when the host goes away.
public final class LoopbackHost: ConformanceHost {
  /// Keeps alive what answers.
  private let answering = Lock<[any Sendable]>([])

  /// Makes a host without servers.
  public init() {}

  /// Starts a server that gives the reply.
  public func exchange(_ reply: ConformanceResponse) throws -> ConformanceExchange {
    if reply.fate == .refused {
      let port = try LoopbackDeadEnd.refusing()
      answering.withLock { $0.append(port) }
      return ConformanceExchange(
        url: try WebURL(port.baseURL), requests: { [] },
        arrival: { throw ConformanceUnavailable("nothing arrives where nothing listens") })
    }
    let server = try LoopbackServer { LoopbackResponse(reply, to: $0) }
    answering.withLock { $0.append(server) }
    return ConformanceExchange(
      url: try WebURL(server.baseURL),
      requests: { server.requests.map(ConformanceRequest.init) },
      arrival: { _ = try await server.request(at: 0) })
  }
}

extension ConformanceRequest {
  fileprivate init(_ request: LoopbackRequest) {
    self.init(
      method: request.method, target: request.target,
      headers: request.headers.map { .init(name: $0.name, value: $0.value) }, body: request.body)
  }
}

extension LoopbackResponse {
  fileprivate init(_ reply: ConformanceResponse, to request: LoopbackRequest) {
    switch reply.body {
    case .bytes(let bytes): self.init(body: .bytes(bytes))
    case .echo: self.init(body: .bytes(Array(request.target.utf8)))
    case .gzippedZeros(let count): self = .bomb(decodedBytes: count)
    }
    status = reply.status
    for field in reply.headers.fields { self = with(field.name, field.value) }
    for status in reply.interim { self = after(status) }
    if reply.isChunked { self = chunked(of: 10_000) }
    switch reply.fate {
    case .whole, .refused: break
    case .cut(let offset): self = failing(.close(.bodySent(offset)))
    case .silent: self = failing(.stall(.requestRead))
    case .stalled(let offset): self = failing(.stall(.bodySent(offset)))
    }
  }
}

extension TransportConformance {
  /// Prepares a run against the transports that the closure makes, with real servers on this
  /// machine.
  public init(makeTransport: @escaping @Sendable () -> any Transport) {
    self.init(host: LoopbackHost(), makeTransport: makeTransport)
  }
}
