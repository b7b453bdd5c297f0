internal import Support

/// The storage that all copies of a server share: settings, transport, and learned state.
final class ServerCore: Sendable {
  let configuration: Server.Configuration
  let transport: any Transport
  /// The base address, or why it is invalid.
  let address: Result<WebURL, RequestError>
  /// The base address, or the error of every call: the address or a setting is invalid.
  let base: Result<WebURL, RequestError>
  let memory: ServerMemory
  /// The reads in flight. A changed copy has its own, since its interceptors may respond differently.
  let flights = SingleFlight()

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

  /// Reserves a retry in the budget of a host; see ``RetryBudget``.
  func reserveRetry(
    of url: WebURL, _ policy: RetryPolicy, atMost longest: Duration, now: Duration
  ) -> Duration? {
    hosts.withLock {
      $0.budget.reserve(
        url.origin, perSecond: policy.retriesPerSecond, atMost: longest, now: now)
    }
  }

  func pause(of url: WebURL, now: Duration) -> HostPacer.Pause? {
    hosts.withLock { $0.pacer.pause(of: url, now: now) }
  }

  func pause(_ url: WebURL, for wait: Duration, isLimit: Bool, now: Duration) {
    hosts.withLock { $0.pacer.pause(url.origin, for: wait, isLimit: isLimit, now: now) }
  }

  func cookieField(for url: WebURL, now: Double) -> String? {
    jar.withLock { $0.field(for: url, now: now) }
  }

  func storeCookies(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    jar.withLock { $0.store(headers, from: url, now: now) }
  }

  var cookieRevision: Int { jar.withLock { $0.revision } }
}
