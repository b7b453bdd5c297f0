/// An answer with all that decides what becomes of it.
struct ReceivedResponse {
  var rules: CacheRules
  var response: HTTPResponse
  var fields: ResponseFields
  var lookup: CacheLookup
  /// What the caller said.
  var asked: RequestFields
  /// What was sent.
  var sent: RequestFields
  var stored: [StoredResponse]
  var validating: Int?
  /// Why nothing may be kept, whatever the answer.
  var refusal: String?
  var requestedAt: Double
  var receivedAt: Double

  var conclusion: CacheConclusion {
    switch lookup.request.method {
    case .get, .head: break
    default: return ofOtherMethod
    }
    if response.status == 304 { return asked.mayBeUnchanged ? ofCallersCondition : ofOwnCondition }
    if lookup.request.method == .head { return ofHead }
    let asksForRest = sent.range != nil && asked.range == nil
    if asksForRest, response.status == 206 { return ofRest }
    if asksForRest, response.status == 416 {
      return again("the stored beginning is longer than the whole is now")
    }
    return response.status == 206 ? conclusionForPart : conclusionForWhole
  }

  /// The answer goes to the caller, and nothing is kept of it.
  func passed(_ why: String) -> CacheConclusion {
    CacheConclusion(response: response, why: "not stored: " + why)
  }

  func again(_ why: String) -> CacheConclusion {
    CacheConclusion(response: response, asksAgain: true, why: why)
  }

  /// The answer as it would be stored; `nil` where it fits no other request.
  var candidate: StoredResponse? {
    let headers = response.headers.withoutConnectionFields.dated(receivedAt)
    guard
      let selectors = rules.selectors(
        for: response.headers, request: lookup.request, settled: lookup.settledFields)
    else { return nil }
    return StoredResponse(
      status: response.status, headers: headers, body: response.body, url: lookup.request.url,
      requestedAt: requestedAt, receivedAt: receivedAt, selectors: selectors)
  }

  /// A conclusion that stores an answer; what it takes the place of goes.
  func keeping(_ new: StoredResponse, for response: HTTPResponse, _ why: String) -> CacheConclusion
  {
    var conclusion = CacheConclusion(response: response, stored: new, why: why)
    let variant = CacheRules.variant(of: new.selectors)
    // Where `Vary` has changed, the old ones have another variant and would stay for good.
    conclusion.removed = rules.exactMatches(
      in: stored, for: lookup.request, settled: lookup.settledFields
    ).filter { CacheRules.variant(of: stored[$0].selectors) != variant }
    return conclusion
  }

  func standing(_ response: StoredResponse) -> String {
    guard let freshness = rules.freshness(of: response, now: receivedAt) else {
      return "to be validated each time (no-cache)"
    }
    return freshness.description
  }

  /// Which stored answer fits the request, whatever the plan went by.
  var selected: Int? {
    rules.select(stored, for: lookup.request, settled: lookup.settledFields, now: receivedAt)
  }
}

extension ReceivedResponse {
  /// `304` to conditions of the caller's is for the caller. What is stored gains by it where it is what the
  /// server means.
  var ofCallersCondition: CacheConclusion {
    if let refusal { return passed(refusal) }
    guard let index = selected, isMeant(stored[index]) else {
      return CacheConclusion(response: response, why: "unchanged for the caller")
    }
    var conclusion = CacheConclusion(response: response, why: "")
    confirm(index, &conclusion)
    conclusion.why = "unchanged for the caller; " + conclusion.why
    return conclusion
  }

  /// Whether the caller's conditions, or the answer, name the validator of a stored answer.
  private func isMeant(_ old: StoredResponse) -> Bool {
    let known = ResponseFields(old.headers)
    if let etag = known.etag, let shown = fields.etag {
      return Validators.matchWeakly(etag, shown)
    }
    // Without a validator in the answer, that of the request was meant. A list leaves open which.
    if let etag = known.etag {
      return asked.ifNoneMatch.count == 1 && Validators.matchWeakly(asked.ifNoneMatch[0], etag)
    }
    guard let modified = known.lastModified, asked.ifNoneMatch.isEmpty else { return false }
    return (fields.lastModified ?? asked.ifModifiedSince)?.hasSameBytes(as: modified) ?? false
  }

  /// `304` to conditions that the cache has set.
  var ofOwnCondition: CacheConclusion {
    guard let validating, sent.mayBeUnchanged else {
      return passed("nobody asked whether it has changed")
    }
    guard stored[validating].isMeant(by: fields) else {
      return again("the server confirms another answer than the stored one")
    }
    var conclusion = CacheConclusion(response: response, why: "")
    let confirmed = confirm(validating, &conclusion)
    guard
      var response = confirmed.response(
        to: lookup.request, asked, ResponseFields(confirmed.headers))
    else { return again("what was confirmed is not what is asked for") }
    response.source = .validated
    response.timings = self.response.timings
    response.interim = self.response.interim
    response.attempts = self.response.attempts
    conclusion.response = response
    return conclusion
  }

  /// Puts what `304` says into a stored answer, and says what becomes of it.
  @discardableResult private func confirm(
    _ index: Int, _ conclusion: inout CacheConclusion
  ) -> StoredResponse {
    let confirmed = stored[index].confirmed(
      by: response.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    if let refusal {
      conclusion.why = "unchanged, not stored: " + refusal
      return confirmed
    }
    let control = ResponseFields(confirmed.headers).control.flags
    if control.contains(.noStore), !control.contains(.mustUnderstand) {
      conclusion.removed = [index]
      conclusion.why = "unchanged, not stored any more: no-store"
      return confirmed
    }
    conclusion.stored = reselected(confirmed, at: index, &conclusion)
    conclusion.why =
      conclusion.stored.map { "unchanged, " + standing($0) }
      ?? "unchanged, not stored any more: Vary: *"
    return confirmed
  }
}
