import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import QuireCollect

/// Calls for rows: what values do in them, and what they can't do.
@Suite struct CallTemplateTests {
  private static func filled(_ address: String, _ row: String, _ params: Params = [:]) -> String {
    do {
      let call = Call(address, params: params)
      let filled = try CallTemplate(call).call(call, for: try JSONDocument(Array(row.utf8)).root)
      let texts = filled.params.items.map { param in
        let values = param.value.all.map { value in
          if case .text(let text) = value { "“\(text)”" } else { value.text }
        }
        return "\(param.name)=\(values.joined(separator: ","))"
      }
      return ([filled.address] + texts).joined(separator: " ")
    } catch {
      return "! \(error)"
    }
  }

  @Test(arguments: [
    ("/books/{id}/reviews", #"{"id":7}"#, "/books/7/reviews"),
    ("/books/{id}", #"{"id":"a b"}"#, "/books/a%20b"),
    ("/repos/{full_name}/issues", #"{"full_name":"lem/solaris"}"#, "/repos/lem/solaris/issues"),
    ("/users/{owner.login}", #"{"owner":{"login":"lem"}}"#, "/users/lem"),
    ("/users/{tags[0]}", #"{"tags":["x"]}"#, "/users/x"),
    ("https://test/{a}/{b}?of={a}&in={b}#x", #"{"a":1,"b":true}"#, "https://test/1/true?of=1&in=true"),
    ("/v{version}/x-{id}.json", #"{"version":1.5,"id":"…"}"#, "/v1.5/x-%E2%80%A6.json"),
    ("/books?of={id}", #"{"id":"a/b&c=d#e?"}"#, "/books?of=a%2Fb%26c%3Dd%23e%3F"),
    ("/{{{id}}}", #"{"id":1}"#, "/{1}"),
    ("/books/{id}?of=http://x/{id}", #"{"id":1}"#, "/books/1?of=http://x/1"),
    ("?of={id}&in=//x", #"{"id":1}"#, "?of=1&in=//x"),
    ("books/{id}", #"{"id":1}"#, "books/1"),
    ("/{id}/{{id}}", #"{"id":1}"#, "/1/{id}"),
    ("/books/{id}", #"{"id":12345678901234567890123}"#, "/books/12345678901234567890123"),
    ("/books/{id}/", #"{"id":1}"#, "/books/1/"),
  ]) func `values stand in their places`(_ address: String, _ row: String, _ expected: String) {
    #expect(Self.filled(address, row) == expected)
  }

  @Test func `parameters have places too, and a number stays one`() {
    let params: Params = ["book": "{id}", "q": "book:{id} by {by}", "tags": ["{by}", "all"], "n": 1, "json": "{{}}"]
    #expect(
      Self.filled("/reviews", #"{"id":7,"by":"lem & co"}"#, params)
        == "/reviews book=7 q=“book:7 by lem & co” tags=“lem & co”,“all” n=1 json=“{}”")
  }

  @Test(arguments: [
    (#""../../admin""#, "its “v” would lead to another place, with “..” in the address"),
    (#""..""#, "its “v” would lead to another place, with “..” in the address"),
    (#"".""#, "its “v” would lead to another place, with “.” in the address"),
    (#""a/./b""#, "its “v” would lead to another place, with “.” in the address"),
    (#""//host""#, "its “v” begins or ends with a slash, or has two in a row"),
    (#""/etc""#, "its “v” begins or ends with a slash, or has two in a row"),
    (#""a/""#, "its “v” begins or ends with a slash, or has two in a row"),
    (#""a//b""#, "its “v” begins or ends with a slash, or has two in a row"),
    (#""""#, "its “v” is an empty text"),
    ("null", "its “v” is null"),
    ("{}", "its “v” is an object, which can't be in an address"),
    ("[1]", "its “v” is an array, which can't be in an address"),
  ]) func `a value can't lead elsewhere`(_ value: String, _ problem: String) {
    #expect(Self.filled("/books/{v}/reviews", #"{"v":\#(value)}"#) == "! \(problem)")
    #expect(Self.filled("/books/{v}", #"{"v":\#(value)}"#) == "! \(problem)")
  }

  @Test func `hostile values are text, and stay where they are`() throws {
    let values = [
      "a?b#c", "%2e%2e", "%2e%2e/admin", "x\ny", "x\r\nHost: evil", "ünïcødé", "http://evil", "evil@x:80", "..\\..",
      "a;b",
      "\u{0}", "...", "a{b}c", "{id}", "\u{202E}", "é/é",
      "x".replacing("x", with: String(repeating: "y", count: 4_096)),
    ]
    let server = Server("https://test/base/", transport: MockTransport { _ in .status(404) })
    for value in values where value != "http://evil" {
      let row = "{\"v\":\(JSONAny.string(value).text())}"
      let address = Self.filled("/books/{v}/reviews", row)
      let url = try server.address(of: Call(address))
      #expect(url.origin.description == "https://test" && url.query == nil, "\(value)")
      #expect(url.path.hasPrefix("/base/books/") || url.path.hasPrefix("/books/"), "\(url)")
      #expect(url.path.hasSuffix("/reviews"), "\(url)")
      #expect(
        url.path.split(separator: "/", omittingEmptySubsequences: false).count
          == emptySegments(server) + value.split(separator: "/").count, "\(url)")
      let query = try server.address(of: Call(Self.filled("/books?of={v}&x=1", row)))
      #expect(query.query?.split(separator: "&").count == 2 && query.path.hasSuffix("/books"), "\(query)")
    }
    #expect(Self.filled("/books/{v}", #"{"v":"http://evil"}"#).contains("two in a row"))
    #expect(Self.filled("/books/{v}", "{\"v\":\"\(String(repeating: "y", count: 4_097))\"}").contains("is too long"))
    // Dots of the address and of a value make no dots together.
    #expect(Self.filled("/books/.{v}", #"{"v":"."}"#).contains("would lead to another place"))
    #expect(Self.filled("/books/%2E{v}", #"{"v":"."}"#).contains("would lead to another place"))
    #expect(Self.filled("/books/{v}{v}", #"{"v":"."}"#).contains("would lead to another place"))
    #expect(Self.filled("/books/{v}", "{}") == "! it has no “v”")
  }

  /// How many segments an address of a list has beside those of the value.
  private func emptySegments(_ server: Server) -> Int {
    let path = (try? server.address(of: Call("/books/x/reviews")))?.path ?? ""
    return path.split(separator: "/", omittingEmptySubsequences: false).count - 1
  }

  @Test func `no value leads out of its place`() throws {
    let server = Server("https://test", transport: MockTransport { _ in .status(404) })
    let parts = [
      "/", ".", "..", "%2e", "%2F", "\\\\", "?", "#", ":", "@", "{", "}", " ", "a", "ü", "\\n", ";", "//", "%",
      "\u{301}",
    ]
    let templates = ["/a/{v}/z", "/a/x{v}y/z", "/a/.{v}/z", "/a/{v}{v}/z", "/a/%2e{v}/z", "/a/{v}./z"]
    var accepted = 0
    for start in try SeededGenerator.runs(Thoroughness.runs(2_000)) {
      var random = start
      let value = (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      for template in templates {
        let address = Self.filled(template, "{\"v\":\"\(value)\"}")
        guard !address.hasPrefix("! ") else { continue }
        accepted += 1
        let url = try server.address(of: Call(address))
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(url.origin.description == "https://test" && url.query == nil, "\(template) \(value)")
        #expect(
          segments.count == address.split(separator: "/", omittingEmptySubsequences: false).count,
          "\(template) \(value)")
        #expect(segments.count > 3 && segments[1] == "a" && segments.last == "z", "\(template) \(value) \(url)")
        #expect(url.path == address, "\(template) \(value)")
      }
    }
    #expect(accepted > 100 || Thoroughness.current == .brief)
  }

  @Test(arguments: [
    ("/books", "it would be the same list for each row; name a member of the row, as /books/{id}/reviews"),
    ("https://{host}/x", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("https://test:{port}/x", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("//{host}/{id}", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("{host}/{id}", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("https://test:{id}?x=1", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("http:{id}", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("{scheme}://test/{id}", "“{” can't be in the host of an address: a row has to stay on the server"),
    ("/books/{id", "a “{” has no “}”; write {{ for a brace of the text"),
    ("/books/id}", "a “}” has no “{”; write }} for a brace of the text"),
    ("/books/{$}", "“{$}” names no member of a row"),
    ("/books#{id}", "it would be the same list for each row; name a member of the row, as /books/{id}/reviews"),
  ]) func `templates that can't be used`(_ address: String, _ problem: String) {
    #expect(Self.filled(address, #"{"id":1}"#) == "! \(problem)")
  }

  @Test func `a path that is none says so`() {
    let problem = Self.filled("/books/{a b}", #"{"id":1}"#)
    #expect(problem.hasPrefix("! “{a b}” is no member of a row: "), "\(problem)")
    #expect(Self.filled("/books/{}", #"{"id":1}"#).hasPrefix("! “{}” "))
    #expect(Self.filled("/x", #"{"id":1}"#, ["filter": #"{"a":1}"#]).hasPrefix("! “{\"a\":1}” is no member of a row: "))
  }

  @Test func `only paths of other lists are taken for templates`() {
    #expect(CallTemplate.isMeant(by: "/books/{id}"))
    #expect(CallTemplate.isMeant(by: "https://test/{a.b}/x?y=1"))
    for address in ["/books", "/books?fields=id,from{name}", #"/books?q={"a":1}"#, "/books/{{id}}", "/x#{id}", ""] {
      #expect(!CallTemplate.isMeant(by: address), "\(address)")
    }
  }
}
