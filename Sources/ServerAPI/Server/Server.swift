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

extension Server {
  /// Makes one call and returns its answer.
  ///
  /// The call ends exactly once: with an answer that passed validation, or with an error that says
  /// why not. ``Timeouts/total`` covers everything in between. Cancelling the task ends the call
  /// with ``RequestError/Kind/cancelled(_:)`` at once, in whatever stage it is; where others share
  /// its exchange, theirs goes on.
  public func send(_ call: Call) async throws(RequestError) -> HTTPResponse {
    let start = core.configuration.time.now()
    let pipeline = CallPipeline(core, call, start: start)
    var request: HTTPRequest?
    do throws(RequestError) {
      let prepared = try pipeline.prepare(call)
      request = prepared
      // Stages that run in a task of their own would not see it before their first exchange.
      guard !Task.isCancelled else { throw RequestError(.cancelled(.byCaller)) }
      var response = try await pipeline.inTime(prepared)
      response.timings.total = core.configuration.time.now() - start
      pipeline.trace?.finish(.success(response))
      return response
    } catch {
      var error = error
      error.timings.total = core.configuration.time.now() - start
      if error.request.isEmpty, let request { error.request = request.summary }
      pipeline.trace?.finish(.failure(error))
      throw error
    }
  }

  /// Makes one call and hands the body of its answer over piece by piece.
  ///
  /// The size of the body is not limited unless the call says so. Once a piece was handed over the
  /// call is not tried again, so the receiver sees each byte once.
  public func stream(
    _ call: Call, to receiver: @escaping HTTPRequest.BodyReceiver
  ) async throws(RequestError) -> HTTPResponse {
    var call = call
    call.receiver = receiver
    call.limits = call.limits ?? .unlimitedBody
    return try await send(call)
  }
}
