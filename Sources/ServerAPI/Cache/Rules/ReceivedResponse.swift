internal import Support

/// A received response, with everything that the decision about it depends on.
struct ReceivedResponse {
  var rules: CacheRules
  var response: HTTPResponse
  var fields: ResponseFields
  var lookup: CacheLookup
  /// The fields of the caller's request.
  var requestFields: RequestFields
  /// The fields of the request as sent.
  var sent: RequestFields
  var stored: [StoredResponse]
  var validating: Int?
  /// The reason not to store any response; `nil` if there is none.
  var refusal: String?
  var requestedAt: Double
  var receivedAt: Double

  var conclusion: CacheConclusion {
    switch lookup.request.method {
    case .get, .head: break
    default:
      guard lookup.request.cacheKey == nil else { return conclusionForNamedRequest }
      return conclusionForOtherMethod
    }
    if response.status == 304 {
      return requestFields.allowsNotModified
        ? conclusionForCallerCondition : conclusionForCacheCondition
    }
    if lookup.request.method == .head { return conclusionForHead }
    let requestsMissingPart = sent.range != nil && requestFields.range == nil
    if requestsMissingPart, response.status == 206 { return conclusionForMissingPart }
    if requestsMissingPart, response.status == 416 {
      return retryUnconditionally("the stored part is longer than the complete response")
    }
    return response.status == 206 ? conclusionForPartialResponse : conclusionForCompleteResponse
  }

  /// Passes the response to the caller without storing it.
  func notStored(_ why: String) -> CacheConclusion {
    CacheConclusion(response: response, why: "not stored: " + why)
  }

  func retryUnconditionally(_ why: String) -> CacheConclusion {
    CacheConclusion(response: response, retriesUnconditionally: true, why: why)
  }

  /// The response in its stored form; `nil` if it matches no other request.
  var candidate: StoredResponse? {
    let headers = response.headers.withoutConnectionFields.dated(receivedAt)
    guard
      let selectors = rules.selectors(
        for: response.headers, request: lookup.request, ignoring: lookup.partitionFields)
    else { return nil }
    return StoredResponse(
      status: response.status, headers: headers, body: response.body, url: lookup.request.url,
      requestedAt: requestedAt, receivedAt: receivedAt, selectors: selectors)
  }

  /// Stores a response, and removes the stored ones that it replaces.
  func storing(_ new: StoredResponse, for response: HTTPResponse, _ why: String) -> CacheConclusion {
    var conclusion = CacheConclusion(response: response, stored: new, why: why)
    let variant = CacheRules.variant(of: new.selectors)
    // After a change of `Vary`, the old responses have another variant and would never be replaced.
    conclusion.removed = rules.exactMatches(
      in: stored, for: lookup.request, ignoring: lookup.partitionFields
    ).filter { CacheRules.variant(of: stored[$0].selectors) != variant }
    return conclusion
  }

  func freshnessText(of response: StoredResponse) -> String {
    guard
      let freshness = rules.freshness(
        of: response, lasting: lookup.request.cacheLifetime, now: receivedAt)
    else {
      return "validated on every use (no-cache)"
    }
    return freshness.description
  }

  /// The index of the selected stored response, which may differ from the one in the plan.
  var selected: Int? {
    rules.select(stored, for: lookup.request, ignoring: lookup.partitionFields)
  }
}

extension ReceivedResponse {
  /// Passes a `304` for the caller's conditions to the caller. It also updates the stored response that it
  /// validates.
  var conclusionForCallerCondition: CacheConclusion {
    if let refusal { return notStored(refusal) }
    guard let index = selected, validates(stored[index]) else {
      return CacheConclusion(response: response, why: "unchanged for the caller")
    }
    var conclusion = CacheConclusion(response: response, why: "")
    updateStored(index, &conclusion)
    conclusion.why = "unchanged for the caller; " + conclusion.why
    return conclusion
  }

  /// Whether the response, or the caller's condition, names the validator of a stored response.
  private func validates(_ old: StoredResponse) -> Bool {
    let known = old.fields
    if let etag = known.etag, let received = fields.etag {
      return Validators.matchWeakly(etag, received)
    }
    // Without a validator in the response, the one of the request counts. A list does not say which.
    if let etag = known.etag {
      return requestFields.ifNoneMatch.count == 1
        && Validators.matchWeakly(requestFields.ifNoneMatch[0], etag)
    }
    guard let modified = known.lastModified, requestFields.ifNoneMatch.isEmpty else { return false }
    return (fields.lastModified ?? requestFields.ifModifiedSince)?.hasSameBytes(as: modified)
      ?? false
  }

  /// Handles a `304` for the conditions of the cache.
  var conclusionForCacheCondition: CacheConclusion {
    guard let validating, sent.allowsNotModified else {
      return notStored("304 to an unconditional request")
    }
    guard stored[validating].isValidated(by: fields) else {
      return retryUnconditionally("the server validated another response than the stored one")
    }
    var conclusion = CacheConclusion(response: response, why: "")
    let validated = updateStored(validating, &conclusion)
    guard
      var response = validated.response(to: lookup.request, requestFields, validated.headers)
    else { return retryUnconditionally("the validated response does not satisfy the request") }
    response.source = .validated
    response.timings = self.response.timings
    response.interim = self.response.interim
    response.attempts = self.response.attempts
    conclusion.response = response
    return conclusion
  }

  /// Updates a stored response with the fields of a `304`, and stores or removes it.
  @discardableResult private func updateStored(
    _ index: Int, _ conclusion: inout CacheConclusion
  ) -> StoredResponse {
    let validated = stored[index].validated(
      by: response.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    if let refusal {
      conclusion.why = "unchanged, not stored: " + refusal
      return validated
    }
    let control = validated.fields.control.flags
    if control.contains(.noStore), !control.contains(.mustUnderstand) {
      conclusion.removed = [index]
      conclusion.why = "unchanged, no longer stored: no-store"
      return validated
    }
    conclusion.stored = withCurrentSelectors(validated, at: index, &conclusion)
    conclusion.why =
      conclusion.stored.map { "unchanged, " + freshnessText(of: $0) }
      ?? "unchanged, no longer stored: Vary: *"
    return validated
  }
}
