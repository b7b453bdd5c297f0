import Testing

@testable import ServerAPI

@Suite struct CookieJarTests {
  func jar(_ fields: String..., from url: String = "https://a.example/dir/page") throws -> CookieJar {
    var jar = CookieJar()
    jar.store(
      HTTPHeaders(fields.map { .init(name: "set-cookie", value: $0) }), from: try WebURL(url),
      now: 1000)
    return jar
  }

  @Test func `a cookie is only sent to the origin that set it`() throws {
    let jar = try jar("id=1; Domain=a.example; Path=/; HttpOnly; SameSite=Lax")
    #expect(jar.field(for: try WebURL("https://a.example/x"), now: 1000) == "id=1")
    for url in ["http://a.example/", "https://www.a.example/", "https://a.example:444/"] {
      #expect(jar.field(for: try WebURL(url), now: 1000) == nil)
    }
  }

  @Test(arguments: [
    "Domain=b.example", "Domain=sub.a.example", "Domain=xa.example", "Domain=a.e\u{445}ample",
    "Domain=.\u{301}a.example", "Domain=\u{600}.a.example",
  ])
  func `a cookie for another host is rejected`(attribute: String) throws {
    #expect(
      try jar("id=1; \(attribute)").field(for: WebURL("https://a.example/dir/"), now: 1) == nil)
  }

  @Test(arguments: [
    ("id=1", "/dir/page", true), ("id=1", "/dir", true), ("id=1", "/directory", false),
    ("id=1", "/", false), ("id=1; Path=/dir/", "/dir/x", true), ("id=1; Path=/d", "/dir", false),
    ("id=1; Path=relative", "/dir/y", true),
  ])
  func `the path decides whether a cookie is sent`(field: String, path: String, sent: Bool) throws {
    let found = try jar(field).field(for: try WebURL("https://a.example" + path), now: 1000)
    #expect((found == "id=1") == sent)
  }

  @Test(arguments: [
    ("id=1; Max-Age=10", 1009.0, true), ("id=1; Max-Age=10", 1010, false),
    ("id=1; Max-Age=0", 1000, false), ("id=1; Max-Age=-5", 1000, false),
    ("id=1; Expires=Thu, 01 Jan 1970 00:20:00 GMT", 1199, true),
    ("id=1; Expires=Thu, 01-Jan-1970 00:20:00 GMT", 1200, false),
    ("id=1; Expires=nonsense", 9e12, true),
    ("id=1; Max-Age=900; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 1800, true),
  ])
  func `a cookie expires`(field: String, now: Double, sent: Bool) throws {
    #expect((try jar(field).field(for: WebURL("https://a.example/dir/"), now: now) != nil) == sent)
  }

  @Test func `a domain is compared byte by byte`() throws {
    let url = try WebURL("https://k.example/")
    for (domain, sent) in [
      ("K.example", "id=1"), (".k.example", "id=1"), ("\u{212A}.example", nil),
    ] {
      let jar = try jar("id=1; Domain=\(domain)", from: url.description)
      #expect(jar.field(for: url, now: 1) == sent)
    }
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 gmt", false), ("Thu, 1 Jan 1970 0:0:0 gMT", false),
    ("Thursday, 01-Jan-70 00:00:00 gmt", false), ("Mon, 01 Jan 1601 00:00:00 GMT", false),
    // RFC 6265, section 5.1.1: before 1601 it is no date, and a date that is none is ignored.
    ("Sun, 31 Dec 1600 23:59:59 GMT", true), ("Mon, 01 Jan 1500 00:00:00 GMT", true),
    ("Thu, 01 Jan 1970 00:00:00 UTC", false), ("Thu, 01 Jan 1970 00:00:60 GMT", true),
  ])
  func `a date in the past deletes a cookie, and one that can't be read does not`(
    date: String, kept: Bool
  ) throws {
    let jar = try jar("a=1; Path=/", "a=; Path=/; Expires=\(date)")
    #expect(jar.field(for: try WebURL("https://a.example/"), now: 1000) == (kept ? "a=" : nil))
  }

  @Test(arguments: [
    ("s=1; Secure", "http://a.example/", false), ("s=1; Secure", "https://a.example/", true),
    ("__Secure-s=1", "https://a.example/", false),
    ("__Secure-s=1; Secure", "https://a.example/", true),
    ("__Host-s=1; Secure; Path=/", "https://a.example/", true),
    ("__host-s=1; Secure", "https://a.example/", false),
    ("__Host-s=1; Secure; Path=/; Domain=a.example", "https://a.example/", false),
    ("=1", "https://a.example/", false), ("plain", "https://a.example/", false),
    ("s=\u{1}", "https://a.example/", false), ("s=", "https://a.example/", true),
  ])
  func `a cookie that violates its own attributes is rejected`(
    field: String, url: String, kept: Bool
  ) throws {
    #expect((try jar(field, from: url).field(for: WebURL(url), now: 1000) != nil) == kept)
  }

  @Test(arguments: [
    ("a=1;\u{301} b=2", "a=1"), ("a=1\u{600};b=2", "a=1\u{600}"), ("a=1;\u{368}=3", "a=1"),
    ("a=1\u{600} ; b=2", "a=1\u{600}"), ("a\u{600} = \u{301} ", "a\u{600}=\u{301}"),
    ("a=e\u{301} ; Path=/", "a=e\u{301}"),
  ])
  func `a combining character hides neither a separator nor a blank`(
    field: String, sent: String
  ) throws {
    #expect(try jar(field).field(for: WebURL("https://a.example/dir/"), now: 1000) == sent)
  }

  @Test func `the same name and path replaces a cookie, and longer paths come first`() throws {
    let jar = try jar(
      "a=1; Path=/", "b=1; Path=/dir", "a=2; Path=/", "b=; Path=/dir; Max-Age=0",
      "c=3; Path=/dir")
    #expect(jar.field(for: try WebURL("https://a.example/dir/x"), now: 1000) == "c=3; a=2")
  }

  @Test(arguments: [
    ("Max-Age=9; Max-Age=x", 1008.0, 1009.0),
    ("Expires=Thu, 01 Jan 1970 00:20:00 GMT; Expires=soon", 1199, 1200),
    ("Expires=Thu, 01 Jan 1970 00:10:00 GMT; Expires=Thu, 01 Jan 1970 00:20:00 GMT", 1199, 1200),
  ])
  func `RFC 6265 5.2: an attribute that can't be read counts for nothing`(
    attributes: String, last: Double, end: Double
  ) throws {
    let jar = try jar("a=1; Path=/; " + attributes)
    let url = try WebURL("https://a.example/")
    #expect(jar.field(for: url, now: last) == "a=1")
    #expect(jar.field(for: url, now: end) == nil)
  }

  @Test func `RFC 6265 5.2.3: an empty domain counts for nothing`() throws {
    let jar = try jar("a=1; Domain=b.example; Domain=")
    #expect(jar.field(for: try WebURL("https://a.example/dir/"), now: 1000) == nil)
  }

  @Test func `RFC 6265 5.3: an update keeps the place of a cookie`() throws {
    let jar = try jar("a=1; Path=/", "b=1; Path=/", "c=1; Path=/", "a=2; Path=/", "b=2; Path=/")
    #expect(jar.field(for: try WebURL("https://a.example/"), now: 1000) == "a=2; b=2; c=1")
    var full = CookieJar()
    let url = try WebURL("https://a.example/")
    for number in 0..<CookieJar.cookiesPerOrigin {
      full.store(["Set-Cookie": "c\(number)=1"], from: url, now: 0)
    }
    full.store(["Set-Cookie": "c7=2"], from: url, now: 0)
    #expect(full.field(for: url, now: 0)?.hasPrefix("c0=1; c1=1; ") == true)
    #expect(full.field(for: url, now: 0)?.contains("; c6=1; c7=2; c8=1") == true)
  }

  @Test func `a deletion takes no place of another origin, and changes nothing by itself`() throws {
    var jar = CookieJar()
    for host in 0..<CookieJar.maximumOrigins {
      jar.store(["Set-Cookie": "a=1"], from: try WebURL("https://h\(host).example/"), now: 0)
    }
    let revision = jar.revision
    for host in 0..<200 {
      jar.store(
        ["Set-Cookie": "a=; Max-Age=0"], from: try WebURL("https://other\(host).example/"), now: 0)
    }
    #expect(jar.revision == revision)
    for host in 0..<CookieJar.maximumOrigins {
      #expect(jar.field(for: try WebURL("https://h\(host).example/"), now: 0) == "a=1")
    }
    // The place of an origin without cookies is free.
    jar.store(["Set-Cookie": "a=; Max-Age=0"], from: try WebURL("https://h5.example/"), now: 0)
    jar.store(["Set-Cookie": "a=1"], from: try WebURL("https://new.example/"), now: 0)
    #expect(jar.field(for: try WebURL("https://h0.example/"), now: 0) == "a=1")
  }

  @Test func `a path that is too long is ignored`() throws {
    let path = "/" + String(repeating: "p", count: Cookie.maximumPathBytes)
    let jar = try jar("a=1; Path=\(path)", from: "https://a.example/")
    #expect(jar.field(for: try WebURL("https://a.example/"), now: 1000) == "a=1")
  }

  @Test func `the number and size of cookies are limited`() throws {
    var jar = CookieJar()
    let url = try WebURL("https://a.example/")
    for index in 0..<500 {
      let value = String(repeating: "v", count: 400)
      jar.store(["Set-Cookie": "n\(index)=\(value)"], from: url, now: 0)
    }
    jar.store(["Set-Cookie": "big=" + String(repeating: "v", count: 5000)], from: url, now: 0)
    let field = try #require(jar.field(for: url, now: 0))
    #expect(field.utf8.count <= CookieJar.bytesPerRequest)
    #expect(!field.contains("big"))
    for host in 0..<200 {
      jar.store(["Set-Cookie": "a=1"], from: try WebURL("https://h\(host).example/"), now: 0)
    }
    #expect(jar.field(for: url, now: 0) == nil)
    #expect(jar.field(for: try WebURL("https://h199.example/"), now: 0) == "a=1")
  }
}
