internal import Support

extension ReceivedResponse {
  /// Handles a complete response to `GET`.
  var conclusionForCompleteResponse: CacheConclusion {
    if let why = refusal ?? rules.refusal(toStore: response, fields) { return notStored(why) }
    if response.status >= 500, let selected, stored[selected].status < 500 {
      return notStored("an error does not replace a stored response")
    }
    guard let candidate else { return notStored("Vary: *") }
    return storing(candidate, for: response, "stored, " + freshnessText(of: candidate))
  }

  /// Handles a response to a request with a ``HTTPRequest/cacheKey``, by which the program promises that it only
  /// reads. HTTP has no rules for it, so only a success is stored.
  var conclusionForNamedRequest: CacheConclusion {
    guard response.isSuccess, response.status != 206 else {
      return notStored("status \(response.status) of a request with a cacheKey")
    }
    return conclusionForCompleteResponse
  }

  /// Handles a response to an unsafe method, or to one that is never cached.
  var conclusionForOtherMethod: CacheConclusion {
    let method = lookup.request.method
    var conclusion = CacheConclusion(response: response, why: "")
    conclusion.invalidated = lookup.request.changedAddresses(by: response)
    guard method == .post else {
      conclusion.why = "not stored: a response to \(method)"
      return conclusion
    }
    let refusal =
      refusal ?? rules.refusal(toStorePost: response, fields, of: lookup.request.url)
    guard refusal == nil, let candidate else {
      conclusion.why = "not stored: " + (refusal ?? "Vary: *")
      return conclusion
    }
    conclusion.stored = candidate
    conclusion.why = "stored for GET, " + freshnessText(of: candidate)
    return conclusion
  }

  /// Handles a response to `HEAD`, which validates or invalidates the stored response (RFC 9111, section
  /// 4.3.5).
  var conclusionForHead: CacheConclusion {
    guard response.status == 200 else { return notStored("a response to HEAD") }
    if let why = refusal ?? (fields.control.flags.contains(.noStore) ? "no-store" : nil) {
      return notStored(why)
    }
    var conclusion = CacheConclusion(response: response, why: "not stored: a response to HEAD")
    let matches = rules.exactMatches(
      in: stored, for: lookup.request, ignoring: lookup.partitionFields)
    conclusion.removed = matches.filter { isOutdated(stored[$0]) }
    if !conclusion.removed.isEmpty { conclusion.why = "the stored response is outdated" }
    guard let selected, matches.contains(selected), !conclusion.removed.contains(selected),
      stored[selected].status == 200, describes(stored[selected])
    else { return conclusion }
    let kept = stored[selected].validated(
      by: response.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    guard let updated = withCurrentSelectors(kept, at: selected, &conclusion) else {
      return conclusion
    }
    conclusion.stored = updated
    conclusion.why = "the stored response is current, " + freshnessText(of: updated)
    return conclusion
  }

  /// Whether the response to `HEAD` differs from the stored response to `GET`.
  private func isOutdated(_ old: StoredResponse) -> Bool {
    let known = old.fields
    func differs(_ a: String?, _ b: String?) -> Bool {
      guard let a, let b else { return false }
      return !a.hasSameBytes(as: b)
    }
    if differs(known.etag, fields.etag) || differs(known.lastModified, fields.lastModified) {
      return true
    }
    // The length of a body with another content coding says nothing.
    let codings = old.headers.contentCodings
    guard old.status == 200, codings == response.headers.contentCodings,
      let length = old.headers.contentLength ?? (codings.isEmpty ? old.body.count : nil),
      let announced = response.headers.contentLength
    else { return false }
    return length != announced
  }

  /// Whether the stored response has every validator of the response: a new one may belong to another body.
  private func describes(_ old: StoredResponse) -> Bool {
    let known = old.fields
    return (fields.etag == nil || known.etag != nil)
      && (fields.lastModified == nil || known.lastModified != nil)
  }

  /// Returns a validated response with its current selecting header fields; `nil` if it can't be reused.
  func withCurrentSelectors(
    _ old: StoredResponse, at index: Int, _ conclusion: inout CacheConclusion
  ) -> StoredResponse? {
    var validated = old
    guard let names = CacheRules.varyNames(validated.headers) else {
      conclusion.removed.append(index)
      return nil
    }
    let kept = names.filter { !lookup.partitionFields.contains($0) }
    // A response that was selected by its language keeps the fields of its original request.
    if validated.selectors.map(\.name) != kept,
      let selectors = rules.selectors(
        for: validated.headers, request: lookup.request, ignoring: lookup.partitionFields)
    {
      conclusion.removed.append(index)
      validated.selectors = selectors
    }
    return validated
  }
}

extension ReceivedResponse {
  /// Handles a partial response that the caller requested: the caller gets it, and it is combined with the
  /// stored one.
  var conclusionForPartialResponse: CacheConclusion {
    if let why = refusal ?? rules.refusal(toStore: response, fields) { return notStored(why) }
    guard var candidate, let range = candidate.contentRange else {
      return notStored("not a single range, or content-coded")
    }
    candidate.setRange(range)
    guard let index = selected else {
      return storing(candidate, for: response, "stored the part, " + freshnessText(of: candidate))
    }
    if let combined = stored[index].combined(with: candidate) {
      return storing(
        combined, for: response, "combined with the stored part, " + freshnessText(of: combined))
    }
    if stored[index].status == 200, candidate.status == 206, !isNewer(than: stored[index]) {
      return notStored("a part does not replace the complete response")
    }
    return storing(candidate, for: response, "stored the part, " + freshnessText(of: candidate))
  }

  /// Handles the missing part of an incomplete stored response, which the cache requested.
  var conclusionForMissingPart: CacheConclusion {
    guard let validating, var candidate, let range = candidate.contentRange else {
      return retryUnconditionally("the missing part can't be parsed")
    }
    candidate.setRange(range)
    guard let combined = stored[validating].combined(with: candidate), combined.status == 200 else {
      return retryUnconditionally("the missing part does not belong to the stored one")
    }
    var response = response
    response.status = 200
    response.headers = combined.headers
    response.body = combined.body
    if let why = refusal ?? rules.refusal(toStore: response, ResponseFields(response.headers)) {
      return CacheConclusion(response: response, why: "completed, not stored: " + why)
    }
    return storing(combined, for: response, "completed, " + freshnessText(of: combined))
  }

  /// Whether the validators show that the response has other bytes than the stored one.
  private func isNewer(than old: StoredResponse) -> Bool {
    let known = old.fields
    if let a = known.etag, let b = fields.etag { return !Validators.matchWeakly(a, b) }
    guard let a = known.lastModified, let b = fields.lastModified else { return false }
    return !a.hasSameBytes(as: b)
  }
}
