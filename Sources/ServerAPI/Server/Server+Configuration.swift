extension Server {
  /// The settings of a server. Every property has a safe default; most programs set one or two.
  public struct Configuration: Sendable {
    /// The scheme of a base address without one.
    public var defaultScheme = "https"
    /// Header fields of every call. They go only to the origin of the base address.
    public var headers: HTTPHeaders = [:]
    /// Parameters of every call, always in the query. They go only to the origin of the base address.
    public var params: Params = [:]
    /// How arrays are encoded in a query or a form.
    public var arrayEncoding = Params.ArrayEncoding.repeated
    /// The time limits of a call.
    public var timeouts = HTTPRequest.Timeouts()
    /// The size limits of a response.
    public var limits = HTTPRequest.Limits()
    /// The expected media type of responses. The default is any.
    public var content = Call.ContentPolicy.any
    /// Detects an error of the service in a response.
    public var businessCheck: Call.BusinessCheck?
    /// How failed exchanges are retried.
    public var retry = RetryPolicy()
    /// How redirects are followed.
    public var redirects = RedirectPolicy()
    /// Limits how many requests are sent per time. The default is no limit.
    public var pace: (any RequestPacing)? {
      get { boxedPace?.value }
      set { boxedPace = newValue.map { Boxed($0) } }
    }
    /// In a box, since calls copy the settings.
    private var boxedPace: Boxed<any RequestPacing>?
    /// The source of credentials.
    public var authentication: Authentication?
    /// Whether cookies are kept, in memory and for the origin that set them. The default is `false`.
    public var keepsCookies = false
    /// Stores and serves responses. The default is none.
    public var cache: HTTPCache?
    /// How calls use the cache by default. With ``CacheMode/cacheOnly`` no call uses the network, whatever its own mode
    /// is.
    public var cacheMode = CacheMode.standard
    /// The owner of the responses in the cache, for example the name of the signed-in user. A response for
    /// one user is never served to another. Without a name, users are separated by a digest of all header
    /// fields that may identify them and of the client certificate, so that new credentials start with an
    /// empty cache.
    public var cachePartition: String?
    /// Whether equal reads in flight share one exchange. The default is `true`. A read never shares one that started
    /// before the end of a call that may have changed its address.
    public var sharesReads = true
    /// Called once per call, outside of retries and redirects; the first one is the outermost.
    public var interceptors: [any Interceptor] = []
    /// Called once per exchange, including every retry and redirect.
    public var networkInterceptors: [any Interceptor] = []
    /// Notified of each step of a call.
    public var monitors: [any EventMonitor] = []
    /// The memory for the bodies of responses, all calls together; `nil` for no limit but ``limits``.
    package var memory: MemoryBudget?
    /// The clocks.
    public var time = TimeSource.system
    /// Returns numbers in `0 ..< 1` for the jitter of retries.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Creates the default settings.
    package init() {}
  }
}

extension Server.Configuration {
  /// Returns the mode of a call: its own, or the usual one. A server that never uses the network doesn't use it for any
  /// call, whatever that asks for.
  package func cacheMode(of call: Call) -> CacheMode {
    cacheMode == .cacheOnly ? .cacheOnly : call.cache ?? cacheMode
  }

  /// Returns the error that every call will throw if a setting is invalid or contradicts another one; `nil` if
  /// all are valid. Runs once per server.
  func check() -> RequestError? {
    if let defect = settingsDefect { return defect }
    do {
      for field in headers.fields { try HTTPRequest.check(field) }
    } catch {
      return error
    }
    return nil
  }

  private var settingsDefect: RequestError? {
    if defaultScheme != "http", defaultScheme != "https" {
      return contradiction("defaultScheme is “\(defaultScheme)”, expected http or https")
    }
    if let name = authentication?.fieldName, headers[name] != nil {
      return contradiction(
        "credentials are set twice: authentication and headers[\"\(name)\"]; remove one")
    }
    if keepsCookies, headers["Cookie"] != nil {
      return contradiction(
        "cookies are set twice: keepsCookies and headers[\"Cookie\"]; remove one")
    }
    if cachePartition == "" {
      return contradiction("cachePartition is empty, expected a name or nil")
    }
    if cache != nil, !networkInterceptors.isEmpty, cachePartition == nil {
      return contradiction(
        "a cache with networkInterceptors needs cachePartition, since they may add credentials"
          + " after the cache lookup; set it to the name of the user")
    }
    if let defect = (pace as? RequestPace)?.defect { return contradiction(defect) }
    return timeouts.defect ?? limits.defect ?? retry.defect ?? redirects.defect ?? content.defect
  }
}

extension Authentication {
  /// The header field of the credentials; for a provider, the most common one.
  fileprivate var fieldName: String {
    if case .fixed(let credential) = source { credential.name } else { "Authorization" }
  }
}

extension Call {
  /// The error for the first invalid setting of the call.
  var settingsDefect: RequestError? {
    timeouts?.defect ?? limits?.defect ?? retry?.defect ?? redirects?.defect ?? content?.defect
      ?? weightDefect ?? cacheDefect
  }

  private var weightDefect: RequestError? {
    weight >= 0 && weight.isFinite
      ? nil : contradiction("weight is \(weight), expected zero or more")
  }

  private var cacheDefect: RequestError? {
    if let cacheLifetime, cacheLifetime < .zero {
      return contradiction("cacheLifetime is \(cacheLifetime), expected zero or more")
    }
    guard let cacheKey else { return nil }
    if cacheKey.isEmpty { return contradiction("cacheKey is empty, expected a name or nil") }
    if [.put, .patch, .delete].contains(method) {
      return contradiction(
        "cacheKey says that the call only reads, but \(method) changes the resource; remove one")
    }
    for case .file(let path, _) in body?.pieces ?? [] {
      return contradiction(
        "cacheKey needs a body in memory, but it has the file \(path), which may change; remove one"
      )
    }
    return nil
  }
}

extension HTTPRequest.Timeouts {
  fileprivate var defect: RequestError? {
    for (name, value) in [("connect", connect), ("idle", idle), ("total", total)]
    where value <= .zero {
      return contradiction("timeouts.\(name) is \(value), expected more than zero")
    }
    return nil
  }
}

extension HTTPRequest.Limits {
  fileprivate var defect: RequestError? {
    let limits = [
      ("headerBytes", headerBytes, 1), ("headerCount", headerCount, 1), ("wireBytes", wireBytes, 1),
      ("decodedBytes", decodedBytes, 1), ("decompressionRatio", decompressionRatio, 1),
      ("decompressionFloor", decompressionFloor, 0), ("errorBodyBytes", errorBodyBytes, 0),
      ("redirectBodyBytes", redirectBodyBytes, 0),
    ]
    for (name, value, least) in limits where value < least {
      return contradiction("limits.\(name) is \(value), expected at least \(least)")
    }
    return nil
  }
}

extension RetryPolicy {
  fileprivate var defect: RequestError? {
    if attempts < 1 {
      return contradiction("retry.attempts is \(attempts), expected at least 1")
    }
    if retriesPerSecond < 1 {
      return contradiction("retry.retriesPerSecond is \(retriesPerSecond), expected at least 1")
    }
    let waits = [
      ("baseDelay", baseDelay), ("maximumDelay", maximumDelay),
      ("maximumRetryAfter", maximumRetryAfter),
    ]
    for (name, value) in waits where value < .zero {
      return contradiction("retry.\(name) is \(value), expected at least zero")
    }
    return nil
  }
}

extension RedirectPolicy {
  fileprivate var defect: RequestError? {
    maximum < 0 ? contradiction("redirects.maximum is \(maximum), expected at least 0") : nil
  }
}

extension Call.ContentPolicy {
  fileprivate var defect: RequestError? {
    self == .types([]) ? contradiction("content is .types([]), expected at least one type") : nil
  }
}

private func contradiction(_ problem: String) -> RequestError {
  RequestError(.invalidRequest(.init(.configuration, problem)))
}
