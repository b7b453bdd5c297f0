internal import Support

/// Validators as RFC 9110, section 8.8, compares them.
enum Validators {
  /// Whether two entity tags mean the same content, be it to the byte or not. One without quotation
  /// marks, which is none, is the same as itself.
  static func matchWeakly(_ a: String, _ b: String) -> Bool {
    a.withBytes { a in b.withBytes { b in !a.isEmpty && opaque(a).elementsEqual(opaque(b)) } }
  }

  /// Whether an entity tag stands for the same bytes whenever it comes.
  static func isStrong(_ etag: String) -> Bool {
    etag.withBytes { $0.count > 1 && $0[0] == 0x22 && $0[$0.count - 1] == 0x22 }
  }

  /// What stands for the very bytes of an answer: its entity tag, or when it was modified where that was
  /// a minute or more before it was sent, so that it can't have changed again within the second.
  static func strong(_ fields: ResponseFields, receivedAt: Double) -> String? {
    if let etag = fields.etag { return isStrong(etag) ? etag : nil }
    guard let text = fields.lastModified,
      let modified = HTTPDate.seconds(text, now: receivedAt),
      let made = fields.date.flatMap({ HTTPDate.seconds($0, now: receivedAt) }),
      made - modified >= 60
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
  /// Whether the caller has what is stored (RFC 9111, section 4.3.2). Entity tags go before dates.
  func isUnchanged(_ response: StoredResponse, _ fields: ResponseFields) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if !ifNoneMatch.isEmpty {
      return ifNoneMatch.contains { names(fields.etag, in: $0) }
    }
    guard
      let since = ifModifiedSince.flatMap({
        HTTPDate.seconds($0, now: response.receivedAt)
      }),
      let modified = fields.lastModified ?? fields.date
    else { return false }
    return HTTPDate.seconds(modified, now: response.receivedAt).map { $0 <= since } ?? false
  }

  /// Whether the part that is asked for may be one of what is stored: `If-Range` names it, or there is none.
  func rangeFits(_ response: StoredResponse, _ fields: ResponseFields) -> Bool {
    guard let ifRange else { return true }
    return Validators.strong(fields, receivedAt: response.receivedAt)?.hasSameBytes(as: ifRange)
      ?? false
  }

  /// Whether `*` or the tag stands in a list of entity tags.
  private func names(_ etag: String?, in list: String) -> Bool {
    list.withBytes { bytes in
      if bytes.count == 1, bytes[0] == 0x2A { return true }
      guard let etag else { return false }
      var isNamed = false
      bytes.forEachMember(escapes: false) { member in
        guard !isNamed, member.count <= etag.utf8.count + 2 else { return }
        isNamed = Validators.matchWeakly(String(decoding: member, as: UTF8.self), etag)
      }
      return isNamed
    }
  }
}
