import Testing

@testable import ItemMapping

struct JSONPathTests {
  @Test(arguments: [
    ("title", "$['title']"), ("book.title", "$['book']['title']"), ("$", "$"),
    ("data.list[0].title", "$['data']['list'][0]['title']"), ("$.a", "$['a']"), ("$[0]", "$[0]"),
    ("[0]", "$[0]"), ("['a']", "$['a']"), ("a[-1]", "$['a'][-1]"), ("$ .a [ 0 ]", "$['a'][0]"),
    ("a['com.app.id']", "$['a']['com.app.id']"), (#"["it's"]"#, #"$['it\'s']"#),
    (#"['it\'s']"#, #"$['it\'s']"#), (#"['\u00e4\ud83d\ude00\n\\\/']"#, #"$['ä😀\n\\/']"#),
    ("['']", "$['']"), ("x-y._z.@id.a$b", "$['x-y']['_z']['@id']['a$b']"),
    ("名前.ü", "$['名前']['ü']"), ("2", "$['2']"), ("a.0", "$['a']['0']"),
    (#"['\u0001\b']"#, #"$['\u0001\b']"#), ("a.b.a", "$['a']['b']['a']"),
    ("/a/b", "$['a']['b']"), ("/", "$['']"), ("/a~1b/m~0n", "$['a/b']['m~n']"),
    ("/a/0", "$['a'][0]"),
    ("/01", "$['01']"), ("//", "$['']['']"), ("/18446744073709551616", "$['18446744073709551616']"),
    ("/9007199254740991", "$[9007199254740991]"),
    ("/9007199254740992", "$['9007199254740992']"),
  ])
  func `a path has many spellings and one normalized form`(text: String, normalized: String) throws {
    #expect(try JSONPath(parsing: text).description == normalized)
    #expect(try JSONPath(parsing: normalized).description == normalized)
  }

  @Test(arguments: [
    ("", 0), (" a", 0), ("a ", 1), ("a..b", 2), ("a.", 2), (".a", 0), ("a.*", 2), ("*", 0),
    ("a[*]", 2), ("a[?@.b]", 2), ("a[1:2]", 3), ("a[:2]", 2), ("a[0,1]", 3), ("a[", 2), ("a[0", 3),
    ("a['b'", 5), ("a['b", 4), ("a[01]", 2), ("a[-0]", 2), ("a[+1]", 2), ("a[b]", 2), ("a b", 2),
    ("$a", 1), ("$$", 1), ("a[9007199254740992]", 2), ("['\\x']", 3), ("['\\ud800']", 8),
    ("['\\udc00']", 4), ("['\\u12']", 6), ("[\"\\'\"]", 3), ("['ä\t']", 3), ("a(b)", 1),
    ("/~2", 1), ("/a~", 2), ("a/b", 1),
  ])
  func `an invalid path is rejected with the position of its error`(text: String, position: Int) {
    let error = #expect(throws: JSONPath.ParsingError.self) { try JSONPath(parsing: text) }
    #expect(error?.position == position)
    #expect(error?.text == text)
  }

  @Test func `a pattern in place of a path is rejected with a hint at queries`() {
    let error = #expect(throws: JSONPath.ParsingError.self) { try path("list[*].id") }
    #expect(
      error?.description == """
        can't parse “list[*].id”: at character 6, expected one name or index, since a path has no \
        patterns, found “*”
        """)
    #expect(
      #expect(throws: JSONPath.ParsingError.self) { try path("a.") }?.description
        == "can't parse “a.”: at character 3, expected a name (quote others: ['…']), found the end")
  }

  @Test(arguments: [
    "$", "$['a'][0]", #"$['\'\\\n\u0000']['']"#, "$['ä']", #"$['"']"#,
  ])
  func `a normalized path is parsed as itself`(text: String) throws {
    #expect(try JSONPath(parsing: text).description == text)
    #expect(try JSONPath(parsing: text) == JSONPath(JSONPath(parsing: text).segments))
  }

  @Test func `a path can be created from its steps`() throws {
    #expect("data.list[0]" as JSONPath == ["data", "list", 0])
    #expect(JSONPath.root.appending("a").appending(.index(-1)) == ["a", -1])
  }

  private static let document = #"""
    {"data": {"list": [{"title": "x", "a": {"b": {"a": "deep"}}}, null, 7], "none": null,
      "0": "zero", "com.app.id": true}}
    """#

  @Test(arguments: [
    ("data.list[0].title", #""x""#), ("data.list[-1]", "7"), ("/data/list/2", "7"),
    ("data.0", #""zero""#), ("/data/0", #""zero""#), ("data['com.app.id']", "true"),
    ("data.list[0].a.b.a", #""deep""#), ("data.none", "null"), ("data.list[1]", "null"),
  ])
  func `a path leads to its value`(path: String, text: String) throws {
    let root = try JSONDocument(Self.document).root
    #expect(root[try JSONPath(parsing: path)]?.text == text)
    #expect(try root.find(JSONPath(parsing: path)).view?.text == text)
  }

  @Test(arguments: [
    ("data.none.x", "$['data']['none'] is null"), ("nothing", "$ is an object"),
    ("data.list.title", "$['data']['list'] is an array"),
    ("data.list[-1].x.y", "$['data']['list'][2] is a number"),
    ("data.list[3]", "$['data']['list'] is an array"),
    ("data[0]", "$['data'] is an object"),
    ("/data/list/-", "$['data']['list'] is an array"),
    ("data.list[0].title[0]", "$['data']['list'][0]['title'] is a string"),
  ])
  func `a path without a value reports where it stopped`(path: String, text: String) throws {
    let root = try JSONDocument(Self.document).root
    guard case .stopped(let stop) = try root.find(JSONPath(parsing: path)) else {
      Issue.record("found something")
      return
    }
    #expect(stop.description == text)
    #expect(root[try JSONPath(parsing: path)] == nil)
  }

  @Test func `a view's path leads back to the view`() throws {
    let root = try JSONDocument(Self.document).root
    let all = try root.query("$..*")
    #expect(all.count == 12)
    for view in all { #expect(root[view.path]?.index == view.index) }
    #expect(root.path.description == "$")
  }
}

/// Parses a path from a text that is not a literal.
private func path(_ text: String) throws -> JSONPath { try JSONPath(parsing: text) }
