import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

/// Decodes objects whose names occur twice, or are equal strings of different bytes, with Foundation's decoder and
/// ours. Members of small objects are searched, those of large ones are in a dictionary.
struct EqualNamesTests {
  /// Looks up all keys, forwards and backwards.
  private struct Found: Decodable, Equatable {
    var values: [Int?]

    private static let keys = [
      "a", "aa", "", "a\u{0}", "é", "e\u{301}", "K", "\u{212A}", ";", "\u{37E}", "aKey",
      "a\u{212A}ey", "`", "absent",
      "ein sehr langer Name für ein Kind",
    ]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      values = try (Self.keys + Self.keys.reversed()).map {
        try container.decodeIfPresent(Int.self, forKey: AnyKey($0))
      }
    }
  }

  private static let names = [
    "a", "aa", "", #"a\u0000"#, #"\u0061"#, "é", #"e\u0301"#, "K", #"\u212A"#, ";", #"\u037E"#,
    "aKey",
    #"a\u212Aey"#, #"\u1fef"#, "ein sehr langer Name für ein Kind",
    #"ein sehr langer Name fu\u0308r ein Kind"#,
  ]

  /// Returns members with these names, each of them up to twice, and with another value each time.
  private static func members(_ random: inout SeededGenerator) -> [String] {
    names.flatMap { Array(repeating: $0, count: [0, 0, 1, 2].randomElement(using: &random) ?? 0) }
      .shuffled(using: &random).enumerated().map { "\"\($1)\":\($0)" }
  }

  @Test func `the first member with an equal name wins, in small and in large objects`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let others = (0..<40).map { "\"p\($0)\":0" }
    for _ in 0..<Thoroughness.runs(300) {
      let members = Self.members(&random)
      let small = "{" + members.joined(separator: ",") + "}"
      let large = "{" + (members + others).joined(separator: ",") + "}"
      let (ours, theirs) = DecoderPair().outcomes(Found.self, small)
      #expect(ours.agrees(withFoundation: theirs), "\(small): ours \(ours), Foundation's \(theirs)")
      #expect(
        DecoderPair().outcomes(Found.self, large).ours.agrees(withFoundation: theirs), "\(large)")
      // In a list, later objects are read in the order of earlier ones.
      let list =
        "[" + (0..<16).map { $0 < 12 ? small : Self.object(&random) }.joined(separator: ",") + "]"
      #expect(DecoderPair().disagreement([Found].self, list) == nil)
    }
  }

  private static func object(_ random: inout SeededGenerator) -> String {
    "{" + members(&random).joined(separator: ",") + "}"
  }

  @Test(arguments: [
    (#"{"\u212A":1}"#, "K"), (#"{"\u037E":1}"#, ";"), (#"{"\u1FEF":1}"#, "`"),
    (#"{"\u212A":1,"K":2}"#, "K"),
    (#"{"e\u0301":1,"\u00e9":2}"#, "\u{E9}"), (#"{"e\u0301":1,"\u00e9":2}"#, "e\u{301}"),
    (#"{"x":0,"is\u212Anown":1,"isKnown":2}"#, "isKnown"),
    (
      #"{"a long name with one letter more: \u00e9":1,"a long name with one letter more: e\u0301":2}"#,
      "a long name with one letter more: e\u{301}"
    ),
  ])
  func `names are compared as strings`(text: String, key: String) throws {
    struct One: Decodable {
      var value: Int?
      init(from decoder: any Decoder) throws {
        let key = decoder.userInfo[Self.key] as? String ?? ""
        value = try decoder.container(keyedBy: AnyKey.self).decodeIfPresent(
          Int.self, forKey: AnyKey(key))
      }
      static let key = CodingUserInfoKey(rawValue: "key") ?? { preconditionFailure() }()
    }
    var decoder = ItemDecoder()
    decoder.userInfo[One.key] = key
    #expect(try decoder.decode(One.self, from: text.utf8).value == 1)
  }

  // MARK: - Dictionaries

  /// Returns an object with at most one value that isn't a number, because Foundation reports any of several.
  private static func dictionary(_ random: inout SeededGenerator) -> String {
    var members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let name =
        ["a", #"\u0061"#, "a_b", "aB", "é", #"e\u0301"#].randomElement(using: &random) ?? ""
      return "\"\(name)\":\(Int.random(in: 0...9, using: &random))"
    }
    if Bool.random(using: &random) {
      let value =
        [#""x""#, "[1]", "null", "1.5", "300", "true"].randomElement(using: &random) ?? ""
      let name = ["a", "a_b", "é"].randomElement(using: &random) ?? ""
      members.insert("\"\(name)\":\(value)", at: .random(in: 0...members.count, using: &random))
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test func `repeated names of a dictionary are decoded as Foundation does`() throws {
    var random = try SeededGenerator.fromEnvironment()
    var snake = DecoderPair()
    snake.ours.keyStrategy = .convertFromSnakeCase
    snake.foundation.keyDecodingStrategy = .convertFromSnakeCase
    var custom = DecoderPair()
    custom.ours.keyStrategy = .custom { AnyKey("x" + ($0.last?.stringValue ?? "")) }
    custom.foundation.keyDecodingStrategy = .custom { AnyKey("x" + ($0.last?.stringValue ?? "")) }
    for _ in 0..<Thoroughness.runs(200) {
      let text = Self.dictionary(&random)
      for pair in [DecoderPair(), snake, custom] {
        #expect(pair.disagreement([String: Int].self, text) == nil)
        #expect(pair.disagreement([String: Int8].self, text) == nil)
        #expect(pair.disagreement([String: Int?].self, text) == nil)
        let quoted = text.replacing(/:(\d)(?=[,}])/) { ":\"\($0.1)\"" }
        #expect(pair.disagreement([String: String].self, quoted) == nil)
        let listed = text.replacing(/:(\d)(?=[,}])/) { ":[\($0.1)]" }
        #expect(pair.disagreement([String: [Int]].self, listed) == nil)
      }
    }
  }

  @Test func `a repeated value is checked as well if a strategy converts keys`() {
    var pair = DecoderPair()
    pair.ours.keyStrategy = .convertFromSnakeCase
    pair.foundation.keyDecodingStrategy = .convertFromSnakeCase
    #expect(pair.disagreement([String: Int].self, #"{"a":1,"a":"x"}"#) == nil)
    #expect(pair.disagreement([String: Int8].self, #"{"a":1,"a":"x"}"#) == nil)
    #expect(pair.disagreement([String: String].self, #"{"a":"x","a":1}"#) == nil)
    #expect(pair.disagreement([String: [Int]].self, #"{"a":[1],"a":"x"}"#) == nil)
  }
}
