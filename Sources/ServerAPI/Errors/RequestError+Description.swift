extension RequestError: CustomStringConvertible {
  /// What failed, the cause, and what to do, on one line; then one line per attempt if there were several.
  ///
  /// The response body and the header values are left out, since they may be secret. The ``serverMessage`` is included.
  public var description: String {
    text(explanation.fact, hint: explanation.hint)
  }

  /// Returns the description with another cause or hint.
  package func text(_ fact: String, hint: String?) -> String {
    let verb = if case .invalidRequest = kind { "was not sent" } else { "failed" }
    var lines = [request.isEmpty ? fact : "\(request) \(verb): \(fact)"]
    if let hint { lines[0] += "; \(hint)" }
    if attempts.count > 1 {
      lines.append("attempts:")
      for (number, attempt) in attempts.enumerated() {
        lines.append("  \(number + 1). \(attempt.summary)")
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension HTTPResponse.Attempt {
  fileprivate var summary: String {
    let result =
      switch outcome {
      case .responded(let status): "status \(status)"
      case .failed(let kind): kind.explanation(timings).fact
      }
    return "\(address): \(result)" + (followedBy.map { "; \($0)" } ?? "")
      + (delay == .zero ? "" : ", \(delay.text) later")
  }
}

extension RequestError.Kind {
  /// The cause, and what to do.
  package var explanation: (fact: String, hint: String?) {
    switch self {
    case .invalidRequest(let defect):
      (defect.place.name + defect.problem, nil)
    case .nameNotResolved(let host):
      (
        "the host name \(host) can't be resolved",
        "check the spelling of the host and the DNS server"
      )
    case .connectRefused:
      ("the connection was refused", "check the port and that the server is running")
    case .connectFailed(let reason):
      ("can't connect: \(reason)", "check the network between this device and the server")
    case .tls(let failure): failure.explanation
    case .proxy(let reason):
      (
        "can't connect through the proxy: \(reason)",
        "check the address and credentials of the proxy"
      )
    case .sendFailed:
      (
        "the request could not be sent completely",
        "check the server's limits on the size of requests"
      )
    case .connectionLost(let count, _):
      (
        count == 0
          ? "the connection ended before the response began"
          : "the connection closed after \(count) \(count == 1 ? "byte" : "bytes") of the response",
        "check the server and any gateway in front of it"
      )
    case .timeout(let phase):
      (phase.fact, phase.hint)
    case .tooLarge(let limit, let allowed):
      (limit.fact(allowed), "check the server, or raise limits.\(limit)")
    case .undecodable(let reason):
      (
        "can't decode the response: \(reason)",
        "check Content-Encoding and Content-Type of the response"
      )
    case .notStored:
      (
        "the cache has no usable response, and the call must not use the network",
        "load the response once over the network, or change the cache mode of the call"
      )
    case .protocolViolation(let reason):
      (
        "the server sent an invalid HTTP response: \(reason)",
        "check the server and any gateway in front of it"
      )
    case .redirect(let failure): failure.explanation
    case .offline: ("the device is probably offline", "check its network connection")
    case .cancelled(let reason): (reason.fact, nil)
    case .status(let status):
      ("the server responded with \(status)", Self.hint(for: status))
    case .rateLimited(let wait):
      (
        "the server asked to wait" + (wait.map { " \($0.roundedText)" } ?? ""),
        "send fewer requests, or try again later"
      )
    case .unexpectedContent(let problem): problem.explanation
    case .business(let code, let message):
      (
        message.isEmpty
          ? "the service reported error \(code)"
          : "the service reported \(code.isEmpty ? "an error" : "error \(code)"): \(message)", nil
      )
    case .authentication(let reason):
      ("authentication failed: \(reason)", "check the credentials and their provider")
    case .retryRequested(_, let reason):
      (
        "an interceptor requested a retry (\(reason)), but the retry policy allowed none",
        "check retry.attempts and timeouts.total"
      )
    case .receiverFailed(let reason): ("the body receiver threw an error: \(reason)", nil)
    case .unusable(let reason): (reason, nil)
    }
  }
}

extension RequestError.Kind {
  /// What to do about a status.
  private static func hint(for status: Int) -> String {
    switch status {
    case 401, 407: "check the credentials"
    case 403: "check the credentials and what they allow"
    case 404, 410: "check the address"
    case 405: "check the method"
    case 413: "send less at once"
    case 415: "check Content-Type of the request"
    case 400..<500: "check the request"
    case 500...: "check the server, or try again later"
    default: "check the address and the headers of the request"
    }
  }
}

extension RequestError.Defect.Place {
  /// The start of a sentence that the problem ends.
  fileprivate var name: String {
    switch self {
    case .baseURL: "the base address of the server "
    case .url: "the address "
    case .method: "the method "
    case .headerName: "the header name "
    case .headerValue(let name): "the header \(name) "
    case .body, .configuration: ""
    }
  }
}

extension RequestError.TLSFailure {
  fileprivate var explanation: (fact: String, hint: String?) {
    switch self {
    case .requiredBySystem:
      (
        "App Transport Security requires https for this host",
        "set the scheme to https, or allow http to the host with NSAppTransportSecurity in Info.plist"
      )
    case .untrusted:
      ("the certificate is not signed by a trusted authority", "check the certificate chain")
    case .expired:
      (
        "the certificate has expired or is not yet valid",
        "check the certificate and the clock of this device"
      )
    case .wrongHost: ("the certificate is for another host", "check the spelling of the host")
    case .notPinned:
      (
        "the server's key is not one of the pinned keys",
        "update the pins if the server has a new key, or check whether a proxy intercepts TLS"
      )
    case .handshake(let reason):
      ("the TLS handshake failed: \(reason)", "check the TLS versions of the server")
    case .clientCertificate(let reason):
      ("the client certificate can't be used: \(reason)", "check the certificate and its key")
    }
  }
}

extension RequestError.Phase {
  fileprivate var fact: String {
    switch self {
    case .queue: "the request timed out while waiting for a free connection"
    case .resolve: "the request timed out while resolving the host name"
    case .connect: "the request timed out while connecting"
    case .handshake: "the request timed out during the TLS handshake"
    case .idle: "the request timed out because no data was sent or received"
    case .total: "the call timed out, all attempts included"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .queue: "send fewer requests at once, or raise timeouts.total"
    case .resolve: "check the DNS server, or raise timeouts.connect"
    case .connect: "check the address and the network, or raise timeouts.connect"
    case .handshake: "check that the port of the server uses TLS, or raise timeouts.connect"
    case .idle, .total: "check the load of the server, or raise timeouts.\(self)"
    }
  }
}

extension RequestError.LimitKind {
  fileprivate func fact(_ allowed: Int) -> String {
    switch self {
    case .headerBytes: "the response has more than \(allowed) bytes of header lines"
    case .headerCount: "the response has more than \(allowed) header lines"
    case .wireBytes: "the response has more than \(allowed) bytes on the wire"
    case .decodedBytes: "the response has more than \(allowed) bytes after decoding"
    case .memory:
      "the response is too large for the \(allowed) bytes that all responses in flight may take"
    case .decompressionRatio:
      "the decoded response is more than \(allowed) times its size on the wire"
    }
  }
}

extension RequestError.RedirectFailure {
  fileprivate var explanation: (fact: String, hint: String) {
    switch self {
    case .tooMany(let count):
      (
        "the server redirected more than \(count) \(count == 1 ? "time" : "times")",
        "check the address, or raise redirects.maximum"
      )
    case .loop: ("the redirects form a loop", "check the address and the server")
    case .noLocation:
      ("the redirect names no address", "check the Location header of the response")
    case .badLocation:
      ("the redirect has no valid address", "check the Location header of the response")
    case .downgrade:
      (
        "the server redirected from https to http",
        "set redirects.allowsDowngrade to allow it"
      )
    case .scheme(let scheme):
      (
        "the server redirected to the scheme \(scheme)",
        "check the Location header of the response"
      )
    case .crossOrigin(let origin):
      (
        "the server redirected to \(origin), which the policy forbids",
        "allow it in redirects.crossOrigin, or for a list with allowsOtherOrigins"
      )
    case .crossOriginBody(let origin):
      (
        "the server redirected to \(origin), which must not get the body of the request",
        "set redirects.crossOrigin to .followWithBody to allow it"
      )
    }
  }
}

extension RequestError.CancelReason {
  fileprivate var fact: String {
    switch self {
    case .byCaller: "the caller cancelled the call"
    case .superseded: "the call was cancelled, because a newer call replaced it"
    case .ownerGone: "the call was cancelled, because its owner was released"
    }
  }
}

extension RequestError.ContentProblem {
  fileprivate var explanation: (fact: String, hint: String?) {
    switch self {
    case .captivePortal:
      (
        "the response is a web page instead of data",
        "check the address and whether this network requires a sign-in"
      )
    case .mediaType(let expected, let received):
      (
        "the response has \(received.isEmpty ? "no media type" : "the media type \(received)"),"
          + " expected \(expected)",
        "check the address and the Accept header"
      )
    case .empty: ("the response is empty, expected content", "check the server")
    }
  }
}
