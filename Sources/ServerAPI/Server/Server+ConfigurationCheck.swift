extension Server.Configuration {
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
      ?? cacheDefect
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

extension Timeouts {
  fileprivate var defect: RequestError? {
    for (name, value) in [("connect", connect), ("idle", idle), ("total", total)]
    where value <= .zero {
      return contradiction("timeouts.\(name) is \(value), expected more than zero")
    }
    return nil
  }
}

extension TransferLimits {
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

extension ContentPolicy {
  fileprivate var defect: RequestError? {
    self == .types([]) ? contradiction("content is .types([]), expected at least one type") : nil
  }
}

private func contradiction(_ problem: String) -> RequestError {
  RequestError(.invalidRequest(.init(.configuration, problem)))
}
