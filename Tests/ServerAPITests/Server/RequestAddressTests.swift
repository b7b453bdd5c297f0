import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct RequestAddressTests {
  private func address(
    _ base: String, _ call: Call, configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> String {
    var configuration = Server.Configuration()
    configure(&configuration)
    let base = try WebURL(base)
    let known = KnownTargets()
    // Without known targets, with a new one, and with a known one.
    let results = [nil, known, known].map { known in
      Result { () throws(RequestError) -> String in
        try RequestBuilder.build(call, base: base, configuration: configuration, known: known).url
          .description
      }
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
    return try results[0].get()
  }

  @Test(arguments: [
    ("https://h", "", "https://h/"),
    ("https://h/v1", "", "https://h/v1"),
    ("https://h/v1/", "", "https://h/v1/"),
    ("https://h", "books", "https://h/books"),
    ("https://h", "/books", "https://h/books"),
    ("https://h/", "/books", "https://h/books"),
    ("https://h/v1", "books", "https://h/v1/books"),
    ("https://h/v1", "/books", "https://h/v1/books"),
    ("https://h/v1/", "books", "https://h/v1/books"),
    ("https://h/v1/", "/books", "https://h/v1/books"),
    ("https://h/v1//", "/books//x/", "https://h/v1/books//x/"),
    ("https://h/v1", "/", "https://h/v1/"),
    ("https://h/v1", "../books", "https://h/books"),
    ("https://h/v1", "./books", "https://h/v1/books"),
    ("https://h/v1", "../../../books", "https://h/books"),
    ("https://h/v1", "a/../b", "https://h/v1/b"),
    ("https://h/v1", "?page=2", "https://h/v1?page=2"),
    ("https://h/v1?k=1", "?page=2", "https://h/v1?k=1&page=2"),
    ("https://h/v1?k=1", "/books", "https://h/v1/books?k=1"),
    ("https://h/v1?k=1", "/books?page=2", "https://h/v1/books?k=1&page=2"),
    ("https://h/v1?k=1", "", "https://h/v1?k=1"),
    ("https://h/v1?k=1", "https://other/x?y=2", "https://other/x?y=2"),
    ("https://h/v1?k=1", "https://h/x", "https://h/x"),
    ("https://h/v1", "HTTP://h/x", "http://h/x"),
    ("http://h/v1", "//other:81/x", "http://other:81/x"),
    ("https://h/v1", "/books#part", "https://h/v1/books"),
    ("https://h/v1", "#part", "https://h/v1"),
    ("https://h/v1", "./a:b", "https://h/v1/a:b"),
    ("https://h/v1", "/a:b", "https://h/v1/a:b"),
    ("https://h/v1", "5:6", "https://h/v1/5:6"),
    ("https://h:8080/v1", "/a b/ü?q=a b%", "https://h:8080/v1/a%20b/%C3%BC?q=a%20b%25"),
    ("https://h", #"\\evil.com"#, "https://h/%5C%5Cevil.com"),
    ("https://h/v1", "/\u{301}x", "https://h/v1/%CC%81x"),
    ("https://h", "b?", "https://h/b?"),
    ("https://h", "b?&", "https://h/b?&"),
    ("https://h", "b?a=1&&b=2&", "https://h/b?a=1&&b=2&"),
    ("https://h", "b?&&a=%2f+1&=&==&sig=a%3D&flag", "https://h/b?&&a=%2f+1&=&==&sig=a%3D&flag"),
    ("https://h?", "b", "https://h/b?"),
    ("https://h?k=1&&", "b", "https://h/b?k=1&&"),
    ("https://h?k=1", "b?", "https://h/b?k=1"),
    ("https://h?k=1", "b?&a=1&", "https://h/b?k=1&&a=1&"),
    ("https://h?k=1&", "b?a=1", "https://h/b?k=1&a=1"),
    ("https://h?", "b?", "https://h/b?"),
    ("https://h?k=1&&a=2&", "b?a=1&", "https://h/b?k=1&&a=1&"),
  ])
  func `base and address are joined, and a parameter is added at the end`(
    _ base: String, _ path: String, _ expected: String
  ) throws {
    #expect(try address(base, Call(path)) == expected)
    let isHome = try WebURL(expected).origin == WebURL(base).origin
    let sign = expected.contains("?") ? ["?", "&"].contains(expected.suffix(1)) ? "" : "&" : "?"
    #expect(
      try address(base, Call(path)) { $0.params = ["s": 1] }
        == (isHome ? expected + sign + "s=1" : expected))
    #expect(try address(base, Call(path, params: ["s": 1])) == expected + sign + "s=1")
    let nothing: Params = ["s": [String]()]
    #expect(try address(base, Call(path, params: nothing)) { $0.params = nothing } == expected)
  }

  @Test(arguments: [
    "https://h", "https://h:81/a/b", "http://[::1]/ü?x=1", "https://h/?", "https://h/?x&",
  ])
  func `an address with another query is the one that is parsed with it`(_ text: String) throws {
    let place = text.prefix { $0 != "?" }
    for query in [nil, "", "a=1", "a=1&&b=2&", "&", "?", "%2f+/:@!$'()*,;="] {
      let url = try WebURL(text).withQuery(query)
      let parsed = try WebURL(place + (query.map { "?" + $0 } ?? ""))
      #expect(url == parsed && url.query == query && parsed.query == query)
      #expect(url.path == parsed.path && url.origin == parsed.origin)
    }
  }

  @Test(arguments: [
    "ftp://h/x", "book:5", "https://user:pw@h/", "/a\nb", "https:///x", "//", "///x",
  ])
  func `an invalid address is rejected before anything is sent`(_ path: String) throws {
    let error = try #require(throws: RequestError.self) { try address("https://h", Call(path)) }
    guard case .invalidRequest(let defect) = error.kind else {
      Issue.record("\(error.kind)")
      return
    }
    #expect(defect.place == .url)
    #expect(!defect.problem.contains("pw"))
  }

  @Test(arguments: [
    (Params.ArrayEncoding.repeated, "tag=a%26b&tag=c%2Cd"),
    (.brackets, "tag%5B%5D=a%26b&tag%5B%5D=c%2Cd"),
    (.commas, "tag=a%26b,c%2Cd"),
  ])
  func `an array is encoded as configured for the server`(
    _ style: Params.ArrayEncoding, _ expected: String
  ) throws {
    let missing: String? = nil
    let call = Call("/x", params: ["tag": ["a&b", "c,d"], "none": missing, "empty": [String]()])
    let url = try address("https://h", call) { $0.arrayEncoding = style }
    #expect(url == "https://h/x?\(expected)")
  }

  @Test func `parameters are encoded as text`() throws {
    let call = Call(
      "/x", params: ["a b": "1+1=2&3", "é": "ü/?#%20", "n": 5, "d": 1.5, "t": true, "e": ""])
    let expected = "a%20b=1%2B1%3D2%263&%C3%A9=%C3%BC%2F%3F%23%2520&n=5&d=1.5&t=true&e="
    #expect(try address("https://h", call) == "https://h/x?\(expected)")
  }

  @Test func `parameters keep the order of their sources and the most specific source wins`() throws {
    let call = Call(
      "/x?a=address&both=address&twice=1&twice=2", params: ["c": "call", "both": "call"])
    let url = try address("https://h?b=base&a=base&s=base", call) {
      $0.params = ["s": "server", "twice": "server", "c": "server"]
    }
    #expect(url == "https://h/x?b=base&a=address&twice=1&twice=2&s=server&c=call&both=call")
  }

  @Test func `the query of an address stays unchanged`() throws {
    let url = try address("https://h", Call("/x?a=%2f+b&&sig=a%3D&flag", params: ["p": 1]))
    #expect(url == "https://h/x?a=%2f+b&&sig=a%3D&flag&p=1")
  }

  @Test func `a parameter replaces those of its name in an address, and nothing else of it`() throws {
    for (query, expected) in [
      ("a=1&&b=2&", "a=1&&b=3"), ("&b=2", "b=3"), ("&&b=2", "&b=3"), ("b=2&", "b=3"),
      ("b=2", "b=3"),
      ("b=1&a=%2f&b=2&&", "a=%2f&&b=3"), ("&&", "&&b=3"),
    ] {
      let call = Call("/x?" + query, params: ["b": 3])
      #expect(try address("https://h", call) == "https://h/x?" + expected)
      #expect(
        try address("https://h?" + query, Call("/x", params: ["b": 3])) == "https://h/x?" + expected
      )
    }
    // A parameter without a name replaces only one without a name.
    #expect(
      try address("https://h", Call("/x?&=1&a=2&", params: ["": 3])) == "https://h/x?&a=2&=3")
  }

  @Test func `an array in the address is replaced by one with its name`() throws {
    let call = Call("/x?tag[]=1&tag%5B%5D=2&y=3", params: ["tag": ["a", "b"]])
    let url = try address("https://h", call) { $0.arrayEncoding = .brackets }
    #expect(url == "https://h/x?y=3&tag%5B%5D=a&tag%5B%5D=b")
  }

  @Test func `addresses with the same characters in other bytes stay apart`() throws {
    let base = try WebURL("https://h")
    let known = KnownTargets()
    // Unicode considers the two of a pair equal.
    for path in ["/\u{E9}", "/e\u{301}", "/K", "/\u{212A}", "/\u{E9}"] {
      let url = try RequestBuilder.build(
        Call(path), base: base, configuration: Server.Configuration(), known: known
      ).url
      #expect(url.path == PercentEncoding.path.encode(path))
    }
  }

  @Test func `more addresses than are kept lead to their hosts`() throws {
    let server = Server("https://h/v1", transport: MockTransport { _ in .json("{}") })
    for round in 1...3 {
      for number in 0..<100 {
        let call = Call("//host\(number)/x?round=\(round)")
        #expect(server.origin(of: call)?.host == "host\(number)")
      }
    }
  }

  @Test(arguments: ["https://other/x", "//other/x", "http://h/x", "https://h:8443/x"])
  func `parameters of the server stay at its origin`(_ path: String) throws {
    let url = try address("https://h/v1?base=1", Call(path, params: ["call": 1])) {
      $0.params = ["key": "secret"]
    }
    #expect(url.hasSuffix("/x?call=1"))
    let home = try address("https://h/v1?base=1", Call("https://h/x", params: ["call": 1])) {
      $0.params = ["key": "secret"]
    }
    #expect(home == "https://h/x?key=secret&call=1")
  }
}
