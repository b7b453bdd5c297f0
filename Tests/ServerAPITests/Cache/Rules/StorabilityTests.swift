import Testing

@testable import ServerAPI

@Suite struct StorabilityTests {
  @Test(
    arguments: [
      (200, [:], true), (200, ["Cache-Control": "no-store"], false),
      (200, ["Cache-Control": "max-age=60", "cache-control": "No-Store"], false),
      (200, ["Cache-Control": "private"], true), (200, ["Cache-Control": "no-cache"], true),
      (404, [:], true), (501, [:], true), (302, [:], false), (500, [:], false), (201, [:], false),
      (302, ["Cache-Control": "max-age=60"], true), (503, ["Expires": Shop.date(60)], true),
      (599, ["Cache-Control": "public"], true), (299, ["Cache-Control": "max-age=60"], true),
      (103, ["Cache-Control": "max-age=60"], false), (412, ["Cache-Control": "max-age=60"], false),
      (416, ["Cache-Control": "max-age=60"], false), (401, ["Cache-Control": "max-age=60"], false),
      (200, ["Cache-Control": "no-store, must-understand"], true),
      (599, ["Cache-Control": "max-age=60, must-understand"], false),
      (200, ["Vary": "*"], false), (200, ["Vary": "Foo, *"], false),
      (200, ["Vary": "", "vary": "*"], false),
      (200, ["Vary": ", *"], false), (200, ["Vary": "Foo"], true), (206, [:], false),
      (206, ["Content-Range": "bytes 0-9/20"], true),
      (206, ["Content-Range": "bytes 9-0/20"], false),
      (206, ["Content-Range": "bytes 0-9/20", "content-range": "bytes 0-9/20"], false),
      (206, ["Content-Range": "bytes 0-9/20", "Content-Encoding": "gzip"], false),
    ] as [(Int, HTTPHeaders, Bool)])
  func `RFC 9111 3: a response is stored unless something forbids it`(
    status: Int, headers: HTTPHeaders, isKept: Bool
  ) {
    let conclusion = Shop.conclude(Shop.response(status, headers))
    #expect((conclusion.stored != nil) == isKept, "\(conclusion.why)")
    #expect(conclusion.why.starts(with: "not stored") == !isKept)
    #expect(conclusion.response.status == status && conclusion.response.source == .network)
  }

  @Test func `RFC 9111 5.2.1.5: no-store in a request prevents storing its response`() {
    #expect(Shop.kept(["Cache-Control": "max-age=60"], sent: ["Cache-Control": "no-store"]) == nil)
    #expect(Shop.kept(["Cache-Control": "max-age=60"], sent: ["Authorization": "me"]) != nil)
    let call = Shop.conclude(Shop.response(), mode: .noStore)
    #expect(call.stored == nil && call.why == "not stored: the plan stores nothing")
  }

  @Test func `RFC 9111 5.2.2.5: no-store does not affect a stored response`() {
    let old = Shop.stored(["Cache-Control": "max-age=60"])
    let conclusion = Shop.conclude(
      Shop.response(200, ["Cache-Control": "no-store"]), stored: [old], after: 100)
    #expect(conclusion.stored == nil && conclusion.removed.isEmpty)
  }

  @Test func `RFC 9111 3.1: connection-specific fields are not stored`() throws {
    let kept = try #require(
      Shop.kept([
        "Connection": "a, B, Cache-Control", "a": "1", "b": "2", "c": "3", "Keep-Alive": "x",
        "Proxy-Connection": "x", "Proxy-Authenticate": "x", "Proxy-Authentication-Info": "x",
        "TE": "x", "Transfer-Encoding": "x", "Upgrade": "x", "Trailer": "x", "Set-Cookie": "d=1",
        "set-cookie": "e=2", "Cache-Control": "max-age=60", "Date": Shop.date(0), "Proxy": "y",
        "Proxy-\u{301}X": "x",
      ]))
    #expect(
      kept.headers == [
        "c": "3", "Set-Cookie": "d=1", "set-cookie": "e=2", "Cache-Control": "max-age=60",
        "Date": Shop.date(0), "Proxy": "y",
      ])
  }

  @Test func `RFC 9110 6.6.1: a response without a date gets the time of receipt`() {
    #expect(Shop.kept([:])?.headers["Date"] == Shop.date(0))
    #expect(Shop.kept(["Date": "foo"])?.headers["Date"] == "foo")
  }

  @Test(
    arguments: [
      (["Cache-Control": "max-age=60", "Content-Location": "/items"], true),
      (["Expires": Shop.date(9), "Content-Location": "items"], true),
      (["Cache-Control": "max-age=60", "Content-Location": "/other"], false),
      (["Cache-Control": "max-age=60"], false), (["Content-Location": "/items"], false),
      (["Cache-Control": "max-age=60, no-store", "Content-Location": "/items"], false),
    ] as [(HTTPHeaders, Bool)])
  func `RFC 9110 9.3.3: a response to POST that represents the address is stored for GET`(
    headers: HTTPHeaders, isKept: Bool
  ) throws {
    let conclusion = Shop.conclude(Shop.response(200, headers), method: .post)
    #expect((conclusion.stored != nil) == isKept)
    #expect(conclusion.invalidated.first == Shop.url)
    if let stored = conclusion.stored { #expect(Shop.plan([stored], after: 1).isServed) }
  }

  @Test(arguments: [HTTPMethod.query, .put, .options, .head, HTTPMethod(rawValue: "TRACE")])
  func `RFC 9110 9.2.3: responses to other methods are not stored`(method: HTTPMethod) {
    let response = Shop.response(
      200, ["Cache-Control": "max-age=60", "Content-Location": "/items"], body: "")
    #expect(Shop.conclude(response, method: method).stored == nil)
    let old = [Shop.stored(["Cache-Control": "max-age=60"])]
    #expect(method == .head || Shop.plan(method: method, old).forwarding != nil)
  }

  @Test func `RFC 9111 4.2.4: an error does not replace a successful response`() {
    let old = Shop.stored(["Cache-Control": "max-age=1"])
    let error = Shop.response(503, ["Cache-Control": "max-age=60"])
    #expect(Shop.conclude(error, stored: [old], after: 9).stored == nil)
    #expect(Shop.conclude(error).stored?.status == 503)
    #expect(Shop.conclude(Shop.response(404), stored: [old], after: 9).stored?.status == 404)
  }

  @Test func `a request with a body bypasses the cache`() {
    var request = Shop.request()
    request.body = .form(["a": "1"])
    let lookup = CacheLookup(request: request, mode: .standard)
    let old = [Shop.stored(["Cache-Control": "max-age=60"])]
    let plan = Shop.rules.plan(lookup, stored: old, now: Shop.now)
    #expect(plan.forwarding?.mayStore == false)
    #expect(plan.forwarding?.index == nil)
  }
}
