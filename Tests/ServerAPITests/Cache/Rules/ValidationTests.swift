import Testing

@testable import ServerAPI

@Suite struct CacheValidationTests {
  static let stale: HTTPHeaders = [
    "Cache-Control": "max-age=1", "Date": Shop.date(0), "ETag": "\"a\"",
    "Last-Modified": Shop.date(-1000), "Content-Type": "text/plain", "Content-Length": "10",
    "A": "1",
  ]

  @Test(
    arguments: [
      (["ETag": "\"a\""], ["If-None-Match": "\"a\""]),
      (["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
      (["ETag": "a"], ["If-None-Match": "a"]), ([:], [:]),
      (["Last-Modified": Shop.date(-9)], ["If-Modified-Since": Shop.date(-9)]),
      (
        ["ETag": "\"a\"", "Last-Modified": Shop.date(-9)],
        ["If-None-Match": "\"a\"", "If-Modified-Since": Shop.date(-9)]
      ),
    ] as [(HTTPHeaders, HTTPHeaders)])
  func `RFC 9111 4.3.1: the stored validators are sent`(
    validators: HTTPHeaders, sent: HTTPHeaders
  ) {
    var headers = validators
    headers["Cache-Control"] = "max-age=1"
    let forwarding = Shop.plan([Shop.stored(headers)]).forwarding
    #expect(forwarding?.request.headers == sent)
    #expect(forwarding?.index == (sent.isEmpty ? nil : 0))
    #expect(forwarding?.mayStore == true)
    let missing = Shop.plan([Shop.stored(headers, status: 404)]).forwarding
    #expect(missing?.request.headers.isEmpty == true)
  }

  @Test func `RFC 9111 3.2: the fields of a 304 replace the stored ones`() throws {
    let changed: HTTPHeaders = [
      "Date": Shop.date(9), "ETag": "\"a\"", "Cache-Control": "max-age=60", "A": "2", "B": "3",
      "Content-Length": "0", "Content-Type": "x/y", "Content-Encoding": "br",
      "Content-Range": "bytes 0-1/2", "Connection": "C", "C": "4",
    ]
    let conclusion = Shop.conclude(
      Shop.response(304, changed, body: ""), stored: [Shop.stored(Self.stale)], after: 10)
    let kept = try #require(conclusion.stored)
    #expect(kept.status == 200 && kept.body.text == "0123456789")
    #expect(kept.receivedAt == Shop.now + 10 && kept.requestedAt == Shop.now + 10)
    let expected = [
      "Date": Shop.date(9), "ETag": "\"a\"", "Cache-Control": "max-age=60", "A": "2", "B": "3",
      "Last-Modified": Shop.date(-1000), "Content-Type": "text/plain", "Content-Length": "10",
    ]
    #expect(
      Dictionary(uniqueKeysWithValues: kept.headers.fields.map { ($0.name, $0.value) }) == expected)
    #expect(conclusion.response.source == .validated)
    #expect(conclusion.response.status == 200)
    #expect(conclusion.response.body.text == "0123456789")
    #expect(conclusion.response.headers == kept.headers)
    #expect(Shop.plan([kept], after: 60).isServed)
  }

  @Test func `RFC 9111 4.3.4: an old age or date does not survive a validation`() throws {
    var headers = Self.stale
    headers["Age"] = "50000"
    headers["Cache-Control"] = "max-age=60"
    let stored = Shop.stored(headers)
    let conclusion = Shop.conclude(Shop.response(304, body: ""), stored: [stored], after: 7000)
    let kept = try #require(conclusion.stored)
    #expect(Shop.plan([kept], after: 7050).isServed)
  }

  @Test(
    arguments: [
      (["ETag": "\"b\""], true), (["ETag": "W/\"b\""], true), (["ETag": "\"a\""], false),
      (["ETag": "W/\"a\""], false), ([:], false), (["Last-Modified": Shop.date(0)], false),
    ] as [(HTTPHeaders, Bool)])
  func `RFC 9111 4.3.4: a 304 about another response repeats the request`(
    headers: HTTPHeaders, retriesUnconditionally: Bool
  ) {
    let conclusion = Shop.conclude(
      Shop.response(304, headers, body: ""), stored: [Shop.stored(Self.stale)], after: 10)
    #expect(conclusion.retriesUnconditionally == retriesUnconditionally)
    #expect((conclusion.stored == nil) == retriesUnconditionally)
    #expect(retriesUnconditionally || conclusion.stored?.headers["ETag"] == "\"a\"")
  }

  @Test func `RFC 9111 4.3.4: a 304 to an unconditional request is passed to the caller`() {
    let bare = Shop.stored(["Cache-Control": "max-age=1"])
    #expect(!Shop.conclude(Shop.response(304), stored: [bare], after: 10).retriesUnconditionally)
    #expect(Shop.conclude(Shop.response(304)).response.status == 304)
    let lookup = CacheLookup(request: Shop.request(), mode: .standard)
    let odd = Shop.rules.conclude(
      Shop.response(304), to: lookup, sent: Shop.request(["If-None-Match": "\"a\""]), stored: [],
      validating: 7, mayStore: true, requestedAt: 0, receivedAt: 0)
    #expect(!odd.retriesUnconditionally && odd.stored == nil)
  }

  @Test(
    arguments: [
      (["If-None-Match": "\"a\""], ["ETag": "\"a\""], true),
      (["If-None-Match": "\"a\""], [:], true),
      (["If-None-Match": "\"x\""], ["ETag": "\"x\""], false),
      (["If-None-Match": "\"x\""], [:], false),
      (["If-None-Match": "\"x\", \"a\""], [:], false),
      (["If-None-Match": "\"x\", \"a\""], ["ETag": "\"a\""], true),
      (["If-Modified-Since": Shop.date(-1000)], [:], false),
    ] as [(HTTPHeaders, HTTPHeaders, Bool)])
  func `RFC 9111 4.3.2: the server evaluates a caller's condition on a stale response`(
    sent: HTTPHeaders, received: HTTPHeaders, refreshes: Bool
  ) {
    let stored = [Shop.stored(Self.stale)]
    #expect(Shop.plan(sent, stored).forwarding?.request.headers == sent)
    var headers = received
    headers["Cache-Control"] = "max-age=60"
    let conclusion = Shop.conclude(
      Shop.response(304, headers, body: ""), sent, stored: stored, after: 10)
    #expect(conclusion.response.status == 304 && conclusion.response.source == .network)
    #expect((conclusion.stored != nil) == refreshes && !conclusion.retriesUnconditionally)
    #expect(refreshes == (conclusion.stored?.body.text == "0123456789"))
  }

  @Test func `RFC 9111 4.3.4: without a tag the caller's date identifies the stored response`() {
    let stored = Shop.stored(["Last-Modified": Shop.date(-1000), "Cache-Control": "max-age=1"])
    func refreshes(_ seconds: Double) -> Bool {
      Shop.conclude(
        Shop.response(304, body: ""), ["If-Modified-Since": Shop.date(seconds)], stored: [stored],
        after: 10
      ).stored != nil
    }
    #expect(refreshes(-1000) && !refreshes(-999))
  }

  @Test func `RFC 9111 4.1: a 304 changes no variant of other requests`() {
    var headers = Self.stale
    headers["Vary"] = "Foo"
    let other = Shop.stored(
      headers, selectors: [StoredResponse.Selector(name: "foo", value: "2")])
    let sent: HTTPHeaders = ["Foo": "1", "If-None-Match": "\"a\""]
    let conclusion = Shop.conclude(
      Shop.response(304, ["ETag": "\"a\""], body: ""), sent, stored: [other])
    #expect(conclusion.stored == nil && conclusion.removed.isEmpty)
  }

  @Test func `RFC 9111 5.2.2.5: a validation with no-store removes the stored response`() {
    let conclusion = Shop.conclude(
      Shop.response(304, ["Cache-Control": "no-store"], body: ""),
      stored: [Shop.stored(Self.stale)],
      after: 10)
    #expect(conclusion.stored == nil && conclusion.removed == [0])
    #expect(conclusion.response.body.text == "0123456789")
  }

  @Test func `RFC 9111 4.1: a validation may change the selecting fields`() {
    func conclusion(_ vary: String) -> CacheConclusion {
      Shop.conclude(
        Shop.response(304, ["Vary": vary], body: ""), ["Foo": "1"],
        stored: [Shop.stored(Self.stale)], after: 10)
    }
    #expect(
      conclusion("Foo").stored?.selectors == [StoredResponse.Selector(name: "foo", value: "1")])
    #expect(conclusion("Foo").removed == [0])
    #expect(conclusion("*").stored == nil && conclusion("*").removed == [0])
    #expect(conclusion("*").response.body.text == "0123456789")
    #expect(conclusion("").removed.isEmpty)
  }

  @Test func `RFC 9111 4.3.3: a full response replaces the stale one`() {
    let response = Shop.response(200, ["Cache-Control": "max-age=60"], body: "new")
    let conclusion = Shop.conclude(response, stored: [Shop.stored(Self.stale)], after: 10)
    #expect(conclusion.stored?.body.text == "new" && conclusion.removed.isEmpty)
    #expect(conclusion.response.source == .network)
    #expect(conclusion.why == "stored, fresh for another 60 s (max-age=60)")
  }

  @Test(
    arguments: [
      (["Cache-Control": "max-age=60", "A": "2"], true, false),
      (["ETag": "\"a\"", "Content-Length": "10"], true, false), (["ETag": "\"b\""], false, true),
      (["Last-Modified": Shop.date(0)], false, true), (["Content-Length": "11"], false, true),
      (["Cache-Control": "no-store", "ETag": "\"b\""], false, false),
    ] as [(HTTPHeaders, Bool, Bool)])
  func `RFC 9111 4.3.5: HEAD validates or invalidates the stored response`(
    headers: HTTPHeaders, isRefreshed: Bool, isRemoved: Bool
  ) {
    let stored = [Shop.stored(Self.stale)]
    #expect(Shop.plan(method: .head, stored).forwarding?.request.headers.isEmpty == true)
    let conclusion = Shop.conclude(
      Shop.response(200, headers, body: ""), method: .head, stored: stored, after: 10)
    #expect((conclusion.stored != nil) == isRefreshed)
    #expect(conclusion.removed == (isRemoved ? [0] : []))
    if isRefreshed {
      #expect(conclusion.stored?.headers["A"] == headers["A"] ?? "1")
      #expect(conclusion.stored?.body.text == "0123456789")
      #expect(conclusion.stored?.receivedAt == Shop.now + 10)
    }
    let gone = Shop.conclude(
      Shop.response(410, headers, body: ""), method: .head, stored: stored, after: 10)
    #expect(gone.stored == nil && gone.removed.isEmpty)
  }

  @Test func `RFC 9111 4.3.5: HEAD adds no validator to a stored body`() {
    let bare = Shop.stored(["Cache-Control": "max-age=1"])
    let conclusion = Shop.conclude(
      Shop.response(200, ["ETag": "\"b\""], body: ""), method: .head, stored: [bare], after: 10)
    #expect(conclusion.stored == nil && conclusion.removed.isEmpty)
  }
}
