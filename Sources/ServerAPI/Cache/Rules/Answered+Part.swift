extension Answered {
  /// A part that the caller asked for: it goes to the caller, and to what is stored.
  var ofPart: CacheConclusion {
    if let why = refusal ?? rules.refusal(toKeep: answer, fields) { return passed(why) }
    guard var candidate, let range = candidate.contentRange else {
      return passed("no single part, or one in a coding")
    }
    candidate.describe(range)
    guard let index = selected else {
      return keeping(candidate, for: answer, "stored the part, " + standing(candidate))
    }
    if let whole = stored[index].combined(with: candidate) {
      return keeping(whole, for: answer, "stored with the part before, " + standing(whole))
    }
    if stored[index].status == 200, candidate.status == 206, !isNewer(than: stored[index]) {
      return passed("a part does not take the place of the whole")
    }
    return keeping(candidate, for: answer, "stored the part, " + standing(candidate))
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
    var response = answer
    response.status = 200
    response.headers = whole.headers
    response.body = whole.body
    if let why = refusal ?? rules.refusal(toKeep: response, AnswerFields(response.headers)) {
      return CacheConclusion(response: response, why: "completed, not stored: " + why)
    }
    return keeping(whole, for: response, "completed, " + standing(whole))
  }

  /// Whether the answer is of other bytes than what is stored, as its validators say.
  private func isNewer(than old: StoredAnswer) -> Bool {
    let known = AnswerFields(old.headers)
    if let a = known.etag, let b = fields.etag { return !Validators.matchWeakly(a, b) }
    guard let a = known.lastModified, let b = fields.lastModified else { return false }
    return !a.hasSameBytes(as: b)
  }
}
