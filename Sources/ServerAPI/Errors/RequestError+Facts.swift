internal import Support

extension RequestError {
  /// The cause with what the server sent and asked for, and what to do.
  package var explanation: (fact: String, hint: String?) {
    var (fact, hint) = kind.explanation(timings)
    switch kind {
    case .status, .rateLimited:
      if let status { fact = "the server responded with \(status)" }
      if let wait {
        fact =
          status == nil
          ? "the server asked for a pause, which lasts for another \(wait)"
          : fact + " and asked to wait \(wait)"
        hint =
          "wait that long, "
          + (isWaitTooLong ? "or raise retry.maximumRetryAfter" : "then send it again")
      }
      if let serverMessage { fact += ": \(serverMessage)" }
    default: break
    }
    if case .tooLarge(.memory, let allowed) = kind, timings.decodedBytes > 0 {
      let count = timings.decodedBytes
      if let parsedBytes {
        fact =
          "the response has \(count) bytes and needs \(parsedBytes) more when parsed,"
          + " but all responses in flight together may take \(allowed)"
      } else {
        fact =
          "after \(count) bytes, the response needs more than the \(allowed) that all responses in flight"
          + " together may take"
      }
    }
    if let retryBudget {
      let retries = retryBudget == 1 ? "1 retry" : "\(retryBudget) retries"
      fact += ", and the limit of \(retries) per second for this host is used up"
      hint = "raise retry.retriesPerSecond or timeouts.total"
    }
    return (fact, hint)
  }

  /// How long the server asked to wait, and until when.
  private var wait: String? {
    guard let requestedWait else { return nil }
    return requestedWait.roundedText + (waitEnd.map { ", until \(HTTPDate.text($0))" } ?? "")
  }
}

extension RequestError.Kind {
  /// The cause, the bytes received so far and the time they took, and a hint.
  func explanation(
    _ timings: HTTPResponse.Timings
  ) -> (fact: String, hint: String?) {
    guard timings.total > .zero else { return explanation }
    let (time, count) = (timings.total.text, timings.wireBytes)
    let bytes = "\(count) \(count == 1 ? "byte" : "bytes") of the body"
    let fact =
      switch self {
      case .timeout(.idle) where count == 0:
        "the server sent no byte of a body within \(time)"
      case .timeout(.idle): "the response stopped after \(bytes), \(time) after the request"
      case .timeout(.total) where count == 0:
        "the call timed out after \(time), before the first byte of a body"
      case .timeout(.total): "the call timed out after \(time), with \(bytes) received"
      default: explanation.fact
      }
    return (fact, explanation.hint)
  }
}

extension RequestError {
  /// The status of the response that failed; `nil` if the last exchange had no response.
  public var status: Int? {
    if case .status(let code) = kind { return code }
    guard let outcome = attempts.last?.outcome, case .responded(let code) = outcome else {
      return nil
    }
    return code
  }

  /// The address of the last request, with secrets masked; `nil` if none was built.
  public var url: String? {
    attempts.last?.address ?? request.split(separator: " ").last.map { String($0) }
  }
}

extension RequestError {
  /// Returns the error with the attempts, timings, message and first bytes of a response.
  func about(_ response: HTTPResponse, to request: HTTPRequest? = nil) -> RequestError {
    var error = self
    error.attempts = response.attempts
    error.timings = response.timings
    if response.status >= 400 {
      error.serverMessage = ServerMessage.read(response.body, to: request)
    }
    if !response.body.isEmpty {
      error.responseBody = response.body.withUnsafeBytes { ResponseBody($0.prefix(4096)) }
    }
    return error
  }
}
