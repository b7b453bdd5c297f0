internal import Support

/// Compares validators by RFC 9110, section 8.8.
enum Validators {
  /// Whether two entity tags match by weak comparison. A tag without quotes is invalid, and matches only
  /// itself.
  static func matchWeakly(_ a: String, _ b: String) -> Bool {
    a.withBytes { a in b.withBytes { b in !a.isEmpty && opaque(a).elementsEqual(opaque(b)) } }
  }

  /// Whether an entity tag is a strong validator.
  static func isStrong(_ etag: String) -> Bool {
    etag.withBytes { $0.count > 1 && $0[0] == 0x22 && $0[$0.count - 1] == 0x22 }
  }

  /// Returns the strong validator of a response: its entity tag, or a `Last-Modified` at least a minute before
  /// its `Date`, so that it can't have changed again within the same second.
  static func strong(_ fields: ResponseFields, receivedAt: Double) -> String? {
    if let etag = fields.etag { return isStrong(etag) ? etag : nil }
    guard let text = fields.lastModified,
      let modified = HTTPDate.seconds(text, now: receivedAt),
      let date = fields.date.flatMap({ HTTPDate.seconds($0, now: receivedAt) }),
      date - modified >= 60
    else { return nil }
    return text
  }

  private static func opaque(
    _ etag: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    etag.count > 1 && etag[0] == 0x57 && etag[1] == 0x2F
      ? UnsafeBufferPointer(rebasing: etag[2...]) : etag
  }
}

extension RequestFields {
  /// Whether the stored response meets the caller's conditions for `304` (RFC 9111, section 4.3.2). Entity tags
  /// take precedence over dates.
  func isNotModified(_ response: StoredResponse) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if !ifNoneMatch.isEmpty {
      return ifNoneMatch.contains { matches(response.fields.etag, in: $0) }
    }
    guard
      let since = ifModifiedSince.flatMap({
        HTTPDate.seconds($0, now: response.receivedAt)
      }),
      let modified = response.fields.lastModified ?? response.fields.date
    else { return false }
    return HTTPDate.seconds(modified, now: response.receivedAt).map { $0 <= since } ?? false
  }

  /// Whether `If-Range` is missing or matches the stored response, so that a range may be served.
  func matchesIfRange(_ response: StoredResponse) -> Bool {
    guard let ifRange else { return true }
    return Validators.strong(response.fields, receivedAt: response.receivedAt)?
      .hasSameBytes(as: ifRange) ?? false
  }

  /// Whether a list of entity tags contains `*` or the tag.
  private func matches(_ etag: String?, in list: String) -> Bool {
    list.withBytes { bytes in
      if bytes.count == 1, bytes[0] == 0x2A { return true }
      guard let etag else { return false }
      var isMatch = false
      bytes.forEachMember(escapes: false) { member in
        guard !isMatch, member.count <= etag.utf8.count + 2 else { return }
        isMatch = Validators.matchWeakly(String(decoding: member, as: UTF8.self), etag)
      }
      return isMatch
    }
  }
}

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
