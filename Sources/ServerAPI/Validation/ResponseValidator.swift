/// Validates a response. Pure; runs on every final response.
///
/// It checks, in this order:
///
/// 1. The ``Call/BusinessCheck``, for any status: the service's own code and message say more than `422`.
/// 2. The status. Success is 2xx; `304` if the caller made the call conditional; another 3xx if the policy
///    returns redirects; any status if the call accepts error statuses. `511` is reported as the login page of a network.
/// 3. The media type. HTML in place of JSON is reported as the login page of a network.
/// 4. Whether a JSON body is empty; `HEAD`, `204` and `205` have no body by definition.
/// 5. The ``ResponseJudge`` of a list.
///
/// If a ``HTTPRequest/receiver`` received the body, only status and type are checked.
enum ResponseValidator {
  /// Returns the failure, or `nil` if the response is valid.
  static func failure(
    of response: HTTPResponse, to request: HTTPRequest, rules: CallRules,
    business: Call.BusinessCheck?
  ) -> RequestError.Kind? {
    if !response.body.isEmpty, let (code, message) = business?.failure(response) {
      return .business(code: code, message: message)
    }
    guard response.isSuccess else {
      let isAccepted =
        response.status == 304
        ? isConditional(request)
        : rules.redirects.maximum == 0 && (300..<400).contains(response.status)
          || rules.acceptsErrorStatuses
      if isAccepted { return nil }
      // Networks that require a sign-in respond in place of the server (RFC 6585, section 6).
      return response.status == 511 ? .unexpectedContent(.captivePortal) : .status(response.status)
    }
    if let problem = problem(of: response, to: request, rules.content) {
      return .unexpectedContent(problem)
    }
    return rules.judge?.failure(response).map { .business(code: $0.code, message: $0.message) }
  }

  /// Whether the caller made the request conditional.
  private static func isConditional(_ request: HTTPRequest) -> Bool {
    request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
  }

  private static func problem(
    of response: HTTPResponse, to request: HTTPRequest, _ content: Call.ContentPolicy
  ) -> RequestError.ContentProblem? {
    guard content != .any else { return nil }
    let hasNoBody =
      request.method == .head || response.status == 204 || response.status == 205
    if response.body.isEmpty, hasNoBody { return nil }
    let type = response.mediaType
    if content == .json {
      if response.isWebPage { return .captivePortal }
      if response.body.isEmpty, request.receiver == nil { return .empty }
    }
    guard content.accepts(type) else {
      return .mediaType(expected: content.acceptValue, received: type?.essence ?? "")
    }
    return nil
  }
}

extension HTTPResponse {
  /// Whether the body is HTML, by its type or its first characters.
  package var isWebPage: Bool {
    let type = mediaType?.essence
    return type == "text/html" || type == "application/xhtml+xml" || startsLikeHTML
  }

  /// Whether the first byte after a byte order mark and white space is `<`, but not that of an XML document.
  private var startsLikeHTML: Bool {
    body.withUnsafeBytes { bytes in
      let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard let start = bytes[mark...].firstIndex(where: { $0 > 0x20 }) else { return false }
      return bytes[start] == 0x3C && !bytes[start...].starts(with: "<?xml".utf8)
    }
  }

  /// The error of a web page that was received in place of data; `nil` if this is none.
  package func webPageError(method: HTTPMethod) -> RequestError? {
    guard isWebPage else { return nil }
    var error = RequestError(.unexpectedContent(.captivePortal)).about(self)
    error.request = "\(method) \(Redaction.usual.url(url))"
    return error
  }
}

extension RequestError.Kind {
  /// Whether the failed response may be stored: it has an error status, and is not an error disguised as a
  /// success.
  var mayBeStored: Bool { if case .status = self { true } else { false } }
}
