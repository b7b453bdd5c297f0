extension StoredCandidate {
  /// Adds the stored validators as conditions to a request. Also returns the name of the field with the
  /// preferred validator; `nil` if the response has none (RFC 9111, section 4.3.1).
  func validating(_ request: HTTPRequest) -> (request: HTTPRequest, by: String)? {
    // Servers ignore conditions for other statuses.
    guard (200..<300).contains(stored.status) else { return nil }
    var request = request
    if let etag = fields.etag { request.headers["If-None-Match"] = etag }
    if let modified = fields.lastModified { request.headers["If-Modified-Since"] = modified }
    if fields.etag != nil { return (request, "ETag") }
    return fields.lastModified == nil ? nil : (request, "Last-Modified")
  }

  /// Returns the request for the missing end of an incomplete response; `nil` without a strong validator, which
  /// proves that both parts belong together.
  func completing(_ request: HTTPRequest) -> HTTPRequest? {
    guard let available = stored.contentRange, available.bytes.lowerBound == 0,
      !available.isComplete,
      let validator = Validators.strong(fields, receivedAt: stored.receivedAt)
    else { return nil }
    var request = request
    request.headers["Range"] = "bytes=\(available.bytes.upperBound)-"
    request.headers["If-Range"] = validator
    // A part of encoded content is not a part of the stored bytes.
    if request.headers["Accept-Encoding"] == nil {
      request.headers["Accept-Encoding"] = "identity"
    }
    return request
  }
}

extension StoredResponse {
  /// Whether a `304` with these fields validates this response (RFC 9111, section 4.3.4): its validator, if
  /// present, must match.
  func isValidated(by unchanged: ResponseFields) -> Bool {
    let fields = ResponseFields(headers)
    if let etag = fields.etag {
      return unchanged.etag.map { Validators.matchWeakly($0, etag) } ?? true
    }
    guard let modified = fields.lastModified, let received = unchanged.lastModified else {
      return true
    }
    return received.hasSameBytes(as: modified)
  }

  /// Returns the response updated after a successful validation.
  func validated(
    by headers: HTTPHeaders, requestedAt: Double, receivedAt: Double
  ) -> StoredResponse {
    var response = self
    // With its old date, the response would stay as old as before.
    response.headers = response.headers.updated(by: headers.dated(receivedAt))
    (response.requestedAt, response.receivedAt) = (requestedAt, receivedAt)
    return response
  }
}
