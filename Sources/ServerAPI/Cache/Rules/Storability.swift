internal import Support

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

extension HTTPHeaders {
  /// The fields without the connection-specific ones (RFC 9111, section 3.1).
  ///
  /// `Connection` may name others, but not `Cache-Control` and `Vary`: without them, the response could be used
  /// more widely than its server allows.
  var withoutConnectionFields: HTTPHeaders {
    var named: Set<String> = []
    for value in values("Connection") {
      value.withBytes { bytes in
        bytes.forEachMember { named.insert(String(decoding: $0, as: UTF8.self).asciiLowercased) }
      }
    }
    named.subtract(["cache-control", "vary"])
    // It counts for nothing beside a transfer coding, which is not stored.
    if hasTransferCoding { named.insert("content-length") }
    return HTTPHeaders(
      fields.filter { field in
        !Self.belongsToConnection(field.name)
          && (named.isEmpty || !named.contains(field.name.asciiLowercased))
      })
  }

  /// Returns these fields, updated with those of a newer response about the same body (RFC 9111, section 3.2).
  func updated(by new: HTTPHeaders) -> HTTPHeaders {
    let hasETag = self["ETag"] != nil
    let replacements = new.withoutConnectionFields.fields.filter { field in
      !Self.describesBody(field.name) && !(hasETag && field.name.equalsIgnoringCase("ETag"))
    }
    var replaced = Set(replacements.map(\.name.asciiLowercased))
    // A missing `Age` resets the age; otherwise the response would stay as old as before.
    replaced.insert("age")
    return HTTPHeaders(fields.filter { !replaced.contains($0.name.asciiLowercased) } + replacements)
  }

  /// Returns the fields with a `Date`: the time of receipt if the server sent none (RFC 9110, section 6.6.1).
  func dated(_ receivedAt: Double) -> HTTPHeaders {
    guard self["Date"] == nil else { return self }
    var headers = self
    headers.add("Date", HTTPDate.text(receivedAt))
    return headers
  }

  private static func belongsToConnection(_ name: String) -> Bool {
    let names = ["Connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade", "Trailer"]
    return names.contains { name.equalsIgnoringCase($0) }
      || name.utf8.count > 6 && name.hasPrefixIgnoringCase("Proxy-")
  }

  /// Whether a field describes the stored bytes, and therefore stays with them.
  private static func describesBody(_ name: String) -> Bool {
    let names = ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"]
    return names.contains { name.equalsIgnoringCase($0) }
  }
}
