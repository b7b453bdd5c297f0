internal import ServerAPI

/// The server side of a conformance run without a network: its ``transport`` is a mock that plays the
/// responses.
///
/// Use it for a transport that wraps another one:
///
/// ```swift
/// let host = InMemoryHost()
/// let report = await TransportConformance(host: host) { MyWrapper(host.transport) }.run()
/// ```
///
/// There is no wire: chunks make no difference, and the case about interim responses is not applicable.
public final class InMemoryHost: ConformanceHost {
  /// The mock transport that plays the responses.
  public let transport: MockTransport
  private let responses: Awaitable<[String: ConformanceResponse]>

  /// Creates a host without responses.
  public init() {
    let responses = Awaitable<[String: ConformanceResponse]>([:])
    self.responses = responses
    transport = MockTransport { request in
      let name = request.url.path.split(separator: "/").first.map(String.init) ?? ""
      guard let response = responses.value[name] else {
        return .failure(.unusable("no exchange at \(request.url.path)"))
      }
      return MockResponse(response, to: request)
    }
  }

  /// Sets up a separate URL for a response.
  public func exchange(_ response: ConformanceResponse) throws -> ConformanceExchange {
    if !response.interim.isEmpty {
      throw ConformanceUnavailable("a mock has no wire for interim heads")
    }
    let name = responses.update { responses in
      let name = "exchange-\(responses.count)"
      responses[name] = response
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
  fileprivate init(_ response: ConformanceResponse, to request: HTTPRequest) {
    self.init(status: response.status, headers: response.headers)
    switch response.body {
    case .bytes(let bytes): body = ResponseBody(bytes)
    case .echo: body = ResponseBody(text: request.url.target)
    case .gzippedZeros(let count):
      body = ResponseBody(repeatElement(0, count: count))
      wireBytes = count / 1_000
    }
    switch response.fate {
    case .whole: break
    case .refused: self = .failure(.connectRefused)
    case .cut(let offset): self = cut(afterBytes: offset)
    case .silent: self = held(by: Gate())
    case .stalled(let offset): self = held(by: Gate(), afterBytes: offset)
    }
  }
}
