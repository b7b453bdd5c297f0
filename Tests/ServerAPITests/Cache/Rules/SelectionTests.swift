import Support
import Testing

@testable import ServerAPI

@Suite struct SelectionTests {
  /// Whether a response to a request with `first` that varies on `vary` satisfies a request with `second`.
  static func fits(
    _ vary: String, _ first: HTTPHeaders, _ second: HTTPHeaders, language: String? = nil
  ) -> Bool {
    var headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": vary]
    headers["Content-Language"] = language
    guard let stored = Shop.kept(headers, sent: first) else { return false }
    return Shop.plan(second, [stored], after: 1).isServed
  }

  @Test(
    arguments: [
      ("Foo", ["Foo": "1"], ["Foo": "1"], true), ("Foo", ["foo": "1"], ["FOO": "1"], true),
      ("Foo", ["Foo": "1"], ["Foo": "2"], false), ("Foo", [:], ["Foo": "1"], false),
      ("Foo", ["Foo": "1"], [:], false), ("Foo", [:], ["Foo": ""], false),
      ("Foo", [:], ["Bar": "1"], true), ("Foo, Bar", ["Foo": "1"], ["Foo": "1"], true),
      ("Foo,Bar", ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], false),
      ("Foo", ["Foo": "1, 2"], ["Foo": "1", "foo": "2"], true),
      ("Foo", ["Foo": "1,2"], ["Foo": "1 ,\t2"], true),
      ("Foo", ["Foo": "1 2"], ["Foo": "12"], false),
      ("Foo", ["Foo": "a"], ["Foo": "A"], false), ("Foo", ["Foo": "1,2"], ["Foo": "2,1"], false),
      ("Foo", ["Foo": "\"a, b\""], ["Foo": "\"a,b\""], false),
      ("Foo", ["Foo": "\u{FC}"], ["Foo": "u\u{308}"], false),
    ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
  func `RFC 9111 4.1: a response matches requests with the same selecting fields`(
    vary: String, first: HTTPHeaders, second: HTTPHeaders, isFit: Bool
  ) {
    #expect(Self.fits(vary, first, second) == isFit)
  }

  @Test(arguments: [
    ("Accept-Language", "en, de", "de, en", true), ("Accept-Language", "en, de", "eN,  De ", true),
    ("Accept-Language", "en;q=0.5, de", "de;q=1.0 , en;q=0.50", true),
    ("Accept-Language", "en;q=0.5, de", "de;q=0.5, en", false),
    ("Accept-Language", "en, de", "en", false),
    ("Accept-Encoding", "gzip, br", "br,GZIP;q=1", true),
    ("Accept-Charset", "utf-8", "UTF-8", true),
    ("Accept", "text/html, */*;q=0.1", "*/*; q=0.1,TEXT/HTML", true),
    ("Accept", "a/b;version=A", "a/b;version=a", false),
    ("Accept", "a/b;v=\"x y\"", "a/b;v=\"xy\"", false),
    ("Accept", "a/b;q=2", "a/b", false), ("Accept", "a/b;q=0.5001", "a/b;q=0.5", false),
  ])
  func `RFC 9110 12.4.2: equivalent preferences match`(
    name: String, first: String, second: String, isFit: Bool
  ) {
    #expect(Self.fits(name, [name: first], [name: second]) == isFit)
  }

  @Test(arguments: [
    ("en;q=0.5, de;q=1", "de", true), ("fr;q=0.5, DE", "de", true), ("de, en", "de", false),
    ("en, de;q=0.5", "de", false), ("*", "*", false), ("de", "de, en", false),
    ("de", "de-CH", false),
    ("de;q=0", "de", false), ("de", "DE", true),
  ])
  func `RFC 9110 12.5.4: a response in the most preferred language matches`(
    wanted: String, language: String, isFit: Bool
  ) {
    let first: HTTPHeaders = ["Accept-Language": "en, de, it"]
    let second: HTTPHeaders = ["Accept-Language": wanted]
    #expect(Self.fits("Accept-Language", first, second, language: language) == isFit)
    #expect(
      !Self.fits("Accept-Language, Foo", first, second.merging(["Foo": "1"]), language: language))
  }

  @Test func `RFC 9111 4.1: the most recent of several matching responses is served`() {
    func response(_ seconds: Double, _ body: String, _ value: String?) -> StoredResponse {
      Shop.stored(
        ["Cache-Control": "max-age=6000", "Date": Shop.date(seconds)], body: body,
        selectors: value.map { [StoredResponse.Selector(name: "foo", value: $0)] } ?? [])
    }
    let stored = [response(-50, "old", "1"), response(-10, "new", nil), response(-5, "other", "2")]
    for order in [stored, stored.reversed()] {
      #expect(Shop.plan(["Foo": "1"], order).serving?.response.body.text == "new")
      #expect(Shop.plan(["Foo": "2"], order).serving?.response.body.text == "other")
    }
  }

  @Test func `secrets in selecting fields are stored as digests`() throws {
    let kept = try #require(
      Shop.kept(
        ["Vary": "Authorization, Cookie, X-Api-Key, Foo"],
        sent: [
          "Authorization": "Bearer secret", "Cookie": "s=secret", "X-Api-Key": "secret",
          "Foo": "open",
        ]))
    #expect(kept.selectors.map(\.name) == ["authorization", "cookie", "foo", "x-api-key"])
    #expect(kept.selectors.allSatisfy { $0.value?.contains("secret") == false })
    #expect(kept.selectors[2].value == "open")
    #expect(kept.selectors[0].value == SHA256.name(of: "Bearer secret", salt: [1, 2, 3]))
    #expect(Self.fits("Cookie", ["Cookie": "a=b"], ["Cookie": "a=b"]))
    #expect(!Self.fits("Cookie", ["Cookie": "a=b"], ["Cookie": "a=c"]))
  }

  @Test func `fields that the partition represents always match`() throws {
    var lookup = CacheLookup(request: Shop.request(), mode: .standard)
    lookup.partitionFields = ["authorization"]
    let response = Shop.response(
      200, ["Cache-Control": "max-age=60", "Vary": "Authorization, Foo"])
    var sent = lookup.request
    sent.headers["Authorization"] = "me"
    let stored = try #require(
      Shop.rules.conclude(
        response, to: lookup, sent: sent, stored: [], validating: nil, mayStore: true,
        requestedAt: Shop.now, receivedAt: Shop.now
      ).stored)
    #expect(stored.selectors.map(\.name) == ["foo"])
    var foreign = stored
    foreign.selectors.append(StoredResponse.Selector(name: "authorization", value: "x"))
    for response in [stored, foreign] {
      #expect(Shop.rules.plan(lookup, stored: [response], now: Shop.now).isServed)
    }
  }

  @Test func `variants have unique names`() {
    typealias Selector = StoredResponse.Selector
    let all: [[Selector]] = [
      [], [Selector(name: "a", value: nil)], [Selector(name: "a", value: "")],
      [Selector(name: "a", value: "1,b:1=2")],
      [Selector(name: "a", value: "1"), Selector(name: "b", value: "2")],
      [Selector(name: "a", value: "2"), Selector(name: "b", value: "1")],
    ]
    #expect(Set(all.map(CacheRules.variant)).count == all.count)
    #expect(CacheRules.variant(of: []) == "")
  }

  @Test func `a response with a changed Vary replaces the old one`() {
    let old = Shop.stored(["Cache-Control": "max-age=1"])
    let response = Shop.response(200, ["Cache-Control": "max-age=60", "Vary": "Foo"])
    let conclusion = Shop.conclude(response, ["Foo": "1"], stored: [old], after: 9)
    #expect(conclusion.removed == [0] && conclusion.stored != nil)
    let other = Shop.stored(
      ["Vary": "Foo"], selectors: [StoredResponse.Selector(name: "foo", value: "2")])
    #expect(Shop.conclude(response, ["Foo": "1"], stored: [other]).removed.isEmpty)
  }
}

extension HTTPHeaders {
  fileprivate func merging(_ other: HTTPHeaders) -> HTTPHeaders {
    var all = self
    all.merge(other)
    return all
  }
}
