internal import Support
internal import Synchronization

/// A configured client of one service: base address, common headers, settings and a transport.
///
/// ```swift
/// let server = Server("https://api.example.com") {
///   $0.headers["Accept-Language"] = "en"
/// }
/// let response = try await server.send(Call("/books", params: ["page": 2]))
/// ```
///
/// Calls can be sent from any isolation and concurrently. A server handles requests and responses; it knows
/// nothing of items, pages or lists.
///
/// Creating a server is cheap and does no I/O. Copies share what a server learns while it is used: paced
/// hosts, credentials and cookies. There is nothing to shut down. With an invalid base address, every call
/// throws the error.
public struct Server: Sendable {
  let core: ServerCore

  /// The settings.
  public var configuration: Configuration { core.configuration }
  /// The clock of the settings, without a copy of all of them.
  package var time: TimeSource { core.configuration.time }
  /// The memory for the bodies of responses, if it is limited.
  package var memory: MemoryBudget? { core.configuration.memory }
  /// The transport that sends the requests.
  public var transport: any Transport { core.transport }
  /// Grows with each call that may change a resource, when it is sent and when it ends, and with each other write. A read
  /// that was sent at an earlier number may be older than what was written.
  package var writes: Int { core.memory.writes }
  /// The base address, or the error of every call.
  package var base: Result<WebURL, RequestError> { core.base }

  /// Creates a server with a transport. A `base` without a scheme gets ``Configuration/defaultScheme``, which is `https`.
  public init(
    _ base: String, transport: any Transport,
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

  /// Returns a copy with changed settings.
  ///
  /// The copy shares what this server has learned, including cookies, and credentials unless
  /// ``Configuration/authentication`` is changed. Equal reads through the two are sent separately.
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
  /// Counts a write of which the program knows without a call, such as a confirmed edit.
  package func noteWrite() { core.memory.noteWrite() }

  /// Sends a call and returns its response.
  ///
  /// The call ends exactly once: with a response that passed validation, or with an error.
  /// ``HTTPRequest/Timeouts/total`` limits the whole call, except waits for rate limits. Cancelling the task ends the
  /// call at once, in any stage, with ``RequestError/Kind/cancelled(_:)``; other calls that share its exchange
  /// continue.
  public func send(_ call: Call) async throws(RequestError) -> HTTPResponse {
    let start = core.configuration.time.now()
    let pipeline = CallPipeline(core, call, start: start)
    var request: HTTPRequest?
    do throws(RequestError) {
      let prepared = try pipeline.prepare(call)
      request = prepared
      // Stages that run in their own task would notice a cancellation only after their first exchange.
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

  /// Returns the address of a call, with its parameters, or says what is wrong with the call.
  package func address(of call: Call) throws(RequestError) -> WebURL {
    try CallPipeline(core, call, start: .zero).prepare(call).url
  }

  /// Sends a call and passes the body of its response to a receiver, piece by piece.
  ///
  /// The size of the body is unlimited unless the call sets limits. After the first piece the call is not
  /// retried, so the receiver gets each byte once.
  public func stream(
    _ call: Call, to receiver: @escaping @Sendable (_ piece: ResponseBody) async throws -> Void
  ) async throws(RequestError) -> HTTPResponse {
    var call = call
    call.receiver = receiver
    call.limits = call.limits ?? .unlimitedBody
    return try await send(call)
  }
}

/// The storage that all copies of a server share: settings, transport, and learned state.
final class ServerCore: Sendable {
  let configuration: Server.Configuration
  let transport: any Transport
  /// The base address, or why it is invalid.
  let address: Result<WebURL, RequestError>
  /// The base address, or the error of every call: the address or a setting is invalid.
  let base: Result<WebURL, RequestError>
  let memory: ServerMemory
  /// Where recent calls lead, which depends on the base address.
  let targets = KnownTargets()

  init(
    configuration: Server.Configuration, transport: any Transport,
    address: Result<WebURL, RequestError>, memory: ServerMemory
  ) {
    self.configuration = configuration
    self.transport = transport
    self.address = address
    base = configuration.check().map { .failure($0) } ?? address
    self.memory = memory
  }

  /// The reads in flight.
  var flights: SingleFlight { memory.flights }

  var hasInterceptors: Bool {
    !configuration.interceptors.isEmpty || !configuration.networkInterceptors.isEmpty
  }

  /// Whether the current call is made by the provider of credentials.
  var isAskedByItsProvider: Bool {
    guard case .provided(let store)? = configuration.authentication?.source else { return false }
    return store.isCalledByItsProvider
  }
}

/// The state that a server learns while it is used. Its copies share it.
final class ServerMemory: Sendable {
  /// Guards the pauses of hosts and the retry budget.
  private let hosts = Lock((pacer: HostPacer(), budget: RetryBudget()))
  /// Guards the cookies.
  private let jar = Lock(CookieJar())
  private let writeCount = Atomic(0)
  /// The reads in flight, so that a write through one copy counts for the reads of all.
  let flights = SingleFlight()

  /// See ``Server/writes``.
  var writes: Int { writeCount.load(ordering: .acquiring) }

  func noteWrite() { writeCount.add(1, ordering: .releasing) }

  /// Reserves a retry in the budget of a host; see ``RetryBudget``.
  func reserveRetry(
    of url: WebURL, _ policy: RetryPolicy, atMost longest: Duration, now: Duration
  ) -> Duration? {
    hosts.withLock {
      $0.budget.reserve(
        url.origin, perSecond: policy.retriesPerSecond, atMost: longest, now: now)
    }
  }

  func pause(of url: WebURL, now: Duration) -> Duration? {
    hosts.withLock { $0.pacer.pause(of: url, now: now) }
  }

  /// Has later calls wait for which the limit of a response holds.
  func pause(_ url: WebURL, _ scope: RetryPolicy.LimitScope, for wait: Duration, now: Duration) {
    guard scope != .call else { return }
    let place = HostPacer.Place(origin: url.origin, path: scope == .address ? url.path : nil)
    hosts.withLock { $0.pacer.pause(place, for: wait, now: now) }
  }

  func cookieField(for url: WebURL, now: Double) -> String? {
    jar.withLock { $0.field(for: url, now: now) }
  }

  func storeCookies(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    jar.withLock { $0.store(headers, from: url, now: now) }
  }

  var cookieRevision: Int { jar.withLock { $0.revision } }
}
