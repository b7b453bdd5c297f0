internal import ServerAPI

/// The other side of a conformance run without a network: its ``transport`` is a mock that plays
/// the replies.
///
/// Use it for a transport that wraps another one:
///
/// ```swift
/// let host = InMemoryHost()
/// let report = await TransportConformance(host: host) { MyWrapper(host.transport) }.run()
/// ```
///
/// Nothing travels: chunks make no difference, and the case about interim answers is not applicable.
public final class InMemoryHost: ConformanceHost {
  /// Carries requests to the replies.
  public let transport: MockTransport
  private let replies: Awaitable<[String: ConformanceResponse]>

  /// Makes a host without replies.
  public init() {
    let replies = Awaitable<[String: ConformanceResponse]>([:])
    self.replies = replies
    transport = MockTransport { request in
      let name = request.url.path.split(separator: "/").first.map(String.init) ?? ""
      guard let reply = replies.value[name] else {
        return .failure(.unusable("no exchange at \(request.url.path)"))
      }
      return MockResponse(reply, to: request)
    }
  }

  /// Sets up an address of its own.
  public func exchange(_ reply: ConformanceResponse) throws -> ConformanceExchange {
    if !reply.interim.isEmpty {
      throw ConformanceUnavailable("a mock has no wire on which interim heads travel")
    }
    let name = replies.update { replies in
      let name = "exchange-\(replies.count)"
      replies[name] = reply
      return name
    }
    let transport = transport
    let isOurs: @Sendable (HTTPRequest) -> Bool = { $0.url.path.hasPrefix("/\(name)/") }
    return ConformanceExchange(
      url: try WebURL("http://in-memory.test/\(name)/"),
      requests: { try transport.requests.filter(isOurs).map(ConformanceRequest.init) },
      arrival: { try await transport.waitForRequest(where: isOurs) })
  }
}

extension ConformanceRequest {
  fileprivate init(_ request: HTTPRequest) throws {
    self.init(
      method: request.method.rawValue, target: request.url.target,
      headers: request.headers.fields, body: try request.body?.bytes() ?? [])
  }
}

extension MockResponse {
  fileprivate init(_ reply: ConformanceResponse, to request: HTTPRequest) {
    self.init(status: reply.status, headers: reply.headers)
    switch reply.body {
    case .bytes(let bytes): body = ResponseBody(bytes)
    case .echo: body = ResponseBody(text: request.url.target)
    case .gzippedZeros(let count):
      body = ResponseBody(repeatElement(0, count: count))
      wireBytes = count / 1_000
    }
    switch reply.fate {
    case .whole: break
    case .refused: self = .failure(.connectRefused)
    case .cut(let offset): self = cut(afterBytes: offset)
    case .silent: self = held(by: Gate())
    case .stalled(let offset): self = held(by: Gate(), afterBytes: offset)
    }
  }
}
