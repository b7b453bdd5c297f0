import Testing

@testable import ServerAPI

@Suite struct FreshnessTests {
  /// Returns the freshness lifetime of a response with these fields.
  static func lifetime(_ headers: HTTPHeaders, status: Int = 200) -> Double? {
    let response = StoredResponse(
      status: status, headers: headers, body: ResponseBody(), url: Shop.url, requestedAt: Shop.now,
      receivedAt: Shop.now)
    return Shop.rules.freshness(of: response, now: Shop.now)?.lifetime
  }

  static func age(_ headers: HTTPHeaders, delay: Double = 0, after: Double = 0) -> Double? {
    let response = StoredResponse(
      status: 200, headers: headers, body: ResponseBody(), url: Shop.url,
      requestedAt: Shop.now - delay, receivedAt: Shop.now)
    return Shop.rules.freshness(of: response, now: Shop.now + after)?.age
  }

  @Test func `a changed response has the freshness of its new fields`() {
    var response = StoredResponse(
      status: 200, headers: ["Cache-Control": "max-age=60", "Date": Self.past],
      body: ResponseBody(), url: Shop.url, requestedAt: Shop.now, receivedAt: Shop.now)
    #expect(Shop.rules.freshness(of: response, now: Shop.now)?.age == 1_000)
    response.headers = ["Cache-Control": "max-age=70", "Date": Self.today]
    #expect(Shop.rules.freshness(of: response, now: Shop.now)?.lifetime == 70)
    #expect(Shop.rules.freshness(of: response, now: Shop.now)?.age == 0)
    response.headers["Cache-Control"] = "no-cache"
    #expect(Shop.rules.freshness(of: response, now: Shop.now) == nil)
    // The century of a year with two digits depends on when the response was received.
    response.headers["Date"] = "Wednesday, 21-Nov-86 04:46:39 GMT"
    let before = response.date
    response.receivedAt += 100 * 365.25 * 86_400
    #expect(response.date != before)
  }

  static let (past, today, later) = (Shop.date(-1000), Shop.date(0), Shop.date(500))

  @Test(
    arguments: [
      (["Cache-Control": "max-age=60", "Expires": later, "Date": today], 60.0),
      (["Cache-Control": "max-age=60", "Expires": "0"], 60),
      (["Cache-Control": "max-age=0", "Expires": later, "Date": today], 0),
      (["Cache-Control": "max-age=x", "Expires": later, "Last-Modified": past], 0),
      (["Cache-Control": "s-maxage=60", "CDN-Cache-Control": "max-age=60"], 0),
      (["Surrogate-Control": "max-age=60"], 0), (["Expires": later, "Date": today], 500),
      (["Expires": later, "Date": Shop.date(-100)], 600), (["Expires": later, "Date": "foo"], 500),
      (["Expires": later], 500), (["Expires": past], 0), (["Expires": today], 0),
      (["Expires": "0", "Last-Modified": past], 0),
      (["Expires": later, "expires": later], 0),
      (["Expires": "Sun, 21 Nov 2286 04:46:39 GMT", "Date": today], 8_219_767_599),
    ] as [(HTTPHeaders, Double)])
  func `RFC 9111 4.2.1: max-age takes precedence over Expires, and both over the heuristic`(
    headers: HTTPHeaders, seconds: Double
  ) {
    #expect(Self.lifetime(headers) == seconds)
  }

  @Test(
    arguments: [
      (200, ["Last-Modified": past, "Date": today], 100.0), (200, ["Last-Modified": past], 100),
      (200, ["Last-Modified": later], 0), (200, ["Last-Modified": "soon"], 0), (200, [:], 0),
      (200, ["Last-Modified": Shop.date(-1e8)], 86_400), (302, ["Last-Modified": past], 0),
      (302, ["Last-Modified": past, "Cache-Control": "public"], 100),
      (599, ["Last-Modified": past, "Cache-Control": "public"], 100),
      (302, ["Cache-Control": "public"], 0),
    ] as [(Int, HTTPHeaders, Double)])
  func `RFC 9111 4.2.2: the heuristic is a tenth of the time since the last modification`(
    status: Int, headers: HTTPHeaders, seconds: Double
  ) {
    #expect(Self.lifetime(headers, status: status) == seconds)
  }

  @Test func `RFC 9110 15.1: only some statuses are heuristically cacheable`() {
    let guessed = (100..<600).filter {
      Self.lifetime(["Last-Modified": Self.past], status: $0) != 0
    }
    #expect(guessed == [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
  }

  @Test(arguments: [
    ("30", 30.0), ("0", 0), ("abc", 0), ("-7200", 0), ("7200.0", 0), ("7200;a=b", 0), ("", 0),
    ("7200, 0", 7200), ("0, 7200", 0), (" 5 , 6", 5), (", 6", 0), ("2147483647", 2_147_483_647),
    ("2147483649", 2_147_483_648), ("99999999999999999999", 2_147_483_648),
  ])
  func `RFC 9111 5.1: the first number of Age is used`(text: String, age: Double) {
    #expect(Self.age(["Age": text, "age": "77"]) == age)
  }

  @Test
  func `RFC 9111 4.2.3: age is the greater of apparent and corrected age, plus the resident time`() {
    #expect(Self.age(["Date": Shop.date(-100)]) == 100)
    #expect(Self.age(["Date": Shop.date(-100), "Age": "30"]) == 100)
    #expect(Self.age(["Date": Shop.date(-100), "Age": "130"], delay: 3, after: 7) == 140)
    #expect(Self.age(["Date": Shop.date(100)], delay: 3, after: 7) == 10)
    #expect(Self.age(["Date": "foo"], after: 7) == 7)
  }

  @Test func `RFC 9111 4.2: a response from the future is stale`() {
    let response = Shop.stored(["Cache-Control": "max-age=60"])
    #expect(Shop.rules.freshness(of: response, now: Shop.now - 3)?.isFresh == true)
    let freshness = Shop.rules.freshness(of: response, now: Shop.now - 10)
    #expect(freshness?.isFresh == false)
    #expect(freshness?.staleness == .infinity)
    #expect(!Shop.plan([response], after: -10).isServed)
  }

  @Test func `RFC 9111 5.2.2.4: a response that is always validated has no lifetime`() {
    #expect(Self.lifetime(["Cache-Control": "max-age=60, no-cache"]) == nil)
    #expect(Self.lifetime(["Cache-Control": "max-age=60, no-cache=\"a\""]) == 60)
  }

  @Test(arguments: [
    ("max-age=60", 20.0, "fresh for another 40 s (max-age=60)"),
    ("max-age=60", 72, "stale for 12 s (max-age=60), validating its ETag"),
    ("max-age=60, no-cache", 0, "no-cache, validating its ETag"),
    ("max-age=x", 0, "stale, because its max-age is not a number of seconds, validating its ETag"),
    ("foo", 0, "stale, because it has no expiration time, validating its ETag"),
  ])
  func `a plan explains itself`(control: String, seconds: Double, why: String) {
    let response = Shop.stored(["Cache-Control": control, "ETag": "\"a\""])
    #expect(Shop.plan([response], after: seconds).why == why)
  }
}
