extension CacheRules {
  /// What becomes of the server's answer. `sent` is the request as the cache sent it, `wish` what its
  /// caller wanted, `validating` which stored answer the plan went by.
  func conclude(
    _ answer: HTTPResponse, to wish: CacheWish, sent: HTTPRequest, stored: [StoredAnswer],
    validating: Int?, mayStore: Bool, requestedAt: Double, receivedAt: Double
  ) -> CacheConclusion {
    let asked = RequestFields(wish.request)
    let refusal =
      mayStore ? refusal(toKeep: wish, asked) : "the plan keeps nothing"
    return Answered(
      rules: self, answer: answer, fields: AnswerFields(answer.headers), wish: wish, asked: asked,
      sent: RequestFields(sent), stored: stored,
      validating: validating.flatMap { stored.indices.contains($0) ? $0 : nil },
      refusal: refusal, requestedAt: requestedAt, receivedAt: receivedAt
    ).conclusion
  }
}

/// An answer with all that decides what becomes of it.
struct Answered {
  var rules: CacheRules
  var answer: HTTPResponse
  var fields: AnswerFields
  var wish: CacheWish
  /// What the caller said.
  var asked: RequestFields
  /// What was sent.
  var sent: RequestFields
  var stored: [StoredAnswer]
  var validating: Int?
  /// Why nothing may be kept, whatever the answer.
  var refusal: String?
  var requestedAt: Double
  var receivedAt: Double

  var conclusion: CacheConclusion {
    switch wish.request.method {
    case .get, .head: break
    default: return ofOtherMethod
    }
    if answer.status == 304 { return asked.mayBeUnchanged ? ofCallersCondition : ofOwnCondition }
    if wish.request.method == .head { return ofHead }
    let asksForRest = sent.range != nil && asked.range == nil
    if asksForRest, answer.status == 206 { return ofRest }
    if asksForRest, answer.status == 416 {
      return again("the stored beginning is longer than the whole is now")
    }
    return answer.status == 206 ? ofPart : ofWhole
  }

  /// The answer goes to the caller, and nothing is kept of it.
  func passed(_ why: String) -> CacheConclusion {
    CacheConclusion(response: answer, why: "not stored: " + why)
  }

  func again(_ why: String) -> CacheConclusion {
    CacheConclusion(response: answer, asksAgain: true, why: why)
  }

  /// The answer as it would be stored; `nil` where it fits no other request.
  var candidate: StoredAnswer? {
    let headers = answer.headers.withoutConnectionFields.dated(receivedAt)
    guard
      let selectors = rules.selectors(
        for: answer.headers, request: wish.request, settled: wish.settledFields)
    else { return nil }
    return StoredAnswer(
      status: answer.status, headers: headers, body: answer.body, url: wish.request.url,
      requestedAt: requestedAt, receivedAt: receivedAt, selectors: selectors)
  }

  /// A conclusion that stores an answer; what it takes the place of goes.
  func keeping(_ new: StoredAnswer, for response: HTTPResponse, _ why: String) -> CacheConclusion {
    var conclusion = CacheConclusion(response: response, stored: new, why: why)
    let variant = CacheRules.variant(of: new.selectors)
    // Where `Vary` has changed, the old ones have another variant and would stay for good.
    conclusion.removed = rules.exactMatches(
      in: stored, for: wish.request, settled: wish.settledFields
    ).filter { CacheRules.variant(of: stored[$0].selectors) != variant }
    return conclusion
  }

  func standing(_ answer: StoredAnswer) -> String {
    guard let freshness = rules.freshness(of: answer, now: receivedAt) else {
      return "to be validated each time (no-cache)"
    }
    return freshness.description
  }

  /// Which stored answer fits the request, whatever the plan went by.
  var selected: Int? {
    rules.select(stored, for: wish.request, settled: wish.settledFields, now: receivedAt)
  }
}

extension HTTPMethod {
  /// Whether the method may change what is stored. One that nobody knows may.
  var mayChange: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": false
    default: true
    }
  }
}

extension CacheRules {
  /// The addresses whose answers an answer makes wrong (RFC 9111, section 4.4): the one that was asked and
  /// those that it names, on the same server only.
  func invalidated(by answer: HTTPResponse, to request: HTTPRequest) -> [WebURL] {
    guard request.method.mayChange, (200..<400).contains(answer.status) else { return [] }
    var urls = [request.url]
    for name in ["Location", "Content-Location"] {
      guard let text = answer.headers[name], let url = try? answer.url.resolving(text),
        url.origin == request.url.origin, !urls.contains(url)
      else { continue }
      urls.append(url)
    }
    return urls
  }
}
