import Testing

@testable import ServerAPI

@Suite struct PartialContentTests {
  static func headers(_ range: String?, etag: String? = "\"a\"") -> HTTPHeaders {
    var headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Date": Shop.date(0)]
    headers["Content-Range"] = range
    headers["ETag"] = etag
    return headers
  }

  static func part(_ range: String, _ body: String, etag: String? = "\"a\"") -> StoredResponse {
    Shop.stored(headers(range, etag: etag), status: 206, body: body)
  }

  @Test(arguments: [
    ("bytes=6-8", 206, "678", "bytes 6-8/10"), ("bytes=5-", 206, "56789", "bytes 5-9/10"),
    ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ("bytes=4-99", 206, "456789", "bytes 4-9/10"),
  ])
  func `RFC 9111 3.4: a part is served from a stored part that contains it`(
    range: String, status: Int, body: String, contentRange: String
  ) {
    let stored = Self.part("bytes 4-9/10", "456789")
    let response = Shop.plan(["Range": range], [stored]).serving?.response
    #expect(response?.status == status && response?.body.text == body)
    #expect(response?.headers["Content-Range"] == contentRange)
  }

  @Test(arguments: ["bytes=3-5", "bytes=0-", "bytes=-7", "bytes=0-0,5-6"])
  func `RFC 9111 3.4: a part that is not completely stored is requested`(range: String) {
    let forwarding = Shop.plan(["Range": range], [Self.part("bytes 4-9/10", "456789")]).forwarding
    #expect(forwarding?.request.headers == ["Range": range])
  }

  @Test func `RFC 9111 3.4: without a complete length, only explicit ranges are served`() {
    let stored = [Self.part("bytes 4-9/*", "456789")]
    #expect(Shop.plan(["Range": "bytes=4-5"], stored).isServed)
    #expect(!Shop.plan(["Range": "bytes=4-"], stored).isServed)
    #expect(!Shop.plan(["Range": "bytes=-2"], stored).isServed)
  }

  @Test func `RFC 9111 3.3: a truncated part ends with its bytes`() throws {
    let kept = try #require(
      Shop.conclude(
        Shop.response(206, Self.headers("bytes 4-9/10"), body: "45678"), ["Range": "bytes=4-"]
      ).stored)
    #expect(kept.headers["Content-Range"] == "bytes 4-8/10")
    #expect(Shop.plan(["Range": "bytes=6-8"], [kept]).serving?.response.body.text == "678")
    #expect(!Shop.plan(["Range": "bytes=6-9"], [kept]).isServed)
    let long = Shop.response(206, Self.headers("bytes 4-9/10"), body: "45678901")
    #expect(Shop.conclude(long, ["Range": "bytes=4-"]).stored == nil)
  }

  @Test(arguments: [
    ("bytes 0-4/10", "01234", "bytes 5-9/10", "56789", 200, "0123456789"),
    ("bytes 5-9/10", "56789", "bytes 0-4/10", "01234", 200, "0123456789"),
    ("bytes 0-6/10", "0123456", "bytes 4-7/10", "4567", 206, "01234567"),
    ("bytes 2-3/10", "23", "bytes 1-5/*", "12345", 206, "12345"),
    ("bytes 1-5/*", "12345", "bytes 6-7/10", "67", 206, "1234567"),
    ("bytes 0-1/10", "01", "bytes 4-5/10", "45", 206, "45"),
    ("bytes 0-4/10", "01234", "bytes 5-9/11", "56789", 206, "56789"),
  ])
  func `RFC 9111 3.4: adjacent parts of the same bytes are combined`(
    first: String, body: String, second: String, more: String, status: Int, all: String
  ) {
    var headers = Self.headers(second)
    headers["New"] = "1"
    let conclusion = Shop.conclude(
      Shop.response(206, headers, body: more), ["Range": "bytes=7-7"],
      stored: [Self.part(first, body)])
    #expect(conclusion.response.status == 206 && conclusion.response.body.text == more)
    #expect(conclusion.stored?.status == status)
    #expect(conclusion.stored?.body.text == all)
    #expect(conclusion.stored?.headers["New"] == "1")
    #expect(conclusion.stored?.headers["Content-Length"] == String(all.count))
    #expect((conclusion.stored?.headers["Content-Range"] == nil) == (status == 200))
  }

  @Test(arguments: ["\"b\"", "W/\"a\"", nil])
  func `RFC 9111 3.4: parts that may have other bytes are not combined`(etag: String?) {
    let second = Shop.response(206, Self.headers("bytes 5-9/10", etag: etag), body: "56789")
    let conclusion = Shop.conclude(
      second, ["Range": "bytes=5-"], stored: [Self.part("bytes 0-4/10", "01234")])
    #expect(conclusion.stored?.body.text == "56789")
  }

  @Test
  func `RFC 9111 3.4: a part updates, keeps or replaces the complete response`() {
    let whole = Shop.stored(Self.headers(nil))
    func stored(_ etag: String?) -> StoredResponse? {
      Shop.conclude(
        Shop.response(206, Self.headers("bytes 2-3/10", etag: etag), body: "23"),
        ["Range": "bytes=2-3"], stored: [whole], after: 90
      ).stored
    }
    #expect(stored("\"a\"")?.body.text == "0123456789")
    #expect(stored("\"a\"")?.receivedAt == Shop.now + 90)
    #expect(stored(nil) == nil)
    #expect(stored("\"b\"")?.body.text == "23")
  }

  @Test
  func `RFC 9111 3.4: the missing part of a stored response is requested, and both are combined`()
    throws
  {
    let stored = [Self.part("bytes 0-3/10", "0123")]
    let forwarding = try #require(Shop.plan(stored).forwarding)
    #expect(
      forwarding.request.headers
        == ["Range": "bytes=4-", "If-Range": "\"a\"", "Accept-Encoding": "identity"])
    #expect(forwarding.index == 0)
    let rest = Shop.response(206, Self.headers("bytes 4-9/10"), body: "456789")
    let conclusion = Shop.conclude(rest, stored: stored)
    #expect(conclusion.response.status == 200)
    #expect(conclusion.response.body.text == "0123456789")
    #expect(conclusion.response.headers["Content-Range"] == nil)
    #expect(conclusion.response.headers["Content-Length"] == "10")
    #expect(conclusion.stored?.status == 200)
    let whole = Shop.conclude(Shop.response(200, body: "new"), stored: stored)
    #expect(whole.stored?.body.text == "new" && whole.response.body.text == "new")
  }

  @Test(arguments: [
    (206, "bytes 5-9/10", "\"a\""), (206, "bytes 4-8/10", "\"a\""), (206, "bytes 4-9/10", "\"b\""),
    (206, nil, "\"a\""), (416, nil, "\"a\""),
  ])
  func
    `RFC 9111 3.4: a missing part that does not fit makes the cache request the complete response`(
      status: Int, range: String?, etag: String
    )
  {
    let body = range == "bytes 4-9/10" ? "456789" : "56789"
    let conclusion = Shop.conclude(
      Shop.response(status, Self.headers(range, etag: etag), body: body),
      stored: [Self.part("bytes 0-3/10", "0123")])
    #expect(conclusion.retriesUnconditionally && conclusion.stored == nil)
  }

  @Test(arguments: [
    part("bytes 2-3/10", "23"), part("bytes 0-3/10", "0123", etag: "W/\"a\""),
    part("bytes 0-3/10", "0123", etag: nil),
  ])
  func `RFC 9111 3.4: without a reliable stored start, the complete response is requested`(
    stored: StoredResponse
  ) {
    #expect(Shop.plan([stored]).forwarding?.request.headers.isEmpty == true)
  }

  @Test func `a validated part is served to the caller that requested it`() {
    let stored = [Self.part("bytes 4-9/10", "456789")]
    let forwarding = Shop.plan(["Range": "bytes=6-7"], stored, after: 100).forwarding
    #expect(forwarding?.request.headers == ["Range": "bytes=6-7", "If-None-Match": "\"a\""])
    let conclusion = Shop.conclude(
      Shop.response(304, body: ""), ["Range": "bytes=6-7"], stored: stored, after: 100)
    #expect(conclusion.response.status == 206 && conclusion.response.body.text == "67")
    #expect(conclusion.response.source == .validated)
    #expect(conclusion.stored?.body.text == "456789")
  }
}
