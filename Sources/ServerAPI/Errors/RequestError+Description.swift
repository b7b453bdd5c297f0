extension RequestError: CustomStringConvertible {
  /// Several short lines for the person who reads a log at night: what was being done, what
  /// happened, what to look at, and every try. The words of the server and of the call's fields are
  /// left out, since they may be secret; those of the service's error stand there.
  public var description: String {
    text(kind.explanation.fact, hint: kind.explanation.hint)
  }

  /// The same with another cause, or with something else to look at.
  package func text(_ fact: String, hint: String?) -> String {
    var lines = [request.isEmpty ? "The request failed." : "\(request) failed."]
    lines.append("What happened: \(fact).")
    if let hint { lines.append("Look at: \(hint).") }
    if attempts.count > 1 {
      lines.append("Tries:")
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
      case .answered(let status): "answered \(status)"
      case .failed(let kind): kind.explanation.fact
      }
    return "\(address): \(result)" + (followedBy.map { "; \($0)" } ?? "")
      + (delay == .zero ? "" : ", \(delay.text) later")
  }
}

extension RequestError.Kind {
  /// What happened, and what to look at.
  package var explanation: (fact: String, hint: String?) {
    switch self {
    case .invalidRequest(let defect):
      ("\(defect.place.words) \(defect.problem); nothing was sent", nil)
    case .nameNotResolved(let host):
      ("the name \(host) has no address", "the spelling of the host, and the name server")
    case .connectRefused:
      ("nothing listens at the address", "the port, and whether the server runs")
    case .connectFailed(let reason):
      ("no connection could be made: \(reason)", "the network between here and the server")
    case .tls(let failure): failure.explanation
    case .proxy(let reason):
      ("the proxy refused or failed: \(reason)", "address and credentials of the proxy")
    case .sendFailed:
      ("the request could not be sent whole", "limits of the server on what it accepts")
    case .connectionLost(let count, let reused):
      (
        "the connection ended after \(count) bytes of the answer"
          + (reused ? ", it had been idle" : ""),
        "the server, or a gateway in front of it"
      )
    case .timeout(let phase):
      ("time ran out \(phase.words)", "the load of the server, and timeouts.\(phase.setting)")
    case .tooLarge(let limit, let allowed):
      ("the answer has more than \(allowed) \(limit.words)", "the server, or limits.\(limit)")
    case .undecodable(let reason):
      ("the body can't be decoded: \(reason)", "Content-Encoding and Content-Type of the answer")
    case .notStored:
      (
        "nothing that is stored answers it, and the network was not to be used",
        "whether it was asked before, and the cache of the call"
      )
    case .protocolViolation(let reason):
      ("the answer breaks the protocol: \(reason)", "the server, or a gateway in front of it")
    case .redirect(let failure): (failure.words, "the Location field of the answer")
    case .offline: ("the network is most likely away", "the connection of this device")
    case .cancelled(let reason): (reason.words, nil)
    case .status(let status):
      ("the server answered \(status)", "responseBody for the server's own words")
    case .unexpectedContent(let problem): problem.explanation
    case .business(let code, let message):
      ("the service answered with error \(code): \(message)", nil)
    case .authentication(let reason):
      ("credentials were not to be had or not accepted: \(reason)", "how the caller signs in")
    case .retryRequested(_, let reason):
      ("an interceptor asked for another try, and no more were left: \(reason)", nil)
    case .receiverFailed(let reason): ("the receiver of the body threw: \(reason)", nil)
    case .unusable(let reason): ("the transport can't be used: \(reason)", nil)
    }
  }
}

extension RequestError.Defect.Place {
  fileprivate var words: String {
    switch self {
    case .baseURL: "the base address of the server"
    case .url: "the address"
    case .method: "the method"
    case .headerName: "the name of a header"
    case .headerValue(let name): "the header \(name)"
    case .body: "the body:"
    case .configuration: "the configuration:"
    }
  }
}

extension RequestError.TLSFailure {
  fileprivate var explanation: (fact: String, hint: String?) {
    switch self {
    case .untrusted: ("no trusted authority vouches for the certificate", "the certificate chain")
    case .expired:
      ("the certificate is out of date", "the certificate, and the clock of this device")
    case .wrongHost: ("the certificate is for another host", "the spelling of the host")
    case .notPinned:
      ("the certificate is not one of the pinned ones", "the pins, or who is listening")
    case .handshake(let reason): ("no secure connection: \(reason)", "TLS versions of the server")
    case .clientCertificate(let reason):
      ("the client certificate can't be used: \(reason)", "the certificate and its key")
    }
  }
}

extension RequestError.Phase {
  fileprivate var words: String {
    switch self {
    case .queue: "while waiting for a free connection"
    case .connect: "while connecting"
    case .idle: "because no byte moved"
    case .total: "for the whole action"
    }
  }
  fileprivate var setting: String { self == .queue ? "total" : "\(self)" }
}

extension RequestError.LimitKind {
  fileprivate var words: String {
    switch self {
    case .headerBytes: "bytes of header lines"
    case .headerCount: "header lines"
    case .wireBytes: "bytes on the wire"
    case .decodedBytes: "bytes after decoding"
    case .decompressionRatio: "times its size on the wire"
    }
  }
}

extension RequestError.RedirectFailure {
  fileprivate var words: String {
    switch self {
    case .tooMany(let count): "the server sent the call on more than \(count) times"
    case .loop: "the redirects lead in a circle"
    case .badLocation: "the server sent the call to an address that can't be read"
    case .downgrade: "the server sent the call from https to http"
    case .scheme(let scheme): "the server sent the call to the scheme \(scheme)"
    case .crossOrigin(let origin): "the server sent the call to \(origin), which the policy forbids"
    case .crossOriginBody(let origin):
      "the server sent the call and its body to \(origin), which gets no body unless the policy is"
        + " followWithBody"
    }
  }
}

extension RequestError.CancelReason {
  fileprivate var words: String {
    switch self {
    case .byCaller: "the caller cancelled it"
    case .superseded: "a newer call took its place"
    case .ownerGone: "the object that owned it is gone"
    }
  }
}

extension RequestError.ContentProblem {
  fileprivate var explanation: (fact: String, hint: String?) {
    switch self {
    case .captivePortal:
      ("a web page came where data was expected", "whether this network asks to sign in first")
    case .mediaType(let expected, let received):
      (
        "the answer is \(received.isEmpty ? "of no named type" : received), expected \(expected)",
        "the address, and the Accept field"
      )
    case .empty: ("the answer is empty where content was expected", "the server")
    }
  }
}
