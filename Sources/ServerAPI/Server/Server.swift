/// A configured client of one service: base address, common headers, rules and a transport.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.headers["Accept-Language"] = "en"
/// }
/// let response = try await server.send(Call("/books", params: ["page": 2]))
/// ```
///
/// Calls may be made from anywhere, many at once. It knows requests and answers, and nothing of
/// items, pages or lists.
///
/// Making one costs nothing and does no I/O; copies share what is learnt while it is used (paced
/// hosts, credentials, cookies). There is nothing to shut down. A base address that can't be read
/// shows as the error of every call.
public struct Server: Sendable {
  let core: ServerCore

  /// The rules, as they were set when the server was made.
  public var configuration: Configuration { core.configuration }
  /// What carries the requests.
  public var transport: any Transport { core.transport }
  /// The base address, or why no call can be made.
  package var base: Result<WebURL, RequestError> { core.base }

  /// Describes a service. `base` may lack its scheme, then it gets `https`.
  public init(
    _ base: String, transport: any Transport = CurlTransport.shared,
    configure: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    configure(&configuration)
    let defaultScheme = configuration.defaultScheme
    let address = Result { () throws(RequestError) in
      try WebURL(base, defaultScheme: defaultScheme, place: .baseURL)
    }
    core = ServerCore(
      configuration: configuration, transport: transport, address: address, memory: ServerMemory())
  }

  private init(core: ServerCore) { self.core = core }

  /// The same service under changed rules.
  ///
  /// The copy shares what was learnt, cookies included, and credentials as long as
  /// ``Configuration/authentication`` is left alone. Equal reads of the two don't share exchanges.
  public func with(_ change: (inout Configuration) -> Void) -> Server {
    var configuration = configuration
    change(&configuration)
    return Server(
      core: ServerCore(
        configuration: configuration, transport: transport, address: core.address,
        memory: core.memory))
  }
}
