import QuireTesting
import ServerAPI
import Testing

// Parsing in more than one pass would take minutes for the long values.
@Suite(.timeLimit(.minutes(1))) struct WebLinkTests {
  private func page(_ address: String = "https://api.example/v1/items?page=1") throws -> WebURL {
    try WebURL(address)
  }

  private func link(_ value: String) throws -> HTTPHeaders.Link {
    try #require((["Link": value] as HTTPHeaders).links.first)
  }

  @Test func `links of repeated and of joined fields are in order`() {
    let headers = HTTPHeaders([
      .init(name: "Link", value: "<a>; rel=next, <b>; rel=prev"),
      .init(name: "X-Link", value: "<no>; rel=next"),
      .init(name: "link", value: "<c>; title=\"never closed, <x>"),
      .init(name: "LINK", value: "<d>;rel=last"),
    ])
    #expect(headers.links.map(\.target) == ["a", "b", "c", "d"])
    #expect(headers.links.map(\.relations) == [["next"], ["prev"], [], ["last"]])
    #expect((["X-Next": "<a>; rel=next"] as HTTPHeaders).links.isEmpty)
  }

  @Test(arguments: [
    ("<a>; rel=NEXT", ["next"]),
    ("<a>; rel=\" next \t Prev  \"", ["next", "prev"]),
    ("<a>; rel=next; rel=prev", ["next"]),
    ("<a>; rel=\"\"; rel=prev", []),
    ("<a>; Rel = \"n\\ext\"", ["next"]),
    ("<a>; rel=\"HTTP://Example/Own\"", ["http://example/own"]),
    ("<a>; rel*=UTF-8''next", []),
    ("<a>;;; ;rel=next;", ["next"]),
    ("<a> ; x ; rel=next", ["next"]),
    ("<a>; rel=\u{301}next", ["\u{301}next"]),
  ])
  func `relations are lowercased, and the first rel is used`(
    _ value: String, _ relations: [String]
  ) throws {
    #expect(try link(value).relations == relations)
  }

  @Test(arguments: [
    ("title=plain", ["title=plain"]),
    ("TITLE=\"a, b; c\"", ["title=a, b; c"]),
    (#"title="say \"ä\\\ä\"""#, [#"title=say "ä\ä""#]),
    ("title=a; title=b", ["title=a"]),
    ("type=text/html; type=b; media=c; media=d", ["type=text/html", "media=c"]),
    ("hreflang=de; hreflang=en; x=1; X=2", ["hreflang=de", "hreflang=en", "x=1", "x=2"]),
    ("x; y=; z = 3 ", ["x=", "y=", "z=3"]),
    ("=1; *=2; ; x=1=2", ["x=1=2"]),
    ("x='a; b'", ["x='a", "b'="]),
    ("title=a; title*=UTF-8'de'%C3%A4", ["title=ä de"]),
    ("title*=utf-8''b; title=a", ["title=b"]),
    ("title*=UTF-8''b; title*=UTF-8''c", ["title=b"]),
    ("title*=\"UTF-8'en-GB'it's%20b\"", ["title=it's b en-GB"]),
    ("title*=ISO-8859-1''%E4%80", ["title=ä\u{80}"]),
    ("x*=UTF-8''b; x=a; y*=UTF-8''%2", ["x=b"]),
    ("title*=UTF-8''%E4; title=a", ["title=a"]),
    ("title*=UTF-8''%4g; title=a", ["title=a"]),
    ("title*=UTF-8''ä; title=a", ["title=a"]),
    ("title*=UTF-16''b; title=a", ["title=a"]),
    ("title*=UTF-8'b; title=a", ["title=a"]),
    ("title*=; title=a", ["title=a"]),
    ("title*; title=a", ["title=a"]),
    ("x\u{600}*=UTF-8''b; x=a", ["x\u{600}=b", "x=a"]),
  ])
  func `attributes keep their order, and a valid encoded one takes precedence`(
    _ parameters: String, _ expected: [String]
  ) throws {
    let link = try link("<a>; rel=next; anchor=\"/b\"; \(parameters)")
    let attributes = link.attributes.map { attribute in
      "\(attribute.name)=\(attribute.value)" + (attribute.language.map { " " + $0 } ?? "")
    }
    #expect(attributes == expected)
    #expect(link.relations == ["next"])
    #expect(link.anchor == "/b")
  }

  @Test func `attribute names are case-insensitive`() throws {
    let link = try link("<a>; Type=text/html; hreflang=de; hreflang=en")
    #expect(link["type"] == "text/html")
    #expect(link["HrefLang"] == "de")
    #expect(link["title"] == nil)
  }

  @Test(arguments: [
    ("rel=next; <a>; rel=prev, <b>; rel=last", ["b"]),
    ("junk \"with, <x>; rel=next\" more, <b>", ["b"]),
    ("<a> junk, <b>", ["a", "b"]),
    ("<a>; rel=\"next\" junk; x=\",\", <b>", ["a", "b"]),
    ("<a>; rel pel=next, <b>", ["a", "b"]),
    ("<a>, <b; rel=next, c", ["a"]),
    ("<a>; rel=\"next, <b>", ["a"]),
    ("<a>; rel=\"next\\", ["a"]),
    ("<a><b>; rel=x <c>", ["a", "b"]),
    ("<a,b;c>,,\t,<>", ["a,b;c", ""]),
    ("<\u{301}a>\u{301},<b>", ["\u{301}a", "b"]),
    ("", []), (",", []), ("<", []), (">", []), ("\"", []), ("ä", []),
  ])
  func `an invalid link does not affect the others`(_ value: String, _ targets: [String]) {
    #expect((["Link": value] as HTTPHeaders).links.map(\.target) == targets)
  }

  @Test(arguments: [
    ("https://other.example/x", "https://other.example/x"),
    ("//other.example/x", "https://other.example/x"),
    ("/items?page=2", "https://api.example/items?page=2"),
    ("items?page=2#top", "https://api.example/v1/items?page=2"),
    ("../items", "https://api.example/items"),
    ("?page=2", "https://api.example/v1/items?page=2"),
    ("", "https://api.example/v1/items?page=1"),
    (" ?page=2\t", "https://api.example/v1/items?page=2"),
    ("?q=a b", "https://api.example/v1/items?q=a%20b"),
  ])
  func `a target is resolved against the page`(_ target: String, _ address: String) throws {
    let link = try link("<\(target)>; rel=next")
    #expect(link.target == target)
    #expect(try link.url(from: page()).description == address)
  }

  @Test(arguments: ["mailto:a@b", "https://", "https://user:word@host/", "//host:99999/", "a\u{0}"])
  func `an invalid target is rejected with a reason`(_ target: String) throws {
    let link = try link("<\(target)>; rel=next")
    let page = try page()
    let error = #expect(throws: RequestError.self) { try link.url(from: page) }
    guard case .invalidRequest(let defect) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(defect.place == .url && !defect.problem.isEmpty)
  }

  @Test(arguments: [
    ("", true), ("?page=1", true), ("items?page=1", true), (" ?page=1 ", true), ("#", true),
    ("https://API.example:443/v1/items?page=1", true),
    ("#part", false), ("?page=1#part", false), ("?page=2", false), ("/v1/items", false),
    ("https://other.example/v1/items?page=1", false), ("urn:x", false), ("https://", false),
  ])
  func `a link whose anchor is not the page is not about the page`(
    _ anchor: String, _ isAbout: Bool
  ) throws {
    let value = "<?page=9>; rel=next; anchor=\"\(anchor)\"; anchor=\"\", <?page=2>; rel=\"x next\""
    let page = try page()
    #expect(try link(value).isAbout(page) == isAbout)
    let response = HTTPResponse(headers: ["Link": value], url: page)
    #expect(response.link("Next")?.target == (isAbout ? "?page=9" : "?page=2"))
    #expect(response.link("X")?.target == "?page=2")
    #expect(response.link("prev") == nil)
  }

  @Test(arguments: [
    "\"", "\\", ",", ";", "<", ">", "<>", "<a>,", "<a>;", "<a>;\"", "\"\\\"", "=", "*=",
    ";a*=''", "<a>;rel=\"", " ", "a\",", "<a>;x=\"\\", ";title*=UTF-8''%",
  ])
  func `a long run of any character is read in one pass`(_ piece: String) {
    let run = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
    for start in ["", "<a>; x=\""] {
      let links = (["Link": start + run] as HTTPHeaders).links
      #expect(links.count <= run.utf8.count { $0 == 0x3C } + 1)
    }
  }

  @Test func `a megabyte of links is read completely`() {
    let value = String(repeating: "<?page=12>; rel=\"next\", ", count: (1 << 20) / 25)
    #expect((["Link": value] as HTTPHeaders).links.count == (1 << 20) / 25)
  }

  @Test func `many different encoded parameters are read in one pass`() throws {
    let parameters = (0..<50_000).map { ";p\($0)*=UTF-8''a;p\($0)=b" }.joined()
    let link = try link("<a>" + parameters)
    #expect(link.attributes.count == 50_000)
    #expect(link.attributes.allSatisfy { $0.value == "a" })
  }

  @Test(arguments: try SeededGenerator.runs(2))
  func `invalid fields keep the links before the error`(
    _ seeded: SeededGenerator
  ) throws {
    let start = "<https://h/a?b=1,2>; rel=\"first\"; title=\"a, \\\"b\\\"\", "
    let rest = "<?p=2>; rel=\"next x\"; title*=UTF-8'de'%C3%A4; anchor=\"\", </z>;rel=last; y"
    let pieces = [
      "<", ">", "\"", "\\", ",", ";", "=", "*", "'", "%", "%C3", " ", "\t", "rel=", "anchor=",
      "title*=", "UTF-8''", "ä", "\u{301}", "\u{0}", "#",
    ]
    let first = try link(start)
    let page = try page()
    var random = seeded
    var whole = 0
    let count = Thoroughness.runs(5_000)
    for _ in 0..<count {
      var scalars = Array(rest.unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<scalars.count, using: &random)
        if Bool.random(using: &random) { scalars.remove(at: place) }
        let piece = pieces.randomElement(using: &random) ?? ""
        scalars.insert(contentsOf: piece.unicodeScalars, at: min(place, scalars.count))
      }
      let damaged = String(String.UnicodeScalarView(scalars))
      let response = HTTPResponse(headers: ["Link": start + damaged], url: page)
      let links = response.headers.links
      #expect(links.first == first, "\(random): \(damaged)")
      #expect(links.count <= 1 + scalars.count { $0 == "<" }, "\(random): \(damaged)")
      for link in links { _ = try? link.url(from: page) }
      if let next = response.link("next"), (try? next.url(from: page)) != nil { whole += 1 }
    }
    if Thoroughness.current != .brief { #expect(whole > count / 10) }
  }
}
