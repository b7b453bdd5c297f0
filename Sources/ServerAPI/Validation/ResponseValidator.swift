/// Says whether an answer is what the call asked for. Pure; runs on every final answer.
///
/// In this order:
///
/// 1. An error of the service, found by the ``BusinessCheck``, whatever the status: the service's own
///    code and words say more than `422`.
/// 2. The status. Success is 2xx; `304` when the caller made the call conditional; another 3xx when
///    the policy hands redirects out; any, when the call takes any.
/// 3. The media type. HTML where JSON was expected is the login page of a network.
/// 4. Emptiness, where JSON was expected; `HEAD`, `204` and `205` are empty by nature.
///
/// A body that went to a ``HTTPRequest/BodyReceiver`` is not here any more: only status and type are judged.
enum ResponseValidator {
  /// What is wrong with the answer, or `nil` when it is good.
  static func failure(
    of response: HTTPResponse, to request: HTTPRequest, rules: CallRules, business: BusinessCheck?
  ) -> RequestError.Kind? {
    if !response.body.isEmpty, let (code, message) = business?.failure(response) {
      return .business(code: code, message: message)
    }
    guard response.isSuccess else {
      let isWelcome =
        response.status == 304
        ? isConditional(request)
        : rules.redirects.maximum == 0 && (300..<400).contains(response.status)
          || rules.acceptsErrorStatuses
      return isWelcome ? nil : .status(response.status)
    }
    return problem(of: response, to: request, rules.content).map { .unexpectedContent($0) }
  }

  /// Whether the caller asked only for what has changed.
  private static func isConditional(_ request: HTTPRequest) -> Bool {
    request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
  }

  private static func problem(
    of response: HTTPResponse, to request: HTTPRequest, _ content: ContentPolicy
  ) -> RequestError.ContentProblem? {
    guard content != .any else { return nil }
    let isEmptyByNature =
      request.method == .head || response.status == 204 || response.status == 205
    if response.body.isEmpty, isEmptyByNature { return nil }
    let type = response.mediaType
    if content == .json {
      if type?.essence == "text/html" || beginsLikeHTML(response.body) {
        return .captivePortal
      }
      if response.body.isEmpty, request.receiver == nil { return .empty }
    }
    guard content.accepts(type) else {
      return .mediaType(expected: content.acceptValue, received: type?.essence ?? "")
    }
    return nil
  }

  /// Whether the first byte behind a byte order mark and white space opens a tag.
  private static func beginsLikeHTML(_ body: ResponseBody) -> Bool {
    body.withUnsafeBytes { bytes in
      let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[mark...].first { $0 > 0x20 } == 0x3C
    }
  }
}

extension RequestError.Kind {
  /// Whether the answer that failed so is one of HTTP all the same, and no error in the guise of a
  /// success.
  var mayBeStored: Bool { if case .status = self { true } else { false } }
}
