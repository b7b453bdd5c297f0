extension ReceivedResponse {
  /// An answer to `GET` that is no part and no confirmation.
  var conclusionForWhole: CacheConclusion {
    if let why = refusal ?? rules.refusal(toKeep: response, fields) { return passed(why) }
    if response.status >= 500, let selected, stored[selected].status < 500 {
      return passed("an error does not take the place of what is stored")
    }
    guard let candidate else { return passed("Vary: *") }
    return keeping(candidate, for: response, "stored, " + standing(candidate))
  }

  /// An answer to a method that may have changed something, or that no cache answers.
  var ofOtherMethod: CacheConclusion {
    let method = lookup.request.method
    var conclusion = CacheConclusion(response: response, why: "")
    conclusion.invalidated = rules.invalidated(by: response, to: lookup.request)
    guard method == .post else {
      conclusion.why = "not stored: an answer to \(method)"
      return conclusion
    }
    let refusal =
      refusal ?? rules.refusal(toKeepPost: response, fields, of: lookup.request.url)
    guard refusal == nil, let candidate else {
      conclusion.why = "not stored: " + (refusal ?? "Vary: *")
      return conclusion
    }
    conclusion.stored = candidate
    conclusion.why = "stored for GET, " + standing(candidate)
    return conclusion
  }

  /// An answer to `HEAD` tells whether what is stored is still the same (RFC 9111, section 4.3.5).
  var ofHead: CacheConclusion {
    guard response.status == 200 else { return passed("an answer to HEAD") }
    if let why = refusal ?? (fields.control.flags.contains(.noStore) ? "no-store" : nil) {
      return passed(why)
    }
    var conclusion = CacheConclusion(response: response, why: "not stored: an answer to HEAD")
    let matches = rules.exactMatches(
      in: stored, for: lookup.request, settled: lookup.settledFields)
    conclusion.removed = matches.filter { isOutdated(stored[$0]) }
    if !conclusion.removed.isEmpty { conclusion.why = "what is stored is outdated" }
    guard let selected, matches.contains(selected), !conclusion.removed.contains(selected),
      stored[selected].status == 200, describes(stored[selected])
    else { return conclusion }
    let kept = stored[selected].confirmed(
      by: response.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    guard let refreshed = reselected(kept, at: selected, &conclusion) else { return conclusion }
    conclusion.stored = refreshed
    conclusion.why = "what is stored is the same, " + standing(refreshed)
    return conclusion
  }

  /// Whether what was said about `GET` differs from what is stored.
  private func isOutdated(_ old: StoredResponse) -> Bool {
    let known = ResponseFields(old.headers)
    func differs(_ a: String?, _ b: String?) -> Bool {
      guard let a, let b else { return false }
      return !a.hasSameBytes(as: b)
    }
    if differs(known.etag, fields.etag) || differs(known.lastModified, fields.lastModified) {
      return true
    }
    // Of a body that travelled in another coding the length says nothing.
    let codings = (old.headers["Content-Encoding"], response.headers["Content-Encoding"])
    guard old.status == 200, !differs(codings.0 ?? "", codings.1 ?? "") else { return false }
    let length = old.headers["Content-Length"] ?? (codings.0 == nil ? String(old.body.count) : nil)
    return differs(length, response.headers["Content-Length"])
  }

  /// Whether what is stored has each validator that the answer has: one that is new may be that of
  /// another body.
  private func describes(_ old: StoredResponse) -> Bool {
    let known = ResponseFields(old.headers)
    return (fields.etag == nil || known.etag != nil)
      && (fields.lastModified == nil || known.lastModified != nil)
  }

  /// A confirmed answer with what selects it now; `nil` where it can't be used again.
  func reselected(
    _ old: StoredResponse, at index: Int, _ conclusion: inout CacheConclusion
  ) -> StoredResponse? {
    var confirmed = old
    guard let names = CacheRules.varyNames(confirmed.headers) else {
      conclusion.removed.append(index)
      return nil
    }
    let kept = names.filter { !lookup.settledFields.contains($0) }
    // An answer that was chosen for its language keeps the fields of the request that it came for.
    if confirmed.selectors.map(\.name) != kept,
      let selectors = rules.selectors(
        for: confirmed.headers, request: lookup.request, settled: lookup.settledFields)
    {
      conclusion.removed.append(index)
      confirmed.selectors = selectors
    }
    return confirmed
  }
}

extension ReceivedResponse {
  /// A part that the caller asked for: it goes to the caller, and to what is stored.
  var conclusionForPart: CacheConclusion {
    if let why = refusal ?? rules.refusal(toKeep: response, fields) { return passed(why) }
    guard var candidate, let range = candidate.contentRange else {
      return passed("no single part, or one in a coding")
    }
    candidate.describe(range)
    guard let index = selected else {
      return keeping(candidate, for: response, "stored the part, " + standing(candidate))
    }
    if let whole = stored[index].combined(with: candidate) {
      return keeping(whole, for: response, "stored with the part before, " + standing(whole))
    }
    if stored[index].status == 200, candidate.status == 206, !isNewer(than: stored[index]) {
      return passed("a part does not take the place of the whole")
    }
    return keeping(candidate, for: response, "stored the part, " + standing(candidate))
  }

  /// The rest of what is stored, which the cache asked for.
  var ofRest: CacheConclusion {
    guard let validating, var candidate, let range = candidate.contentRange else {
      return again("the rest can't be read")
    }
    candidate.describe(range)
    guard let whole = stored[validating].combined(with: candidate), whole.status == 200 else {
      return again("the rest does not belong to the stored beginning")
    }
    var response = response
    response.status = 200
    response.headers = whole.headers
    response.body = whole.body
    if let why = refusal ?? rules.refusal(toKeep: response, ResponseFields(response.headers)) {
      return CacheConclusion(response: response, why: "completed, not stored: " + why)
    }
    return keeping(whole, for: response, "completed, " + standing(whole))
  }

  /// Whether the answer is of other bytes than what is stored, as its validators say.
  private func isNewer(than old: StoredResponse) -> Bool {
    let known = ResponseFields(old.headers)
    if let a = known.etag, let b = fields.etag { return !Validators.matchWeakly(a, b) }
    guard let a = known.lastModified, let b = fields.lastModified else { return false }
    return !a.hasSameBytes(as: b)
  }
}
