import QuireTesting
import Support
import Testing

@testable import ServerAPI

/// No response makes the cache hang or serve a response that it must not serve.
@Suite(.timeLimit(.minutes(2))) struct HostileInputTests {
  static let modes: [CacheMode] = [
    .standard, .revalidate, .reload, .noStore, .networkElseCache, .cacheElseNetwork, .cacheOnly,
  ]

  static let responseNames = [
    "Cache-Control", "Expires", "Date", "Age", "ETag", "Last-Modified", "Vary", "Content-Range",
    "Content-Length", "Content-Language", "Content-Encoding", "Connection", "Location",
    "Content-Location", "Foo",
  ]
  static let requestNames = [
    "Cache-Control", "Pragma", "Range", "If-Range", "If-None-Match", "If-Modified-Since",
    "If-Match",
    "Accept", "Accept-Language", "Cookie", "Foo",
  ]

  /// Makes every decision about these fields.
  static func decide(
    _ responseFields: HTTPHeaders, _ requestFields: HTTPHeaders, status: Int,
    method: HTTPMethod = .get,
    now: Double = Shop.now
  ) {
    var stored: [StoredResponse] = []
    for status in [200, 206, 304, status] {
      for mode in modes {
        let conclusion = Shop.conclude(
          Shop.response(status, responseFields), requestFields, method: method, mode: mode,
          stored: stored)
        if let new = conclusion.stored, stored.count < 3 { stored.append(new) }
        let lookup = CacheLookup(request: Shop.request(requestFields), mode: mode)
        _ = Shop.rules.plan(lookup, stored: stored, now: now)
      }
    }
    for response in stored {
      _ = Shop.rules.freshness(of: response, now: now)?.description
      _ = CacheRules.variant(of: response.selectors)
    }
  }

  /// A text of any length.
  struct Repeated: Sendable, CustomTestStringConvertible {
    var before = ""
    var piece: String
    var after = ""

    func text(_ bytes: Int) -> String {
      before + String(repeating: piece, count: bytes / piece.utf8.count) + after
    }

    var testDescription: String { before + piece + "…" + after }
  }

  static let pieces =
    [
      "a", "max-age=1,", "\"", "\"\\", ",", "no-cache=\"a,b", " ", "9", "\u{0}", "ü", "W/\"a\",",
      "a;q=0.5,", "a\";q=",
    ].map { Repeated(piece: $0) } + [
      Repeated(before: "\"", piece: "\\\""), Repeated(before: "bytes=", piece: "0-1,"),
      Repeated(before: "no-cache=\"", piece: "a,", after: "\""),
    ]

  @Test(arguments: pieces)
  func `the cost of all fields grows at most linearly with their length`(_ repeated: Repeated) {
    let (short, long) = (repeated.text(6_250), repeated.text(50_000))
    let (few, many) = (cost { Self.decide(with: short) }, cost { Self.decide(with: long) })
    // The length grows eightfold. Quadratic cost would grow 64-fold.
    #expect(many < 24 * max(few, 250_000), "\(many) ns is too much compared to \(few) ns")
  }

  private static func decide(with value: String) {
    var responseFields: HTTPHeaders = [:]
    for name in responseNames { responseFields.add(name, value) }
    var requestFields: HTTPHeaders = [:]
    for name in requestNames { requestFields.add(name, value) }
    let response = Shop.stored(responseFields)
    let selecting = Shop.stored(
      ["Cache-Control": "max-age=9", "ETag": "\"a\""],
      selectors: ["accept", "accept-language", "foo"].map { .init(name: $0, value: "x") })
    _ = Shop.plan(requestFields, [response, selecting])
    _ = Shop.plan(["If-None-Match": value, "Range": value], [selecting])
    _ = Shop.conclude(
      Shop.response(200, responseFields), requestFields, stored: [response, selecting])
    _ = Shop.conclude(Shop.response(304, responseFields), stored: [response])
    _ = CacheRules.variant(of: [StoredResponse.Selector(name: "foo", value: value)])
  }

  /// Returns the least of three measurements, in nanoseconds of CPU time, which other programs do not affect.
  private func cost(_ work: () -> Void) -> Int {
    func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    return (0..<3).map { _ in
      let start = now()
      work()
      return now() - start
    }.min() ?? 0
  }

  @Test func `random bytes in all fields never trap`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let pieces = [
      "\"", ",", "=", "\\", " ", "\t", "\u{0}", "ü", "\u{FF}", "0", "1", "99999999999999999999",
      "-", "/", "*",
      "W/", "max-age", "no-cache", "bytes", "bytes ", "q=", ";", "a", "Foo", ":", "//", "%", "GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT", "stale-if-error=", ".",
    ]
    func text() -> String {
      (0..<Int.random(in: 0..<12, using: &random)).map { _ in pieces.picked(&random)
      }
      .joined()
    }
    func headers(_ names: [String]) -> HTTPHeaders {
      HTTPHeaders(
        (0..<8).map { _ in
          HTTPHeaders.Field(name: names.picked(&random), value: text())
        })
    }
    let times = [Shop.now, 0, -1, .nan, .infinity, -.infinity, 1e300, -1e300]
    for _ in 0..<Thoroughness.runs(100) {
      Self.decide(
        headers(Self.responseNames), headers(Self.requestNames),
        status: [200, 206, 304, 404, 416, 0, -1, 599, Int.max].picked(&random),
        method: [.get, .head, .post, .query].picked(&random),
        now: times.picked(&random))
    }
  }

  @Test
  func `a response served without validation is fresh or may be stale, by an independent model`()
    throws
  {
    var random = try SeededGenerator.fromEnvironment()
    var served = 0
    let count = Thoroughness.runs(5_000)
    for _ in 0..<count {
      let (headers, expected) = ExpectedFreshness.random(&random)
      let status = [200, 404, 302, 500].picked(&random)
      let response = StoredResponse(
        status: status, headers: headers, body: ResponseBody(text: "x"), url: Shop.url,
        requestedAt: Shop.now, receivedAt: Shop.now)
      let seconds = Double.random(in: 0..<60, using: &random)
      let isServed = Shop.plan([response], after: seconds).isServed
      #expect(
        isServed == expected.allows(status: status, after: seconds),
        "\(headers.fields) \(status) \(seconds) \(random)")
      served += isServed ? 1 : 0
    }
    // A few runs do not allow statistics.
    if Thoroughness.current == .brief { return }
    #expect((count * 3 / 50..<count * 9 / 10).contains(served))
  }
}

/// An independent model of freshness, which uses the intended values instead of parsing the fields.
struct ExpectedFreshness {
  private var maxAges: Set<Int?> = []
  private var windows: Set<Int> = []
  private var words: Set<String> = []
  /// Seconds from now; `nil` inside for an invalid date.
  private var expires: [Double?] = []
  private var date: Double??
  private var modified: Double??
  private var age = 0.0

  static func random(_ random: inout SeededGenerator) -> (HTTPHeaders, ExpectedFreshness) {
    var expected = ExpectedFreshness()
    var headers: HTTPHeaders = [:]
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      var parts: [String] = []
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        parts.append(expected.directive(&random))
      }
      headers.add(
        "Cache-Control",
        parts.joined(separator: [",", ", ", " ,, "].picked(&random)))
    }
    func moment() -> (String, Double?) {
      let seconds = Double(Int.random(in: -200..<60, using: &random))
      let bad = ["0", "soon", "Thu, 18 Aug 50 02:01:18 GMT", ""]
      return Bool.random(using: &random) || Bool.random(using: &random)
        ? (Shop.date(seconds), seconds) : (bad.picked(&random), nil)
    }
    for _ in 0..<[0, 0, 1, 1, 2].picked(&random) {
      let (text, seconds) = moment()
      headers.add("Expires", text)
      expected.expires.append(seconds)
    }
    if Bool.random(using: &random) {
      let (text, seconds) = moment()
      headers.add("Date", text)
      expected.date = .some(seconds)
    }
    if Bool.random(using: &random) {
      let (text, seconds) = moment()
      headers.add("Last-Modified", text)
      expected.modified = .some(seconds)
    }
    let ages = [("0", 0.0), ("7", 7), ("30, 1", 30), ("x", 0), ("-5", 0), ("5.5", 0)]
    if Bool.random(using: &random) {
      let (text, seconds) = ages.picked(&random)
      headers.add("Age", text)
      expected.age = seconds
    }
    return (headers, expected)
  }

  private mutating func directive(_ random: inout SeededGenerator) -> String {
    let number = [0, 5, 20, 50, 100].picked(&random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5:
      maxAges.insert(number)
      return ["max-age=\(number)", "Max-Age=\"\(number)\"", "MAX-AGE=0\(number)"].picked(&random)
    case 5:
      maxAges.insert(nil)
      return ["max-age", "max-age=x", "max-age =9", "max-age= 9", "max-age=-9"].picked(&random)
    case 6..<8:
      windows.insert(number)
      return "stale-while-revalidate=\(number)"
    case 8: return "no-cache=\"a, b\""
    case 9: return "foo=\"max-age=5, no-cache\""
    case 10: return "s-maxage=100"
    default:
      let word = ["no-cache", "must-revalidate", "public", "immutable", "x", "private", "y", "z"]
        .picked(&random)
      words.insert(word)
      return Bool.random(using: &random) ? word : word.uppercased()
    }
  }

  func allows(status: Int, after seconds: Double) -> Bool {
    if words.contains("no-cache") { return false }
    let made = (date ?? nil) ?? 0
    let old = max(-made, age, 0) + seconds
    var good = 0.0
    if !maxAges.isEmpty {
      if maxAges.count == 1, let one = maxAges.first, let one { good = Double(one) }
    } else if !expires.isEmpty {
      if expires.count == 1, let one = expires[0] { good = one - made }
    } else if let modified, let modified, modified < made,
      words.contains("public") || status == 200 || status == 404
    {
      good = (made - modified) / 10
    }
    if max(0, good) > old { return true }
    guard !words.contains("must-revalidate"), windows.count == 1, let window = windows.first else {
      return false
    }
    return old - max(0, good) <= Double(window)
  }
}

extension Array {
  fileprivate func picked(_ random: inout SeededGenerator) -> Element {
    self[Int.random(in: indices, using: &random)]
  }
}
