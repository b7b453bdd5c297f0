internal import Quire

/// Failures of requests.
extension FailureAdvice {
  /// Explains why a call has no usable response.
  func text(of failure: RequestError) -> FailureText {
    var failure = failure
    let cause = failure.explanation.fact
    failure.request = ""
    let attempts = failure.text("", hint: nil).split(separator: "\n").map(String.init)
    let excerpt = ResponseText.excerpt(of: failure.responseBody).map {
      "The server responded: \($0)"
    }
    return FailureText(
      cause, hint(for: failure),
      details: attempts + (saysCause(failure) ? [] : excerpt.map { [$0] } ?? []))
  }

  /// Whether the cause has all that people need of the response.
  private func saysCause(_ failure: RequestError) -> Bool {
    switch failure.kind {
    case .status, .rateLimited: failure.serverMessage != nil
    case .unexpectedContent(.captivePortal): true
    default: false
    }
  }

  /// How to go on another time.
  private var later: String {
    switch command {
    case .crawl(isRecorded: true): "continue later"
    case .crawl(isRecorded: false): "use --resume to continue later"
    case .browse: "try again later"
    }
  }

  private func hint(for failure: RequestError) -> String? {
    if failure.retryBudget != nil { return "raise --retry-rate or --timeout, or \(later)" }
    if failure.isWaitTooLong { return "use --wait SECONDS to wait that long, or \(later)" }
    return hint(for: failure.kind)
  }

  private func hint(for kind: RequestError.Kind) -> String? {
    switch kind {
    case .invalidRequest(let defect): Self.hint(for: defect.place)
    case .nameNotResolved, .connectRefused, .connectFailed, .sendFailed, .connectionLost,
      .undecodable,
      .protocolViolation, .offline:
      kind.explanation.hint
    case .tls(let failure): hint(for: failure)
    case .proxy, .status(407):
      "check --proxy, or http_proxy, https_proxy and all_proxy in the environment"
    case .timeout(let phase): hint(for: phase)
    case .tooLarge(let limit, _): Self.hint(for: limit)
    case .notStored: "check --cache, or load the page once without --offline"
    case .redirect(let failure): Self.hint(for: failure)
    case .cancelled: nil
    case .status(let status): hint(forStatus: status)
    case .rateLimited: "send fewer requests with --rate, or \(later)"
    case .unexpectedContent(.captivePortal):
      "check the address, or sign in with --token-env NAME or --header @FILE"
    case .unexpectedContent(.mediaType): "check the address and the header Accept"
    case .unexpectedContent(.empty): "check the server"
    case .business:
      "check the address and its parameters, or use --no-failure NAME if that member is no failure"
    case .authentication: "check --token-command"
    case .retryRequested: "raise --retries, or \(later)"
    case .receiverFailed, .unusable: later
    }
  }

  private func hint(forStatus status: Int) -> String {
    switch status {
    case 401 where hasTokenCommand, 403 where hasTokenCommand:
      "check whether the token of --token-command may read this list"
    case 401, 403: "sign in with --token-env NAME or --header @FILE"
    case 500...: "check the server, or \(later)"
    default: "check the address and its parameters"
    }
  }

  private static func hint(for place: RequestError.Defect.Place) -> String {
    switch place {
    case .baseURL, .url: "check the address, and the links of the server"
    case .method: "check --method"
    case .headerName, .headerValue: "check --header"
    case .body: "check --body and --form"
    case .configuration: "check the options"
    }
  }

  private func hint(for failure: RequestError.TLSFailure) -> String? {
    let hint: String? =
      switch failure {
      case .untrusted: "check the certificate chain and --cacert"
      case .clientCertificate: "check --cert and --key"
      case .notPinned: "check whether a proxy intercepts TLS"
      case .requiredBySystem, .expired, .wrongHost, .handshake:
        RequestError.Kind.tls(failure).explanation.hint
      }
    return scheme(hint)
  }

  private func hint(for phase: RequestError.Phase) -> String? {
    switch phase {
    case .queue: "raise --timeout, or \(later)"
    case .resolve: "check the DNS server, or raise --timeout"
    case .connect: "check the address and the network, or raise --timeout"
    case .handshake: scheme("check that the port of the server uses TLS, or raise --timeout")
    case .idle, .total: "check the load of the server, or raise --timeout"
    }
  }

  /// Returns the hint, and that a scheme was added, which the server may not speak.
  private func scheme(_ hint: String?) -> String? {
    guard isSchemeAdded else { return hint }
    let added = "https:// was added to the address, so type http:// if the server has no TLS"
    return hint.map { "\(added), or \($0)" } ?? added
  }

  private static func hint(for limit: RequestError.LimitKind) -> String {
    switch limit {
    case .wireBytes, .decodedBytes, .memory:
      "raise --max-memory, or request smaller pages, as in --size 100"
    case .decompressionRatio: "check the server"
    case .headerBytes, .headerCount: "check the server and any gateway in front of it"
    }
  }

  private static func hint(for failure: RequestError.RedirectFailure) -> String? {
    switch failure {
    case .tooMany, .downgrade, .crossOriginBody:
      "check the address, or use the one that it leads to"
    case .crossOrigin: "use --allow-other-origin if the list may continue there"
    case .loop, .noLocation, .badLocation, .scheme:
      RequestError.Kind.redirect(failure).explanation.hint
    }
  }
}
