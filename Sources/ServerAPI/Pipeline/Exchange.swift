internal import Synchronization

/// One request on its way to the transport and back: credentials, cookies, the interceptors of the
/// network, the last check.
struct Exchange: Sendable {
  let core: ServerCore
  let deadline: Deadline
  let trace: CallTrace?
  /// Whether the call has left its origin, so that nothing secret may be added any more.
  let isTainted: Bool
  /// Notes that the service refused the user, where interceptors of the network may hide that.
  let refusal: RefusalNote?

  init(core: ServerCore, deadline: Deadline, trace: CallTrace?, isTainted: Bool) {
    self.core = core
    self.deadline = deadline
    self.trace = trace
    self.isTainted = isTainted
    refusal = core.configuration.networkInterceptors.isEmpty ? nil : RefusalNote()
  }

  /// A request with what is added for one exchange.
  struct Prepared: Sendable {
    var request: HTTPRequest
    /// Whether a provider is still to be asked for credentials.
    var awaitsCredentials = false
    /// The names of the fields with credentials that were added.
    var credentialNames: [String] = []
    /// Whether the cookies are those that the server keeps.
    var hasKeptCookies = false
    /// The version of the credentials of a provider.
    var version: Int?
  }

  /// Adds what is at hand: fixed credentials and cookies. A field that the call set itself stays as it
  /// is.
  func prepare(_ request: HTTPRequest) -> Prepared {
    var prepared = Prepared(request: request)
    guard !isTainted else { return prepared }
    if let authentication = core.configuration.authentication, isAtHome(request.url) {
      switch authentication.source {
      case .fixed(let credential): add(credential, to: &prepared)
      case .provided(let store): prepared.awaitsCredentials = !store.isAskedByItself
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

  /// Adds the credentials of a provider, where they are still missing.
  func addCredentials(to prepared: inout Prepared) async throws(RequestError) {
    guard prepared.awaitsCredentials,
      case .provided(let store)? = core.configuration.authentication?.source
    else { return }
    let provided = try await store.credential(
      until: deadline, limit: core.configuration.timeouts.total)
    prepared.awaitsCredentials = false
    if add(provided.credential, to: &prepared) { prepared.version = provided.version }
  }

  /// Whether an address is at the origin that credentials and the client certificate are for.
  private func isAtHome(_ url: WebURL) -> Bool {
    guard case .success(let base) = core.base else { return false }
    return url.origin == base.origin
  }

  /// Whether the service refused the last credentials of the provider, which has no others since.
  var lastCredentialsWereRefused: Bool {
    guard case .provided(let store)? = core.configuration.authentication?.source else {
      return false
    }
    return store.isRefused
  }

  @discardableResult
  private func add(_ credential: Authentication.Credential, to prepared: inout Prepared) -> Bool {
    guard prepared.request.headers[credential.name] == nil else { return false }
    prepared.request.headers[credential.name] = credential.value
    prepared.credentialNames.append(credential.name)
    return true
  }

  /// Sends through the interceptors of the network.
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
    if let refusal, response.refusesUser { refusal.note() }
    return response
  }

  private func learn(from response: HTTPResponse, _ url: WebURL) {
    let time = core.configuration.time
    if let pause = RateLimit.pause(
      after: response.status, response.headers, now: time.secondsSince1970)
    {
      core.memory.pause(url, for: pause, now: time.now())
    }
    if core.configuration.keepsCookies, !isTainted {
      core.memory.storeCookies(response.headers, from: url, now: time.secondsSince1970())
    }
  }
}

/// Notes once that a service refused the user.
final class RefusalNote: Sendable {
  private let isSet = Atomic(false)

  func note() { isSet.store(true, ordering: .relaxed) }

  var isNoted: Bool { isSet.load(ordering: .relaxed) }
}

extension HTTPResponse {
  /// Whether the service says that this user may not have it. A status of 403 for one who asked too
  /// often says something else.
  var refusesUser: Bool {
    status == 401
      || status == 403 && RateLimit.pause(after: status, headers, now: { 0 }) == nil
  }
}
