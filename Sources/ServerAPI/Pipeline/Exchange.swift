internal import Synchronization

/// One exchange: adds credentials and cookies, runs the network interceptors and the last validation, and
/// sends the request.
struct Exchange: Sendable {
  let core: ServerCore
  let deadline: Deadline
  let trace: CallTrace?
  /// What a limit that the response reports holds for.
  let limitScope: RetryPolicy.LimitScope
  /// Whether the call has left its origin, so that no secrets may be added any more.
  let isTainted: Bool
  /// Records that the service rejected the user, since network interceptors may hide it.
  let rejection: RejectionFlag?

  init(_ loop: ExchangeLoop, isTainted: Bool) {
    core = loop.core
    deadline = loop.deadline
    trace = loop.trace
    limitScope = loop.rules.retry.limitScope
    self.isTainted = isTainted
    rejection = core.configuration.networkInterceptors.isEmpty ? nil : RejectionFlag()
  }

  /// A request with the additions for one exchange.
  struct Prepared: Sendable {
    var request: HTTPRequest
    /// Whether credentials of a provider are still missing.
    var awaitsCredentials = false
    /// The names of the added credential fields.
    var credentialNames: [String] = []
    /// Whether the cookies are those of the server's cookie jar.
    var hasKeptCookies = false
    /// The version of the provider's credentials.
    var version: Int?
  }

  /// Adds fixed credentials and cookies, which are available at once. Fields of the call are not replaced.
  func prepare(_ request: HTTPRequest) -> Prepared {
    var prepared = Prepared(request: request)
    guard !isTainted else { return prepared }
    if let authentication = core.configuration.authentication, isAtHome(request.url) {
      switch authentication.source {
      case .fixed(let credential): add(credential, to: &prepared)
      case .provided(let store): prepared.awaitsCredentials = !store.isCalledByItsProvider
      }
    }
    if core.configuration.keepsCookies, request.headers["Cookie"] == nil {
      let now = core.configuration.time.secondsSince1970()
      if let field = core.memory.cookieField(for: request.url, now: now) {
        prepared.request.headers["Cookie"] = field
        prepared.hasKeptCookies = true
      }
    }
    return prepared
  }

  /// Adds the credentials of a provider, if they are still missing.
  func addCredentials(to prepared: inout Prepared) async throws(RequestError) {
    guard prepared.awaitsCredentials, let store else { return }
    let provided = try await store.credential(
      until: deadline, limit: core.configuration.timeouts.total)
    prepared.awaitsCredentials = false
    if add(provided.credential, to: &prepared) { prepared.version = provided.version }
  }

  /// Whether an address has the origin of the base address, which gets credentials and the client certificate.
  private func isAtHome(_ url: WebURL) -> Bool {
    guard case .success(let base) = core.base else { return false }
    return url.origin == base.origin
  }

  /// Whether the service rejected the provider's last credentials and there are no newer ones.
  var lastCredentialsWereRejected: Bool { store?.isRejected ?? false }

  /// Records that the request is sent with credentials of the provider, if it has some.
  func recordUse(of prepared: Prepared) {
    if let version = prepared.version { store?.recordUse(of: version) }
  }

  /// Records that the server accepted the provider's credentials of the request, if it has some.
  func recordAcceptance(of prepared: Prepared) {
    if let version = prepared.version { store?.recordAcceptance(of: version) }
  }

  /// The credentials of a provider.
  private var store: CredentialStore? {
    guard case .provided(let store)? = core.configuration.authentication?.source else { return nil }
    return store
  }

  @discardableResult
  private func add(_ credential: Authentication.Credential, to prepared: inout Prepared) -> Bool {
    guard prepared.request.headers[credential.name] == nil else { return false }
    prepared.request.headers[credential.name] = credential.value
    prepared.credentialNames.append(credential.name)
    return true
  }

  /// Sends the request through the network interceptors.
  func send(_ prepared: Prepared) async throws(RequestError) -> HTTPResponse {
    let interceptors = core.configuration.networkInterceptors
    guard !interceptors.isEmpty else { return try await carry(prepared.request) }
    return try await InterceptorChain(interceptors: interceptors) {
      (request) async throws(RequestError) -> HTTPResponse in
      try await carry(request)
    }(prepared.request)
  }

  private func carry(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    var request = request
    try request.validate()
    guard !Task.isCancelled else { throw RequestError(.cancelled(.byCaller)) }
    request.allowsClientCertificate = !isTainted && isAtHome(request.url)
    request.timeouts.total = deadline.remaining
    guard request.timeouts.total > .zero else { throw RequestError(.timeout(.total)) }
    trace?.record(.sent(request))
    let response = try await core.transport.send(request)
    trace?.record(.received(response))
    learn(from: response, request.url)
    if let rejection, response.rejectsUser { rejection.set() }
    return response
  }

  private func learn(from response: HTTPResponse, _ url: WebURL) {
    let time = core.configuration.time
    let limit = RateLimit(response.status, response.headers, now: time.secondsSince1970)
    if let wait = limit.wait {
      core.memory.pause(url, limitScope, for: wait, now: time.now())
    }
    if core.configuration.keepsCookies, !isTainted {
      core.memory.storeCookies(response.headers, from: url, now: time.secondsSince1970())
    }
  }
}

/// Records that a service rejected the user.
final class RejectionFlag: Sendable {
  private let flag = Atomic(false)

  func set() { flag.store(true, ordering: .relaxed) }

  var isSet: Bool { flag.load(ordering: .relaxed) }
}

extension HTTPResponse {
  /// Whether the response shows that the service accepted the credentials of the request. A failing or busy
  /// service may not have looked at them.
  var acceptsCredentials: Bool { status < 500 && status != 401 && status != 429 }

  /// Whether the service denies this user access. A 403 for a rate limit does not.
  var rejectsUser: Bool {
    status == 401
      || status == 403 && !RateLimit(status, headers, now: { 0 }).isLimit
  }
}
