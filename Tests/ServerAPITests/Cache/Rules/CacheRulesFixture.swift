import Support

@testable import ServerAPI

/// A fixed address and time, for tests of the decisions of a cache.
enum Shop {
  /// 2026-06-01 00:00:00, when responses are received.
  static let now = 1_780_272_000.0
  static let rules = CacheRules(heuristicLimit: 86_400, salt: [1, 2, 3])
  static let url = address("/items")

  static func address(_ path: String, host: String = "shop.example") -> WebURL {
    WebURL(scheme: "https", host: host, port: 443, path: path, query: nil)
  }

  /// Returns a date relative to the time of receipt.
  static func date(_ seconds: Double) -> String { HTTPDate.text(now + seconds) }

  static func request(_ headers: HTTPHeaders = [:], method: HTTPMethod = .get) -> HTTPRequest {
    HTTPRequest(method, url, headers: headers)
  }

  static func response(
    _ status: Int = 200, _ headers: HTTPHeaders = [:], body: String = "0123456789"
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: ResponseBody(text: body), url: url)
  }

  /// Returns a stored response, with a `Date` if it has none.
  static func stored(
    _ headers: HTTPHeaders, status: Int = 200, body: String = "0123456789", at time: Double = now,
    selectors: [StoredResponse.Selector] = []
  ) -> StoredResponse {
    StoredResponse(
      status: status, headers: headers.dated(time), body: ResponseBody(text: body), url: url,
      requestedAt: time, receivedAt: time, selectors: selectors)
  }

  /// Plans a request, some seconds after `now`.
  static func plan(
    _ headers: HTTPHeaders, method: HTTPMethod = .get, mode: CacheMode = .standard,
    _ stored: [StoredResponse], after seconds: Double = 10, validatedSince: Double? = nil
  ) -> CachePlan {
    let lookup = CacheLookup(
      request: request(headers, method: method), mode: mode, validatedSince: validatedSince)
    return rules.plan(lookup, stored: stored, now: now + seconds)
  }

  /// Plans a request without fields.
  static func plan(
    method: HTTPMethod = .get, mode: CacheMode = .standard, _ stored: [StoredResponse],
    after seconds: Double = 10, validatedSince: Double? = nil
  ) -> CachePlan {
    plan([:], method: method, mode: mode, stored, after: seconds, validatedSince: validatedSince)
  }

  /// Plans a request and then decides about its response, as in a call.
  static func conclude(
    _ response: HTTPResponse, _ headers: HTTPHeaders = [:], method: HTTPMethod = .get,
    mode: CacheMode = .standard, stored: [StoredResponse] = [], after seconds: Double = 0
  ) -> CacheConclusion {
    let lookup = CacheLookup(request: request(headers, method: method), mode: mode)
    let plan = rules.plan(lookup, stored: stored, now: now + seconds)
    let forwarding = plan.forwarding ?? CachePlan.Forwarding(request: lookup.request, why: "")
    return rules.conclude(
      response, to: lookup, sent: forwarding.request, stored: stored, validating: forwarding.index,
      mayStore: forwarding.mayStore, requestedAt: now + seconds, receivedAt: now + seconds)
  }

  /// Returns the response as it is stored.
  static func kept(
    _ headers: HTTPHeaders, status: Int = 200, sent: HTTPHeaders = [:]
  ) -> StoredResponse? {
    conclude(response(status, headers), sent).stored
  }
}

extension CachePlan {
  var serving: Serving? { if case .serve(let serving) = self { serving } else { nil } }
  var forwarding: Forwarding? {
    if case .forward(let forwarding) = self { forwarding } else { nil }
  }
  var refusal: String? { if case .refuse(let why) = self { why } else { nil } }
  var isServed: Bool { serving != nil }

  var why: String {
    switch self {
    case .serve(let serving): serving.why
    case .forward(let forwarding): forwarding.why
    case .refuse(let why): why
    }
  }
}

extension ResponseBody {
  var text: String { utf8Text ?? "not UTF-8" }
}
