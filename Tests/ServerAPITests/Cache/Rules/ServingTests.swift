import Foundation
import Testing

@testable import ServerAPI

@Suite struct ServingTests {
  static let fresh: HTTPHeaders = [
    "Cache-Control": "max-age=60", "Date": Shop.date(0), "ETag": "\"a,b\"",
    "Last-Modified": Shop.date(-1000), "Content-Type": "text/plain", "Vary": "Foo",
  ]

  @Test func `RFC 9111 4: a fresh response is served with its age and its original date`() throws {
    var headers = Self.fresh
    headers["Age"] = "30"
    let serving = try #require(Shop.plan([Shop.stored(headers)], after: 10).serving)
    #expect(serving.response.status == 200)
    #expect(serving.response.body.text == "0123456789")
    #expect(serving.response.headers.values("Age") == ["40"])
    #expect(serving.response.headers["Date"] == Shop.date(0))
    #expect(
      serving.response.source == .cache(asOf: Date(timeIntervalSince1970: Shop.now), isFresh: true))
    #expect(!serving.revalidates && serving.index == 0)
  }

  @Test func `RFC 9110 9.3.2: HEAD is served from a stored GET response, without a body`() throws {
    let response = try #require(
      Shop.plan(method: .head, [Shop.stored(Self.fresh)]).serving?.response)
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(response.headers["ETag"] == "\"a,b\"")
  }

  @Test func `RFC 9111 5.2.2.4: fields named by no-cache are not served before validation`() {
    let stored = Shop.stored([
      "Cache-Control": "max-age=60, no-cache=\"A, b\"", "a": "1", "B": "2", "c": "3",
    ])
    let headers = Shop.plan([stored]).serving?.response.headers
    #expect(headers?["a"] == nil && headers?["b"] == nil && headers?["c"] == "3")
    let validated = Shop.plan([stored], validatedSince: Shop.now).serving?.response.headers
    #expect(validated?["a"] == "1")
  }

  @Test(
    arguments: [
      (["If-None-Match": "\"a,b\""], 304), (["If-None-Match": "W/\"a,b\""], 304),
      (["If-None-Match": "*"], 304), (["If-None-Match": "\"x\", \"a,b\" , \"y\""], 304),
      (["If-None-Match": "\"x\"", "if-none-match": "\"a,b\""], 304),
      (["If-None-Match": "\"a\""], 200), (["If-None-Match": ""], 200),
      (["If-None-Match": "a,b"], 200),
      (["If-None-Match": "\"x\\\", \"a,b\""], 304),
      (["If-None-Match": "\"a,b\"", "If-Modified-Since": Shop.date(-2000)], 304),
      (["If-None-Match": "\"x\"", "If-Modified-Since": Shop.date(0)], 200),
      (["If-Modified-Since": Shop.date(-1000)], 304), (["If-Modified-Since": Shop.date(-500)], 304),
      (["If-Modified-Since": Shop.date(-1001)], 200), (["If-Modified-Since": "yesterday"], 200),
      (["If-Modified-Since": "Monday, 01-Jun-26 00:00:00 GMT"], 304),
    ] as [(HTTPHeaders, Int)])
  func `RFC 9111 4.3.2: a fresh response evaluates a caller's condition`(
    headers: HTTPHeaders, status: Int
  ) {
    let response = Shop.plan(headers, [Shop.stored(Self.fresh)]).serving?.response
    #expect(response?.status == status)
    #expect(response?.body.isEmpty == (status == 304))
    #expect(response?.headers["Age"] == "10")
    if status == 304 {
      #expect(response?.headers["Content-Type"] == nil)
      for name in ["ETag", "Date", "Cache-Control", "Vary", "Last-Modified"] {
        #expect(response?.headers[name] == Self.fresh[name])
      }
    }
  }

  @Test func `RFC 9110 13.1.2: tags are compared byte for byte`() {
    func status(_ etag: String, _ condition: String) -> Int? {
      let stored = Shop.stored(["Cache-Control": "max-age=60", "ETag": etag])
      return Shop.plan(["If-None-Match": condition], [stored]).serving?.response.status
    }
    #expect(status("\"ü\"", "\"ü\"") == 304)
    #expect(status("\"\u{FC}\"", "\"u\u{308}\"") == 200)
    #expect(status("abc", "abc") == 304)
    #expect(status("", "") == 200)
  }

  @Test func `RFC 9110 13.1.3: without Last-Modified, If-Modified-Since is compared to Date`() {
    let stored = Shop.stored(["Cache-Control": "max-age=60", "Date": Shop.date(-5)])
    let status = { Shop.plan(["If-Modified-Since": $0], [stored]).serving?.response.status }
    #expect(status(Shop.date(-5)) == 304)
    #expect(status(Shop.date(-6)) == 200)
  }

  @Test func `RFC 9110 13.2.1: conditions apply to successful responses only`() {
    let stored = Shop.stored(["Cache-Control": "max-age=60", "ETag": "\"a\""], status: 404)
    #expect(Shop.plan(["If-None-Match": "\"a\""], [stored]).serving?.response.status == 404)
  }

  @Test func `RFC 9111 4.3.2: conditions that only the server can evaluate are forwarded`() {
    let stored = [Shop.stored(Self.fresh)]
    #expect(
      Shop.plan(["If-Match": "\"a,b\""], stored).forwarding?.request.headers["If-Match"] != nil)
    #expect(Shop.plan(["If-Unmodified-Since": Shop.date(0)], stored).forwarding != nil)
  }

  @Test(arguments: [
    ("bytes=0-1", 206, "01", "bytes 0-1/10"), ("bytes=8-", 206, "89", "bytes 8-9/10"),
    ("bytes=-1", 206, "9", "bytes 9-9/10"), ("Bytes=5-99", 206, "56789", "bytes 5-9/10"),
    ("bytes=-99", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ("bytes=-0", 416, "", "bytes */10"),
    ("bytes=0-99999999999999999999", 206, "0123456789", "bytes 0-9/10"),
  ])
  func `RFC 9110 14.2: a part is served from the complete response`(
    range: String, status: Int, body: String, contentRange: String
  ) {
    let response = Shop.plan(["Range": range], [Shop.stored(Self.fresh)]).serving?.response
    #expect(response?.status == status)
    #expect(response?.body.text == body)
    #expect(response?.headers["Content-Range"] == contentRange)
    #expect(status == 416 || response?.headers["Content-Length"] == String(body.count))
  }

  @Test(arguments: [
    "bytes=0-1,3-4", "items=0-1", "bytes=", "bytes=4-2", "bytes=a-b", "0-1", "bytes=-",
  ])
  func `RFC 9110 14.2: anything but a single range is forwarded`(range: String) {
    let plan = Shop.plan(["Range": range], [Shop.stored(Self.fresh)])
    #expect(plan.forwarding?.request.headers["Range"] == range)
    #expect(plan.forwarding?.request.headers["If-None-Match"] == nil)
  }

  @Test(arguments: [
    ("\"a,b\"", 206), ("\"x\"", 200), ("W/\"a,b\"", 200), (Shop.date(-1000), 200),
  ])
  func `RFC 9110 13.1.5: If-Range yields a part only of the response that it names`(
    condition: String, status: Int
  ) {
    let plan = Shop.plan(["Range": "bytes=0-1", "If-Range": condition], [Shop.stored(Self.fresh)])
    #expect(plan.serving?.response.status == status)
  }

  @Test func `RFC 9110 13.1.5: If-Range may be a strong date`() {
    let stored = Shop.stored(["Cache-Control": "max-age=60", "Last-Modified": Shop.date(-60)])
    let unsure = Shop.stored(["Cache-Control": "max-age=60", "Last-Modified": Shop.date(-59)])
    func status(_ date: String, _ stored: StoredResponse) -> Int? {
      Shop.plan(["Range": "bytes=0-1", "If-Range": date], [stored]).serving?.response.status
    }
    #expect(status(Shop.date(-60), stored) == 206)
    #expect(status(Shop.date(-61), stored) == 200)
    #expect(status(Shop.date(-59), unsure) == 200)
  }

  @Test func `no part is served from a content-coded response`() {
    var headers = Self.fresh
    headers["Content-Encoding"] = "gzip"
    #expect(Shop.plan(["Range": "bytes=0-1"], [Shop.stored(headers)]).forwarding != nil)
    #expect(Shop.plan([Shop.stored(headers)]).isServed)
  }
}
