public import ServerAPI
internal import Support

/// The server side of a conformance run for transports that open sockets: a ``LoopbackServer`` for each
/// exchange. The servers stop when the host is released.
public final class LoopbackHost: ConformanceHost {
  /// The servers and reserved ports, kept alive.
  private let servers = Lock<[any Sendable]>([])

  /// Creates a host without servers.
  public init() {}

  /// Starts a server that sends the response.
  public func exchange(_ response: ConformanceResponse) throws -> ConformanceExchange {
    if response.fate == .refused {
      let port = try LoopbackDeadEnd.refusing()
      servers.withLock { $0.append(port) }
      return ConformanceExchange(
        url: try WebURL(port.baseURL), requests: { [] },
        arrival: { throw ConformanceUnavailable("no request arrives where nothing listens") })
    }
    let server = try LoopbackServer { LoopbackResponse(response, to: $0) }
    servers.withLock { $0.append(server) }
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
  fileprivate init(_ response: ConformanceResponse, to request: LoopbackRequest) {
    switch response.body {
    case .bytes(let bytes): self.init(body: .bytes(bytes))
    case .echo: self.init(body: .bytes(Array(request.target.utf8)))
    case .gzippedZeros(let count): self = .bomb(decodedBytes: count)
    }
    status = response.status
    for field in response.headers.fields { self = with(field.name, field.value) }
    for status in response.interim { self = after(status) }
    if response.isChunked { self = chunked(of: 10_000) }
    switch response.fate {
    case .whole, .refused: break
    case .cut(let offset): self = failing(.close(.bodySent(offset)))
    case .silent: self = failing(.stall(.requestRead))
    case .stalled(let offset): self = failing(.stall(.bodySent(offset)))
    }
  }
}

extension TransportConformance {
  /// Creates a run against the transports that the closure creates, with real servers on this machine.
  public init(makeTransport: @escaping @Sendable () -> any Transport) {
    self.init(host: LoopbackHost(), makeTransport: makeTransport)
  }
}
