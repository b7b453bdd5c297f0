extension Answered {
  /// `304` to conditions of the caller's is for the caller. What is stored gains by it where it is what the
  /// server means.
  var ofCallersCondition: CacheConclusion {
    if let refusal { return passed(refusal) }
    guard let index = selected, isMeant(stored[index]) else {
      return CacheConclusion(response: answer, why: "unchanged for the caller")
    }
    var conclusion = CacheConclusion(response: answer, why: "")
    confirm(index, &conclusion)
    conclusion.why = "unchanged for the caller; " + conclusion.why
    return conclusion
  }

  /// Whether the caller's conditions, or the answer, name the validator of a stored answer.
  private func isMeant(_ old: StoredAnswer) -> Bool {
    let known = AnswerFields(old.headers)
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
      return again("the server says that something has not changed that it was not asked about")
    }
    guard stored[validating].isMeant(by: fields) else {
      return again("the server confirms another answer than the stored one")
    }
    var conclusion = CacheConclusion(response: answer, why: "")
    let confirmed = confirm(validating, &conclusion)
    guard
      var response = confirmed.response(
        to: wish.request, asked, AnswerFields(confirmed.headers))
    else { return again("what was confirmed is not what is asked for") }
    response.source = .validated
    response.timings = answer.timings
    response.interim = answer.interim
    response.attempts = answer.attempts
    conclusion.response = response
    return conclusion
  }

  /// Puts what `304` says into a stored answer, and says what becomes of it.
  @discardableResult private func confirm(
    _ index: Int, _ conclusion: inout CacheConclusion
  ) -> StoredAnswer {
    let confirmed = stored[index].confirmed(
      by: answer.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    if let refusal {
      conclusion.why = "unchanged, not stored: " + refusal
      return confirmed
    }
    let control = AnswerFields(confirmed.headers).control.flags
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
