import Testing

@testable import ServerAPI

@Suite struct RedirectPolicyTests {
  static func request(
    _ method: HTTPMethod = .get, _ url: String = "https://a.example/one/two?x=1"
  ) throws -> HTTPRequest {
    HTTPRequest(
      method, try WebURL(url),
      headers: [
        "accept": "application/json", "Accept-Language": "en", "User-Agent": "t", "Range": "b=0-",
        "traceparent": "00", "Content-Type": "text/plain", "Content-Signature": "s",
        "Authorization": "secret", "Cookie": "c=1", "X-Api-Key": "secret",
        "Proxy-Authorization": "p",
        "Accept-Token": "secret", "If-None-Match": "e", "baggage": "user=1", "Referer": "r",
      ], body: method == .get || method == .head ? nil : .text("body"))
  }

  static func response(_ status: Int, _ location: String?) throws -> HTTPResponse {
    HTTPResponse(
      status: status, headers: location.map { ["Location": $0] } ?? [:],
      url: try WebURL("https://a.example/"))
  }

  func decide(
    _ status: Int, _ location: String?, to request: HTTPRequest, policy: RedirectPolicy = .init()
  ) throws -> RedirectDecision {
    var history = RedirectHistory()
    return policy.decide(try Self.response(status, location), to: request, history: &history)
  }

  @Test(arguments: [
    (301, HTTPMethod.post, HTTPMethod.get, false), (302, .post, .get, false),
    (303, .post, .get, false), (307, .post, .post, true), (308, .post, .post, true),
    (301, .put, .put, true), (302, .query, .query, true), (302, .delete, .delete, true),
    (303, .put, .get, false), (303, .query, .get, false), (303, .head, .head, false),
    (301, .head, .head, false), (302, .get, .get, false), (308, .get, .get, false),
  ])
  func `method and body follow the status`(
    status: Int, before: HTTPMethod, after: HTTPMethod, keepsBody: Bool
  ) throws {
    let decision = try decide(status, "/next", to: Self.request(before))
    let next = try #require(decision.next)
    #expect(next.method == after)
    #expect((next.body != nil) == keepsBody)
    if before != .get, before != .head {
      #expect((next.headers["Content-Type"] != nil) == keepsBody)
      #expect((next.headers["Content-Signature"] != nil) == keepsBody)
    }
    #expect(next.headers["Authorization"] == "secret")
  }

  @Test(arguments: [
    ("c", "https://a.example/one/c"), ("../c", "https://a.example/c"),
    ("/c?d=1#frag", "https://a.example/c?d=1"), ("?y=2", "https://a.example/one/two?y=2"),
    ("//b.example/x", "https://b.example/x"), ("HTTPS://A.EXAMPLE:443/c", "https://a.example/c"),
  ])
  func `the address is resolved against the address of the response`(location: String, url: String)
    throws
  {
    #expect(try decide(302, location, to: Self.request()).next?.url.description == url)
  }

  @Test(arguments: [
    ("https://b.example/"), ("https://a.example:8443/"), ("https://sub.a.example/"),
  ])
  func `another origin only gets fields that describe the request`(location: String) throws {
    let kept = ["accept", "Accept-Language", "User-Agent", "Range", "traceparent"]
    #expect(
      try decide(302, location, to: Self.request()).next?.headers.fields.map(\.name) == kept)
    var policy = RedirectPolicy()
    policy.crossOrigin = .followWithBody
    let post = try decide(307, location, to: Self.request(.post), policy: policy).next
    #expect(post?.headers.fields.map(\.name) == kept + ["Content-Type"])
    #expect(post?.body == .text("body"))
  }

  @Test(arguments: [
    (307, HTTPMethod.post), (308, .post), (301, .put), (302, .patch), (302, .query), (308, .delete),
  ])
  func `a body goes to another origin only if the policy allows it`(
    status: Int, method: HTTPMethod
  ) throws {
    let location = "https://b.example/x?token=t"
    #expect(
      try decide(status, location, to: Self.request(method)).failure
        == .crossOriginBody("https://b.example"))
    #expect(try decide(303, location, to: Self.request(method)).next?.body == nil)
    var request = try Self.request(method)
    request.body = nil
    #expect(try decide(status, location, to: request).next?.method == method)
  }

  @Test(arguments: [
    ("https://b.example/x", true), ("https://a.example/x", false), ("https://c.example/", false),
    ("http://b.example/", false), ("https://b.example:444/", false),
  ])
  func `redirects of a list may only lead to its home`(location: String, isFollowed: Bool) throws {
    var policy = RedirectPolicy()
    policy.home = try WebURL("https://b.example").origin
    policy.allowsDowngrade = true
    for start in ["https://asked.example/", "https://b.example/1"] {
      let decision = try decide(302, location, to: Self.request(.get, start), policy: policy)
      #expect((decision.next != nil) == isFollowed, "\(decision)")
    }
  }

  @Test(arguments: [
    (302, String?.none, RequestError.RedirectFailure.noLocation),
    (301, "", .loop), (307, "https://", .badLocation),
    (307, "https://u:p@b.example/", .badLocation),
    (302, "http://a.example/", .downgrade), (302, "file:///etc/hostname", .scheme("file")),
    (308, "JavaScript:alert(1)", .scheme("javascript")), (302, "/a\u{1}", .badLocation),
    (302, "https://a.example:99999/", .badLocation),
  ])
  func `a redirect that can't be followed safely is an error`(
    status: Int, location: String?, failure: RequestError.RedirectFailure
  ) throws {
    #expect(try decide(status, location, to: Self.request()).failure == failure)
  }

  @Test func `a long scheme is truncated in the error`() throws {
    let request = HTTPRequest(.get, try WebURL("https://a.example/"))
    var history = RedirectHistory()
    let decision = RedirectPolicy().decide(
      HTTPResponse(
        status: 302, headers: ["Location": String(repeating: "s", count: 90_000) + ":x"],
        url: request.url), to: request, history: &history)
    guard case .fail(.scheme(let scheme)) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(scheme.count == 32)
  }

  @Test func `two different addresses are invalid`() throws {
    var response = try Self.response(302, "/a")
    response.headers.add("location", "/b")
    var history = RedirectHistory()
    let decision = RedirectPolicy().decide(response, to: try Self.request(), history: &history)
    #expect(decision.failure == .badLocation)
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 399, 404])
  func `other statuses are final whatever their fields are`(status: Int) throws {
    #expect(try decide(status, "https://b.example/", to: Self.request()).isFinal)
  }

  @Test func `a maximum of zero makes the redirect final`() throws {
    var policy = RedirectPolicy()
    policy.maximum = 0
    #expect(try decide(302, "/next", to: Self.request(), policy: policy).isFinal)
  }

  @Test func `the policy allows and refuses redirects`() throws {
    var policy = RedirectPolicy()
    policy.crossOrigin = .refuse
    #expect(
      try decide(302, "https://b.example/x", to: Self.request(), policy: policy).failure
        == .crossOrigin("https://b.example"))
    policy = RedirectPolicy()
    policy.allowsDowngrade = true
    let next = try decide(302, "http://a.example/", to: Self.request(), policy: policy).next
    #expect(next?.headers["Authorization"] == nil)
    #expect(next?.url.scheme == "http")
  }

  @Test func `a loop is detected at its first repetition`() throws {
    var history = RedirectHistory()
    var request = try Self.request(.get, "https://a.example/1")
    for location in ["/2", "/3"] {
      let decision = RedirectPolicy().decide(
        try Self.response(302, location), to: request, history: &history)
      request = try #require(decision.next)
    }
    let back = RedirectPolicy().decide(try Self.response(302, "/1"), to: request, history: &history)
    #expect(back.failure == .loop)
  }

  @Test(arguments: [(0, true), (1, false)])
  func `the same address is only requested again with new cookies`(
    cookiesAtStart: Int, follows: Bool
  ) throws {
    var history = RedirectHistory(cookies: cookiesAtStart)
    let decision = RedirectPolicy().decide(
      try Self.response(302, "/1"), to: try Self.request(.get, "https://a.example/1"),
      history: &history, cookies: 1)
    #expect((decision.next != nil) == follows)
  }

  @Test func `hops are counted`() throws {
    var policy = RedirectPolicy()
    policy.maximum = 2
    var history = RedirectHistory()
    var request = try Self.request()
    for hop in 0..<2 {
      let decision = policy.decide(
        try Self.response(302, "/\(hop)"), to: request, history: &history)
      request = try #require(decision.next)
    }
    let third = policy.decide(try Self.response(302, "/3"), to: request, history: &history)
    #expect(third.failure == .tooMany(2))
  }
}

extension RedirectDecision {
  fileprivate var next: HTTPRequest? { if case .follow(let next) = self { next } else { nil } }
  fileprivate var failure: RequestError.RedirectFailure? {
    if case .fail(let failure) = self { failure } else { nil }
  }
  fileprivate var isFinal: Bool { if case .final = self { true } else { false } }
}
