extension CacheRules {
  /// Why nothing about a request may be kept, whatever the answer; `nil` where it may.
  func refusal(toKeep wish: CacheWish, _ asked: RequestFields) -> String? {
    if wish.mode == .noStore { return "the call keeps nothing" }
    if asked.control.flags.contains(.noStore) { return "no-store in the request" }
    if wish.request.method != .post, wish.request.body != nil { return "the request has a body" }
    return nil
  }

  /// Why an answer to `GET` is not kept; `nil` where it is (RFC 9111, section 3).
  func refusal(toKeep answer: HTTPResponse, _ fields: AnswerFields) -> String? {
    let flags = fields.control.flags
    switch answer.status {
    case ..<200: return "not a final answer"
    case 304, 412, 416: return "status \(answer.status) answers this very request"
    // What comes after a login must not meet what came before it.
    case 401, 407: return "status \(answer.status) asks for a login"
    default: break
    }
    if flags.contains(.mustUnderstand) {
      guard Self.isUnderstood(answer.status) else {
        return "must-understand, and nobody knows status \(answer.status)"
      }
    } else if flags.contains(.noStore) {
      return "no-store"
    }
    guard Self.varyNames(answer.headers) != nil else { return "Vary: *" }
    guard
      Self.isHeuristic(answer.status) || !flags.isDisjoint(with: [.isPublic, .isPrivate])
        || fields.control.maxAge != .absent || fields.expires != nil
    else { return "status \(answer.status) is kept only where the answer says so" }
    return nil
  }

  /// Why an answer to `POST` is not kept as one to `GET`; `nil` where it is (RFC 9110, section 9.3.3).
  func refusal(toKeepPost answer: HTTPResponse, _ fields: AnswerFields, of url: WebURL) -> String? {
    guard answer.isSuccess, answer.status != 206,
      let text = answer.headers["Content-Location"],
      (try? answer.url.resolving(text)) == url
    else { return "an answer to POST" }
    guard fields.control.maxAge.value != nil || fields.expires != nil else {
      return "an answer to POST that names no time"
    }
    return refusal(toKeep: answer, fields)
  }

  /// Whether it is known what a status means for a cache.
  private static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...206, 300...303, 307, 308, 400, 402...411, 413...415, 417, 421...426, 428, 429, 431,
      451, 500...505:
      true
    default: false
    }
  }
}
