import Testing

@testable import ServerAPI

@Suite struct HostPacerTests {
  static let now = 1_780_272_000.0

  static let responses: [(Int, HTTPHeaders, Int?)] = [
    (429, ["Retry-After": "5"], 5),
    (503, ["retry-after": "7"], 7),
    (200, ["Retry-After": "5"], nil),
    (429, [:], nil),
    (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"], 30),
    (200, ["RateLimit-Remaining": "1", "RateLimit-Reset": "30"], nil),
    (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1780272040"], 40),
    (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1780272040000"], 40),
    (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1780271000"], 0),
    (200, ["X-Ratelimit-Remaining": "0", "X-Ratelimit-Reset": "12"], 12),
    (200, ["RateLimit": "limit=10, remaining=0, reset=8"], 8),
    (200, ["RateLimit": "limit=10, remaining=3, reset=8"], nil),
    (200, ["RateLimit": "\"default\";r=0;t=9"], 9),
    (200, ["RateLimit": "\"default\";r=4;t=9"], nil),
    (200, ["RateLimit": "\"burst\";r=5;t=1, \"day\"; r=0; t=60"], 60),
    (200, ["RateLimit": "\"a\u{600}\";r=5,\u{301}\"b\";\u{301};r=0\u{600};t=7"], nil),
    (200, ["RateLimit": "\"a\u{600};r=5,\u{301};r=0;t=7"], 7),
    (200, ["RateLimit": "\"d\";r=0", "RateLimit-Policy": "\"b\";q=1;w=3, \"d\";q=10;w=20"], 20),
    (429, ["Retry-After": "5", "RateLimit": "\"d\";r=0;t=9"], 9),
    (200, ["RateLimit": ";;=,=,r=0", "X-RateLimit-Remaining": "0"], nil),
    (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "soon"], nil),
    (403, ["Retry-After": "6"], 6), (403, [:], nil), (403, ["Retry-After": "soon"], nil),
    (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1780272040"], 40),
    (403, ["X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "1780272040"], nil),
    (403, ["X-RateLimit-Remaining": "0"], nil),
    (403, ["Retry-After": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], 60),
    (404, ["Retry-After": "6"], nil),
  ]

  @Test(arguments: responses)
  func `the pause a server requests is read from its fields`(
    status: Int, headers: HTTPHeaders, seconds: Int?
  ) {
    #expect(RateLimit(status, headers, now: { Self.now }).wait == seconds.map { .seconds($0) })
  }

  static let limits: [(Int, HTTPHeaders, Bool)] = [
    (429, [:], true), (403, [:], false), (403, ["Retry-After": "6"], true),
    (403, ["Retry-After": "soon"], false), (403, ["X-RateLimit-Remaining": "0"], true),
    (403, ["X-RateLimit-Remaining": "00"], false), (403, ["X-RateLimit-Remaining": "5"], false),
    (403, ["RateLimit-Remaining": "0"], true), (403, ["RateLimit": "\"d\";r=0"], true),
    (403, ["RateLimit": "limit=5, remaining=0"], true), (403, ["RateLimit": "\"d\";r=1"], false),
    (503, ["Retry-After": "6"], false), (503, ["RateLimit": "\"d\";r=0;t=5"], true),
    (401, ["Retry-After": "6"], false), (200, ["RateLimit-Remaining": "0"], true),
  ]

  @Test(arguments: limits)
  func `a response is about a rate limit only if it says so`(
    status: Int, headers: HTTPHeaders, isLimit: Bool
  ) {
    #expect(RateLimit(status, headers, now: { Self.now }).isLimit == isLimit)
  }

  @Test(.timeLimit(.minutes(1)))
  func `long lists of quotas and policies are read in one pass`() {
    let headers: HTTPHeaders = [
      "RateLimit": String(repeating: "a;r=0,", count: 15_000) + "b;r=0",
      "RateLimit-Policy": String(repeating: "c;w=1,", count: 15_000) + "b;w=4",
    ]
    #expect(RateLimit(200, headers, now: { Self.now }).wait == .seconds(4))
  }

  @Test func `every request to a paced origin waits, and no other`() throws {
    var pacer = HostPacer()
    let url = try WebURL("https://a.example/x")
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(10), now: .seconds(100))
    let other = try WebURL("https://a.example/y")
    #expect(
      pacer.pause(of: other, now: .seconds(104))
        == .seconds(6))
    #expect(pacer.pause(of: try WebURL("https://a.example:444/"), now: .seconds(104)) == nil)
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(1), now: .seconds(104))
    #expect(pacer.pause(of: url, now: .seconds(104)) == .seconds(6))
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(7), now: .seconds(104))
    #expect(pacer.pause(of: url, now: .seconds(104)) == .seconds(7))
    #expect(pacer.pause(of: url, now: .seconds(111)) == nil)
    #expect(pacer.count == 0)
  }

  @Test func `a long pause is forgotten early, so that a call finds out the current one`() throws {
    var pacer = HostPacer()
    let url = try WebURL("https://a.example/")
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(3_600), now: .zero)
    #expect(pacer.pause(of: url, now: .seconds(299)) == .seconds(3_301))
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(3), now: .seconds(299))
    #expect(pacer.pause(of: url, now: HostPacer.longest) == nil)
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(20), now: .seconds(300))
    #expect(pacer.pause(of: url, now: .seconds(310)) == .seconds(10))
  }

  @Test func `the number of hosts is limited`() throws {
    var pacer = HostPacer()
    let url = try WebURL("https://a.example/")
    pacer.pause(HostPacer.Place(origin: url.origin), for: .seconds(1_000_000_000_000), now: .zero)
    for host in 0..<1000 {
      let other = try WebURL("https://h\(host).example/")
      pacer.pause(HostPacer.Place(origin: other.origin), for: .seconds(1 + host % 7), now: .zero)
    }
    #expect(pacer.count == HostPacer.capacity)
    #expect(pacer.pause(of: url, now: .zero) == .seconds(1_000_000_000_000))
  }
}

@Suite struct RetryAfterTests {
  @Test(arguments: [
    ("120", Duration.seconds(120)), ("0", .zero),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("99999999999999999999999999", .seconds(1_000_000_000_000_000)),
  ])
  func `a wait is parsed in both forms and never negative`(text: String, wait: Duration) {
    #expect(RetryAfter.wait(text, now: 784_111_740) == wait)
  }

  @Test(arguments: ["", "-1", "1.5", "+3", "3 ", "١٢", "later"])
  func `an invalid wait is ignored`(text: String) {
    #expect(RetryAfter.wait(text, now: 0) == nil)
  }
}
