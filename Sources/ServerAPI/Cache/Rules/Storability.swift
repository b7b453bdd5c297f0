extension CacheRules {
  /// Why nothing about a request may be kept, whatever the answer; `nil` where it may.
  func refusal(toKeep lookup: CacheLookup, _ asked: RequestFields) -> String? {
    if lookup.mode == .noStore { return "the call keeps nothing" }
    if asked.control.flags.contains(.noStore) { return "no-store in the request" }
    if lookup.request.method != .post, lookup.request.body != nil {
      return "the request has a body"
    }
    return nil
  }

  /// Why an answer to `GET` is not kept; `nil` where it is (RFC 9111, section 3).
  func refusal(toKeep response: HTTPResponse, _ fields: ResponseFields) -> String? {
    let flags = fields.control.flags
    switch response.status {
    case ..<200: return "not a final answer"
    case 304, 412, 416: return "status \(response.status) answers this very request"
    // What comes after a login must not meet what came before it.
    case 401, 407: return "status \(response.status) asks for a login"
    default: break
    }
    if flags.contains(.mustUnderstand) {
      guard Self.isUnderstood(response.status) else {
        return "must-understand, and nobody knows status \(response.status)"
      }
    } else if flags.contains(.noStore) {
      return "no-store"
    }
    guard Self.varyNames(response.headers) != nil else { return "Vary: *" }
    guard
      Self.isHeuristic(response.status) || !flags.isDisjoint(with: [.isPublic, .isPrivate])
        || fields.control.maxAge != .absent || fields.expires != nil
    else { return "status \(response.status) is kept only where the answer says so" }
    return nil
  }

  /// Why an answer to `POST` is not kept as one to `GET`; `nil` where it is (RFC 9110, section 9.3.3).
  func refusal(toKeepPost response: HTTPResponse, _ fields: ResponseFields, of url: WebURL)
    -> String?
  {
    guard response.isSuccess, response.status != 206,
      let text = response.headers["Content-Location"],
      (try? response.url.resolving(text)) == url
    else { return "an answer to POST" }
    guard fields.control.maxAge.value != nil || fields.expires != nil else {
      return "an answer to POST that names no time"
    }
    return refusal(toKeep: response, fields)
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
