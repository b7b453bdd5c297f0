import Foundation
import Testing

@testable import ItemMapping

struct ItemDecoderTests {
  private static func outcome<T: Decodable>(
    _ type: T.Type, _ text: String, _ decoder: ItemDecoder = ItemDecoder()
  ) -> DecodingOutcome<T> {
    DecodingOutcome { try decoder.decode(type, from: text.utf8) }
  }

  @Test func `a view inside a document is decoded with coding paths that start at the view`() throws {
    let document = try JSONDocument(#"{"data":{"list":[{"name":"x","books":[{"title":1}]}]}}"#)
    let view = try #require(document.root["data"]?["list"]?[0])
    let outcome = DecodingOutcome { try ItemDecoder().decode(Shelf.self, from: view) }
    guard case .failure(let kind, let path) = outcome else {
      Issue.record("decoded")
      return
    }
    #expect(kind == "typeMismatch String")
    #expect(path == ["books|", "Index 0|0", "title|"])
  }

  @Test func `the first of repeated members wins, in any order of access`() throws {
    struct Three: Decodable, Equatable {
      var b: Int
      var a: Int
      var c: Int
    }
    let text = #"{"a":1,"b":2,"a":3,"c":4,"b":5}"#
    #expect(try ItemDecoder().decode(Three.self, from: text.utf8) == Three(b: 2, a: 1, c: 4))
    #expect(DecoderPair().disagreement(Three.self, text) == nil)
    #expect(DecoderPair().disagreement([String: Int].self, text) == nil)
    #expect(DecoderPair().disagreement([String: Int].self, #"{"a":1,"a":"x"}"#) == nil)
    #expect(DecoderPair().disagreement([String: Int8].self, #"{"a":1,"b":2,"a":"x"}"#) == nil)
  }

  @Test func `an object with a thousand members is read by name`() throws {
    let text =
      "{" + (0..<1_000).map { #""key \#($0)":\#($0)"# }.joined(separator: ",") + #","key 7":1}"#
    let values = try ItemDecoder().decode([String: Int].self, from: text.utf8)
    #expect(values.count == 1_000)
    #expect(values["key 7"] == 7)
    #expect(DecoderPair().disagreement([String: Int].self, text) == nil)
  }

  @Test func `names with composed and combining accents are the same`() {
    let pair = DecoderPair()
    #expect(pair.disagreement(Accent.self, "{\"caf\u{e9}\":1}") == nil)
    #expect(pair.disagreement(Accent.self, "{\"cafe\u{301}\":1}") == nil)
  }

  private struct Accent: Decodable, Equatable {
    var cafe: Int
    private enum CodingKeys: String, CodingKey { case cafe = "caf\u{e9}" }
  }

  @Test func `types can read the decoder's user info`() throws {
    struct Asking: Decodable {
      var setting: String?
      init(from decoder: any Decoder) throws {
        guard let key = CodingUserInfoKey(rawValue: "setting") else { return }
        setting = decoder.userInfo[key] as? String
      }
    }
    var decoder = ItemDecoder()
    decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "setting"))] = "yes"
    #expect(try decoder.decode([Asking].self, from: "[1]".utf8).first?.setting == "yes")
  }

  @Test func `a type that keeps its decoder and container can use them later`() throws {
    struct Keeping: Decodable {
      var container: KeyedDecodingContainer<AnyKey>
      var decoder: any Decoder
      init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: AnyKey.self)
        self.decoder = try container.superDecoder(forKey: AnyKey("b"))
      }
    }
    let kept = try ItemDecoder().decode([Keeping].self, from: #"[{"a":1,"b":"x"}]"#.utf8)
    let first = try #require(kept.first)
    #expect(try first.container.decode(Int.self, forKey: AnyKey("a")) == 1)
    #expect(try String(from: first.decoder) == "x")
    #expect(first.decoder.codingPath.map(\.stringValue) == ["Index 0", "b"])
  }

  @Test func `what one value keeps is not used for the next ones`() throws {
    struct Row: Decodable {
      struct Child: Decodable {
        var members: KeyedDecodingContainer<AnyKey>?
        var list: (any UnkeyedDecodingContainer)?
        var decoder: any Decoder
        init(from decoder: any Decoder) throws {
          members = try? decoder.container(keyedBy: AnyKey.self)
          list = try? decoder.unkeyedContainer()
          self.decoder = decoder
        }
      }
      var number: Int
      var child: Child
    }
    let text = (0..<9).map { row in
      #"{"number":\#(row),"child":\#(row % 2 == 0 ? #"{"a":\#(row)}"# : "[\(row)]")}"#
    }
    let rows = try ItemDecoder().decode(
      [Row].self, from: "[\(text.joined(separator: ","))]".utf8)
    for (place, row) in rows.enumerated() {
      #expect(row.number == place)
      #expect(row.child.decoder.codingPath.map(\.stringValue) == ["Index \(place)", "child"])
      if place % 2 == 0 {
        #expect(row.child.list == nil)
        #expect(try row.child.members?.decode(Int.self, forKey: AnyKey("a")) == place)
      } else {
        #expect(row.child.members == nil)
        var list = try #require(row.child.list)
        #expect(try list.decode(Int.self) == place)
      }
    }
  }

  @Test func `one bad element doesn't affect the others of its page`() throws {
    let document = try JSONDocument(
      #"{"list":[{"title":"a"},{"title":2},{"name":3},{"title":"d","tags":["x",null]},{"title":"e"}]}"#
    )
    let decoding = ItemDecoder().elements(of: document, basePath: [AnyKey("list")])
    let list = try #require(document.root["list"])
    var titles: [String] = []
    var failures: [String] = []
    for (position, element) in list.elements.enumerated() {
      let outcome = DecodingOutcome {
        try decoding.decode(Shelf.Book.self, at: element.index, position: position)
      }
      switch outcome {
      case .value(let book): titles.append(book.title)
      case .failure(let kind, let path): failures.append("\(kind): \(path)")
      }
    }
    #expect(titles == ["a", "e"])
    #expect(
      failures == [
        #"typeMismatch String: ["list|", "Index 1|1", "title|"]"#,
        #"keyNotFound title: ["list|", "Index 2|2"]"#,
        #"valueNotFound String: ["list|", "Index 3|3", "tags|", "Index 1|1"]"#,
      ])
  }

  @Test func `invalid JSON is reported with its position`() throws {
    let error = try #require(throws: DecodingError.self) {
      try ItemDecoder().decode([Int].self, from: "[1,\n2,x]".utf8)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.isEmpty)
    #expect((context.underlyingError as? ItemMapping.JSONError)?.line == 2)
  }

  @Test func `the bytes of a page are decoded in place`() throws {
    #expect(try ItemDecoder().decode([Int].self, from: PageBytes("[1,2]".utf8)) == [1, 2])
    let error = try #require(throws: DecodingError.self) {
      try ItemDecoder().decode([Int].self, from: PageBytes("[1,x]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect((context.underlyingError as? ItemMapping.JSONError)?.offset == 3)
  }

  @Test func `texts that Foundation rejects are repaired`() throws {
    let text = #"[["a\ud800"]]"#
    #expect(try ItemDecoder().decode([[String]].self, from: text.utf8) == [["a\u{fffd}"]])
    guard case .failure = DecoderPair().outcomes([[String]].self, text).foundation else {
      Issue.record("Foundation reads it too")
      return
    }
  }

  @Test func `a number that doesn't fit and an invalid date are reported with their path`() throws {
    guard case .failure(let kind, let path) = Self.outcome([[UInt8]].self, "[[1],[2,300]]") else {
      Issue.record("decoded")
      return
    }
    #expect(kind == "dataCorrupted")
    #expect(path == ["Index 1|1", "Index 1|1"])
    var decoder = ItemDecoder()
    decoder.dateStrategy = .iso8601
    guard case .failure(_, let place) = Self.outcome([Date].self, #"["yesterday"]"#, decoder) else {
      Issue.record("decoded")
      return
    }
    #expect(place == ["Index 0|0"])
  }

  private struct Point: Decodable {
    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      for _ in 0..<2 { _ = try values.decode(Double.self) }
    }
  }

  private struct Place: Decodable {
    var id: Int
    var floor: Int8?
    var tags: [String]?
    var opened: Date?
    var image: Data?
    var site: URL?
    var point: Point?
  }

  @Test(arguments: [
    ("[]", "expected an object, found an array"),
    ("{}", "the object has no member “id”; make the property optional if it may be missing"),
    (
      #"{"id":null}"#,
      "expected a number for Int, found null; make the property optional if it may be null"
    ),
    (#"{"id":"1"}"#, "expected a number for Int, found a string"),
    (
      #"{"id":1,"floor":300}"#,
      "the number can't be represented as Int8; declare a type that can hold it"
    ),
    (#"{"id":1,"tags":{}}"#, "expected an array, found an object"),
    (
      #"{"id":1,"opened":"soon"}"#,
      "expected a date such as 2024-05-01T10:20:30Z; set dateStrategy for another format"
    ),
    (#"{"id":1,"image":"?"}"#, "expected Base64; set dataStrategy for another encoding"),
    (#"{"id":1,"site":""}"#, "expected a URL"),
    (#"{"id":1,"point":[1]}"#, "expected element 1, found the end of the array"),
  ])
  func `an error says what was expected and found, and what to do`(json: String, text: String)
    throws
  {
    var decoder = ItemDecoder()
    decoder.dateStrategy = .iso8601
    let error = try #require(throws: DecodingError.self) {
      try decoder.decode(Place.self, from: json.utf8)
    }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      #expect(context.debugDescription == text)
    @unknown default: Issue.record("\(error)")
    }
  }

  @Test func `a fraction is never dropped from a large number`() {
    let text = "[9007199254740993.5]"
    guard case .failure(let kind, _) = Self.outcome([Int].self, text) else {
      Issue.record("decoded")
      return
    }
    #expect(kind == "dataCorrupted")
    #expect(DecoderPair().disagreement([Int].self, text) != nil)
  }
}
