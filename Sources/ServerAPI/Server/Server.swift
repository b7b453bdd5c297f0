/// A configured client of one service: base address, common headers, rules and a transport.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.headers["Accept-Language"] = "en"
/// }
/// let response = try await server.send(Call("/books", params: ["page": 2]))
/// ```
///
/// Making one costs nothing and does no I/O; copies share what is learnt while it is used (paced
/// hosts, credentials, cookies). There is nothing to shut down. A base address that can't be read
/// shows as the error of every call.
public struct Server: Sendable {
  /// The rules, as they were set when the server was made.
  public let configuration: Configuration
  /// What carries the requests.
  public let transport: any Transport
  /// The base address, or why it can't be read.
  let base: Result<WebURL, RequestError>

  /// Describes a service. `base` may lack its scheme, then it gets `https`.
  public init(
    _ base: String, transport: any Transport,
    configure: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    configure(&configuration)
    self.configuration = configuration
    self.transport = transport
    let defaultScheme = configuration.defaultScheme
    self.base = Result { () throws(RequestError) in
      try WebURL(base, defaultScheme: defaultScheme, place: .baseURL)
    }
  }
}
