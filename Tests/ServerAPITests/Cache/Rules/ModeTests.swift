import Foundation
import Testing

@testable import ServerAPI

@Suite struct ModeTests {
  static func stored(_ control: String) -> [StoredResponse] {
    [Shop.stored(["Cache-Control": control, "ETag": "\"a\""])]
  }

  @Test(arguments: [
    ("max-age=60", "", 59.0, true), ("max-age=60", "", 60, false),
    ("max-age=60", "no-cache", 0, false),
    ("max-age=60", "max-age=5", 5, true), ("max-age=60", "max-age=5", 6, false),
    ("max-age=60", "max-age=x", 0, false), ("max-age=60", "min-fresh=20", 40, true),
    ("max-age=60", "min-fresh=20", 41, false), ("max-age=60", "min-fresh=x", 0, false),
    ("max-age=60", "max-stale", 9999, true), ("max-age=60", "max-stale=10", 70, true),
    ("max-age=60", "max-stale=10", 71, false), ("max-age=60", "max-stale=x", 61, false),
    ("max-age=60, must-revalidate", "max-stale", 61, false), ("no-cache", "max-stale", 1, false),
    ("max-age=60", "no-store", 0, false), ("max-age=60, must-revalidate", "", 59, true),
    ("max-age=60, proxy-revalidate", "max-stale", 61, true), ("max-age=60", "foo", 0, true),
  ])
  func `RFC 9111 5.2.1: directives of a request restrict or extend what is served`(
    response: String, request: String, seconds: Double, isServed: Bool
  ) {
    let headers: HTTPHeaders = request.isEmpty ? [:] : ["Cache-Control": request]
    #expect(Shop.plan(headers, Self.stored(response), after: seconds).isServed == isServed)
  }

  @Test func `RFC 9111 5.4: Pragma is used without Cache-Control`() {
    let stored = Self.stored("max-age=60")
    #expect(Shop.plan(["Pragma": "a, No-Cache"], stored).forwarding?.index == 0)
    #expect(Shop.plan(["Pragma": "no-cache", "Cache-Control": "foo"], stored).isServed)
    #expect(Shop.plan(["Pragma": "other"], stored).isServed)
  }

  @Test func `RFC 9111 5.2.1.7: only-if-cached refuses instead of forwarding`() {
    let only: HTTPHeaders = ["Cache-Control": "only-if-cached"]
    #expect(Shop.plan(only, Self.stored("max-age=60")).isServed)
    #expect(Shop.plan(only, []).refusal == "only-if-cached, and nothing is stored")
    #expect(Shop.plan(only, Self.stored("max-age=1")).refusal != nil)
    #expect(
      Shop.plan(["Cache-Control": "only-if-cached, max-stale"], Self.stored("max-age=1")).isServed)
    #expect(Shop.plan(only, mode: .reload, Self.stored("max-age=60")).refusal != nil)
    #expect(Shop.plan(only, method: .post, []).refusal != nil)
  }

  @Test(arguments: [
    ("max-age=60, stale-while-revalidate=10", "", 70.0, true),
    ("max-age=60, stale-while-revalidate=10", "", 71, false),
    ("max-age=60, stale-while-revalidate=10, must-revalidate", "", 65, false),
    ("max-age=60, stale-while-revalidate=x", "", 61, false),
    ("max-age=60, stale-while-revalidate=10", "max-age=100", 65, false),
    ("max-age=60, stale-while-revalidate=10", "min-fresh=0", 65, false),
  ])
  func `RFC 5861 3: a stale response is served during its revalidation`(
    response: String, request: String, seconds: Double, isServed: Bool
  ) {
    let headers: HTTPHeaders = request.isEmpty ? [:] : ["Cache-Control": request]
    let serving = Shop.plan(headers, Self.stored(response), after: seconds).serving
    #expect((serving != nil) == isServed)
    #expect(serving?.revalidates ?? true)
    if let serving {
      #expect(
        serving.response.source
          == .cache(asOf: Date(timeIntervalSince1970: Shop.now), isFresh: false))
    }
  }

  @Test(arguments: [
    ("max-age=60, stale-if-error=10", "", CacheMode.standard, 70.0, true),
    ("max-age=60, stale-if-error=10", "", .standard, 71, false),
    ("max-age=60, stale-if-error=10, must-revalidate", "", .standard, 61, false),
    ("max-age=60, stale-if-error=10, no-cache", "", .standard, 1, false),
    ("max-age=60", "stale-if-error=10", .standard, 65, true),
    ("max-age=60", "", .standard, 65, false),
    ("max-age=60, stale-if-error=10", "", .revalidate, 65, false),
    ("max-age=60", "stale-if-error=10", .revalidate, 65, true),
    ("max-age=60, must-revalidate", "", .networkElseCache, 1e7, true),
    ("no-cache", "", .networkElseCache, 1e7, true), ("max-age=60", "", .networkElseCache, 1, true),
  ])
  func `RFC 5861 4: a stale response replaces a failure`(
    response: String, request: String, mode: CacheMode, seconds: Double, hasFallback: Bool
  ) {
    let headers: HTTPHeaders = request.isEmpty ? [:] : ["Cache-Control": request]
    let forwarding = Shop.plan(headers, mode: mode, Self.stored(response), after: seconds)
      .forwarding
    #expect(forwarding != nil)
    #expect((forwarding?.fallback != nil) == hasFallback)
    if let fallback = forwarding?.fallback {
      #expect(fallback.body.text == "0123456789")
      #expect(
        fallback.source
          == .cache(asOf: Date(timeIntervalSince1970: Shop.now), isFresh: seconds < 60))
    }
  }

  @Test func `RFC 8246 2: a fresh immutable response is not validated by a reload`() {
    let stored = Self.stored("max-age=60, immutable")
    #expect(Shop.plan(mode: .revalidate, stored).isServed)
    #expect(!Shop.plan(mode: .revalidate, stored, after: 61).isServed)
    #expect(!Shop.plan(["Cache-Control": "no-cache"], stored).isServed)
    #expect(!Shop.plan(mode: .reload, stored).isServed)
  }

  @Test func `validating and reloading make other caches do the same`() {
    let stored = Self.stored("max-age=60")
    let validated = Shop.plan(mode: .revalidate, stored).forwarding
    #expect(validated?.request.headers == ["Cache-Control": "max-age=0", "If-None-Match": "\"a\""])
    let reloaded = Shop.plan(mode: .reload, stored).forwarding
    #expect(reloaded?.request.headers == ["Cache-Control": "no-cache"])
    #expect(reloaded?.index == nil && reloaded?.fallback == nil && reloaded?.mayStore == true)
    let own = Shop.plan(["Cache-Control": "foo"], mode: .reload, stored).forwarding
    #expect(own?.request.headers == ["Cache-Control": "foo"])
  }

  @Test func `a call without cache is sent unchanged and stores nothing`() {
    let forwarding = Shop.plan(["a": "b"], mode: .noStore, Self.stored("max-age=60")).forwarding
    #expect(forwarding?.request.headers == ["a": "b"])
    #expect(forwarding?.mayStore == false && forwarding?.index == nil)
  }

  @Test(arguments: ["max-age=0, must-revalidate", "no-cache", "foo", "max-age=60"])
  func `the cache alone serves a stored response of any age`(control: String) {
    for mode in [CacheMode.cacheOnly, .cacheElseNetwork] {
      let serving = Shop.plan(mode: mode, Self.stored(control), after: 59).serving
      #expect(serving?.response.body.text == "0123456789")
      #expect(
        serving?.response.source
          == .cache(asOf: Date(timeIntervalSince1970: Shop.now), isFresh: control == "max-age=60"))
    }
  }

  @Test func `the cache alone refuses a missing response`() {
    #expect(
      Shop.plan(mode: .cacheOnly, []).refusal
        == "the network is not allowed, and nothing is stored")
    #expect(Shop.plan(mode: .cacheElseNetwork, []).forwarding?.why == "nothing is stored")
    #expect(Shop.plan(method: .post, mode: .cacheOnly, []).refusal != nil)
    let part = [Shop.stored(["Content-Range": "bytes 0-9/20"], status: 206)]
    #expect(Shop.plan(mode: .cacheOnly, part).refusal != nil)
    #expect(Shop.plan(["Range": "bytes=2-3"], mode: .cacheOnly, part, after: 1e6).isServed)
  }

  @Test(arguments: [CacheMode.standard, .revalidate, .networkElseCache])
  func `a response validated since a call started needs no validation`(mode: CacheMode) {
    let stored = Self.stored("no-cache")
    let serving = Shop.plan(mode: mode, stored, validatedSince: Shop.now - 1).serving
    #expect(
      serving?.response.source == .cache(asOf: Date(timeIntervalSince1970: Shop.now), isFresh: true)
    )
    #expect(!Shop.plan(mode: mode, stored, validatedSince: Shop.now + 1).isServed)
    #expect(!Shop.plan(mode: .reload, stored, validatedSince: Shop.now - 1).isServed)
  }
}
