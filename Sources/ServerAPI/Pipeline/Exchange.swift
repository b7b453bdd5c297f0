/// One request on its way to the transport and back: credentials, cookies, the interceptors of the
/// network, the last check.
struct Exchange: Sendable {
  let core: ServerCore
  let deadline: Deadline
  let trace: CallTrace?
  /// Whether the call has left its origin, so that nothing secret may be added any more.
  let isTainted: Bool

  /// A request with what is added for one exchange.
  struct Prepared: Sendable {
    var request: HTTPRequest
    /// Whether a provider is still to be asked for credentials.
    var awaitsCredentials = false
    /// The version of the credentials of a provider.
    var version: Int?
    /// Whether something was added since the request was checked.
    var needsCheck = false
  }

  /// Adds what is at hand: fixed credentials and cookies. A field that the call set itself stays as it
  /// is.
  func prepare(_ request: HTTPRequest) -> Prepared {
    var prepared = Prepared(request: request)
    guard !isTainted else { return prepared }
    if let authentication = core.configuration.authentication,
      case .success(let base) = core.base, request.url.origin == base.origin
    {
      switch authentication.source {
      case .fixed(let credential): add(credential, to: &prepared)
      case .provided(let store): prepared.awaitsCredentials = !store.isAskedByItself
      }
    }
    if core.configuration.keepsCookies, request.headers["Cookie"] == nil {
      let now = core.configuration.time.secondsSince1970()
      if let field = core.memory.cookieField(for: request.url, now: now) {
        prepared.request.headers["Cookie"] = field
        prepared.needsCheck = true
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

  @discardableResult
  private func add(_ credential: Credential, to prepared: inout Prepared) -> Bool {
    guard prepared.request.headers[credential.name] == nil else { return false }
    prepared.request.headers[credential.name] = credential.value
    prepared.needsCheck = true
    return true
  }

  /// Sends through the interceptors of the network.
  func send(_ prepared: Prepared) async throws(RequestError) -> HTTPResponse {
    let interceptors = core.configuration.networkInterceptors
    guard !interceptors.isEmpty else {
      let needsCheck = prepared.needsCheck || core.hasInterceptors
      return try await carry(prepared.request, needsCheck: needsCheck)
    }
    return try await InterceptorChain(interceptors: interceptors) {
      (request) async throws(RequestError) -> HTTPResponse in
      try await carry(request, needsCheck: true)
    }(prepared.request)
  }

  private func carry(
    _ request: HTTPRequest, needsCheck: Bool
  ) async throws(RequestError) -> HTTPResponse {
    var request = needsCheck ? try request.validated() : request
    guard !Task.isCancelled else { throw RequestError(.cancelled(.byCaller)) }
    request.timeouts.total = deadline.remaining
    guard request.timeouts.total > .zero else { throw RequestError(.timeout(.total)) }
    trace?.record(.sent(request))
    let response = try await core.transport.send(request)
    trace?.record(.received(response))
    learn(from: response, request.url)
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
