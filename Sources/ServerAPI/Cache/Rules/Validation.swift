extension StoredCandidate {
  /// The request with the conditions that let the server say that the answer is still good, and the name
  /// of what they go by; `nil` where the answer has no validator (RFC 9111, section 4.3.1).
  func validating(_ request: HTTPRequest) -> (request: HTTPRequest, by: String)? {
    // For other answers a server does not look at conditions.
    guard (200..<300).contains(stored.status) else { return nil }
    var request = request
    if let etag = fields.etag { request.headers["If-None-Match"] = etag }
    if let modified = fields.lastModified { request.headers["If-Modified-Since"] = modified }
    if fields.etag != nil { return (request, "ETag") }
    return fields.lastModified == nil ? nil : (request, "Last-Modified")
  }

  /// The request for what is missing behind the stored beginning; `nil` where it could not be told
  /// whether both belong together.
  func completing(_ request: HTTPRequest) -> HTTPRequest? {
    guard let held = stored.contentRange, held.bytes.lowerBound == 0, !held.isWhole,
      let validator = Validators.strong(fields, receivedAt: stored.receivedAt)
    else { return nil }
    var request = request
    request.headers["Range"] = "bytes=\(held.bytes.upperBound)-"
    request.headers["If-Range"] = validator
    // A part of what was packed is no part of what is stored.
    if request.headers["Accept-Encoding"] == nil {
      request.headers["Accept-Encoding"] = "identity"
    }
    return request
  }
}

extension StoredResponse {
  /// Whether `304` with these fields is about this answer (RFC 9111, section 4.3.4): its validator, where it
  /// has one, is the same.
  func isMeant(by unchanged: ResponseFields) -> Bool {
    let fields = ResponseFields(headers)
    if let etag = fields.etag {
      return unchanged.etag.map { Validators.matchWeakly($0, etag) } ?? true
    }
    guard let modified = fields.lastModified, let shown = unchanged.lastModified else {
      return true
    }
    return shown.hasSameBytes(as: modified)
  }

  /// The answer after the server confirmed it.
  func confirmed(
    by headers: HTTPHeaders, requestedAt: Double, receivedAt: Double
  ) -> StoredResponse {
    var response = self
    // An old date would make it as old as before.
    response.headers = response.headers.refreshed(by: headers.dated(receivedAt))
    (response.requestedAt, response.receivedAt) = (requestedAt, receivedAt)
    return response
  }
}
