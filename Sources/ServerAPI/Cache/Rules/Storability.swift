extension CacheRules {
  /// Returns the reason not to store any response to a request; `nil` if there is none.
  func refusal(toStore lookup: CacheLookup, _ requestFields: RequestFields) -> String? {
    if lookup.mode == .noStore { return "the call stores nothing" }
    if requestFields.control.flags.contains(.noStore) { return "no-store in the request" }
    let request = lookup.request
    if request.method != .post, request.cacheKey == nil, request.body != nil {
      return "the request has a body"
    }
    return nil
  }

  /// Returns the reason not to store a response to `GET`; `nil` if it may be stored (RFC 9111, section 3).
  func refusal(toStore response: HTTPResponse, _ fields: ResponseFields) -> String? {
    let flags = fields.control.flags
    switch response.status {
    case ..<200: return "not a final response"
    case 304, 412, 416: return "status \(response.status) is for this request only"
    // A response from before a login must not be served after it.
    case 401, 407: return "status \(response.status) requires a login"
    default: break
    }
    if flags.contains(.mustUnderstand) {
      guard Self.isUnderstood(response.status) else {
        return "must-understand, and status \(response.status) is unknown"
      }
    } else if flags.contains(.noStore) {
      return "no-store"
    }
    guard Self.varyNames(response.headers) != nil else { return "Vary: *" }
    guard
      Self.isHeuristicallyCacheable(response.status)
        || !flags.isDisjoint(with: [.isPublic, .isPrivate])
        || fields.control.maxAge != .absent || fields.expires != nil
    else { return "status \(response.status) is stored only if the response allows it" }
    return nil
  }

  /// Returns the reason not to store a response to `POST` for later `GET` requests; `nil` if it may be stored
  /// (RFC 9110, section 9.3.3).
  func refusal(toStorePost response: HTTPResponse, _ fields: ResponseFields, of url: WebURL)
    -> String?
  {
    guard response.isSuccess, response.status != 206,
      let text = response.headers["Content-Location"],
      (try? response.url.resolving(text)) == url
    else { return "a response to POST" }
    guard fields.control.maxAge.value != nil || fields.expires != nil else {
      return "a response to POST without an expiration time"
    }
    return refusal(toStore: response, fields)
  }

  /// Whether the cache understands a status (RFC 9111, section 5.2.2.3).
  private static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...206, 300...303, 307, 308, 400, 402...411, 413...415, 417, 421...426, 428, 429, 431,
      451, 500...505:
      true
    default: false
    }
  }
}
