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
  func isNotModified(_ response: StoredResponse, _ fields: ResponseFields) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if !ifNoneMatch.isEmpty {
      return ifNoneMatch.contains { matches(fields.etag, in: $0) }
    }
    guard
      let since = ifModifiedSince.flatMap({
        HTTPDate.seconds($0, now: response.receivedAt)
      }),
      let modified = fields.lastModified ?? fields.date
    else { return false }
    return HTTPDate.seconds(modified, now: response.receivedAt).map { $0 <= since } ?? false
  }

  /// Whether `If-Range` is missing or matches the stored response, so that a range may be served.
  func matchesIfRange(_ response: StoredResponse, _ fields: ResponseFields) -> Bool {
    guard let ifRange else { return true }
    return Validators.strong(fields, receivedAt: response.receivedAt)?.hasSameBytes(as: ifRange)
      ?? false
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
