internal import Support

/// What all copies of a server share: rules, transport, and what is learnt.
final class ServerCore: Sendable {
  let configuration: Server.Configuration
  let transport: any Transport
  /// The base address as it was given, or why it can't be read.
  let address: Result<WebURL, RequestError>
  /// The base address, or why no call can be made.
  let base: Result<WebURL, RequestError>
  let memory: ServerMemory
  /// Reads under way. Not shared with a changed copy, whose interceptors may answer differently.
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

  /// Whether the provider of credentials itself is calling.
  var isAskedByItsProvider: Bool {
    guard case .provided(let store)? = configuration.authentication?.source else { return false }
    return store.isAskedByItself
  }
}

/// What a server learns while it is used. Its copies share it.
final class ServerMemory: Sendable {
  /// Guards the pauses of hosts and the budget of retries.
  private let hosts = Lock((pacer: HostPacer(), budget: RetryBudget()))
  /// Guards the cookies.
  private let jar = Lock(CookieJar())

  func noteCall() { hosts.withLock { $0.budget.noteCall() } }

  func takeRetry(now: Duration) -> Bool { hosts.withLock { $0.budget.takeRetry(now: now) } }

  func wait(for url: WebURL, now: Duration) -> Duration {
    hosts.withLock { $0.pacer.wait(for: url, now: now) }
  }

  func pause(_ url: WebURL, for wait: Duration, now: Duration) {
    hosts.withLock { $0.pacer.pause(url.origin, for: wait, now: now) }
  }

  func cookieField(for url: WebURL, now: Double) -> String? {
    jar.withLock { $0.field(for: url, now: now) }
  }

  func storeCookies(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    jar.withLock { $0.store(headers, from: url, now: now) }
  }

  var cookieRevision: Int { jar.withLock { $0.revision } }
}
