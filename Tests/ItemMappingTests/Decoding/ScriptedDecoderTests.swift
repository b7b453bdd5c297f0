import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

/// Types that use their decoder in every way that there is, in an order that no compiler writes. Foundation's decoder has to
/// give the same values, errors and paths.
struct ScriptedDecoderTests {
  /// What a type does with its decoder, and what came of it.
  ///
  /// `@unchecked Sendable` holds because one decoder at a time uses it.
  final class Script: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "script").unsafelyUnwrapped
    var random: SeededGenerator
    var log: [String] = []
    /// What is kept from the decoders, to be used when they have returned.
    var kept: [(Script) -> Void] = []
    var steps = 0
    let isOurs: Bool

    init(_ random: SeededGenerator, isOurs: Bool) {
      self.random = random
      self.isOurs = isOurs
    }

    func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

    func note<T>(_ name: String, _ body: () throws -> T) {
      switch DecodingOutcome(body) {
      case .value(let value): log.append("\(name): \(value)")
      // Foundation often omits the path of a value that can't be read, or throws an error of its own.
      case .failure(let kind, _) where kind == "dataCorrupted" || kind.hasPrefix("numberIsNot"):
        log.append("\(name): dataCorrupted")
      case .failure(let kind, let path): log.append("\(name): \(kind) \(path)")
      }
    }

    func end() {
      for use in kept { use(self) }
      kept = []
    }
  }

  /// Logs what its decoder gives. Its description is the number of its steps.
  struct Scripted: Decodable, CustomStringConvertible {
    private(set) var description = "scripted"

    init(from decoder: any Decoder) throws {
      guard let script = decoder.userInfo[Script.key] as? Script else { return }
      script.note("path") { Self.text(decoder.codingPath) }
      script.steps += 1
      for _ in 0..<(script.steps > 60 ? 0 : script.number(1..<4)) {
        switch script.number(0..<8) {
        case 0: script.note("single") { try decoder.singleValueContainer().decode(Int.self) }
        case 1: script.note("nil") { try decoder.singleValueContainer().decodeNil() }
        case 2: script.note("unkeyed") { try Self.use(decoder.unkeyedContainer(), script) }
        case 3: Self.keep(decoder, script)
        default:
          script.note("keyed") {
            try Self.use(decoder.container(keyedBy: AnyKey.self), script)
          }
        }
      }
      if script.number(0..<9) == 0 {
        throw DecodingError.typeMismatch(
          Scripted.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: ""))
      }
    }

    static func text(_ path: [any CodingKey]) -> [String] {
      path.map { "\($0.stringValue)|\($0.intValue.map(String.init) ?? "")" }
    }

    /// Foundation's decoder forgets its place, so only ours is compared, with itself.
    private static func keep(_ decoder: any Decoder, _ script: Script) {
      guard script.isOurs else { return }
      func look() -> [String] {
        let numbers = DecodingOutcome {
          try decoder.container(keyedBy: AnyKey.self).decode([Int].self, forKey: AnyKey("b"))
        }
        return text(decoder.codingPath) + ["\(numbers)"]
      }
      let now = look()
      script.kept.append { _ in #expect(look() == now) }
    }

    private static func use(
      _ container: KeyedDecodingContainer<AnyKey>, _ script: Script
    ) throws -> String {
      for _ in 0..<script.number(1..<8) {
        let key = AnyKey(names[script.number(0..<names.count)])
        switch script.number(0..<20) {
        case 0: script.note("Int") { try container.decode(Int.self, forKey: key) }
        case 1: script.note("Int?") { try container.decodeIfPresent(Int.self, forKey: key) as Any }
        case 2: script.note("String") { try container.decode(String.self, forKey: key) }
        case 3: script.note("Bool?") { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
        case 4: script.note("Double") { try container.decode(Double.self, forKey: key) }
        case 5: script.note("UInt8") { try container.decode(UInt8.self, forKey: key) }
        case 6: script.note("has") { container.contains(key) }
        case 7: script.note("nil") { try container.decodeNil(forKey: key) }
        case 8: script.note("[Int]") { try container.decode([Int].self, forKey: key) }
        case 9: script.note("[Int?]") { try container.decode([Int?].self, forKey: key) }
        case 10:
          // Which member fails first depends on an order that Foundation doesn't have.
          script.note("[: Int]") { (try? container.decode([String: Int].self, forKey: key))?.sorted(by: <) as Any }
        case 11: script.note("one") { try container.decode(Scripted.self, forKey: key) }
        case 12: script.note("one?") { try container.decodeIfPresent(Scripted.self, forKey: key) as Any }
        case 13: script.note("list") { try container.decode([Scripted].self, forKey: key) }
        case 14:
          script.note("nested") { try use(container.nestedContainer(keyedBy: AnyKey.self, forKey: key), script) }
        case 15:
          script.note("nested list") { try use(container.nestedUnkeyedContainer(forKey: key), script) }
        case 16: script.note("super") { try Scripted(from: container.superDecoder(forKey: key)) }
        case 17: script.note("keys") { container.allKeys.map(\.stringValue).sorted() }
        case 18: script.note("path") { text(container.codingPath) }
        default:
          script.kept.append { script in
            script.note("kept path") { text(container.codingPath) }
            script.note("kept") { try container.decode(Int.self, forKey: key) }
            script.note("kept list") { try container.decode([Scripted].self, forKey: AnyKey("b")) }
          }
        }
      }
      return "used"
    }

    private static func use(
      _ list: any UnkeyedDecodingContainer, _ script: Script
    ) throws -> String {
      var list = list
      script.note("count") { list.count as Any }
      for _ in 0..<script.number(1..<6) {
        switch script.number(0..<9) {
        case 0: script.note("Int") { try list.decode(Int.self) }
        case 1: script.note("String?") { try list.decodeIfPresent(String.self) as Any }
        case 2: script.note("nil") { try list.decodeNil() }
        case 3: script.note("one") { try list.decode(Scripted.self) }
        case 4: script.note("nested") { try use(list.nestedContainer(keyedBy: AnyKey.self), script) }
        case 5: script.note("nested list") { try use(list.nestedUnkeyedContainer(), script) }
        case 6: script.note("super") { try Scripted(from: list.superDecoder()) }
        case 7: script.note("[String]") { try list.decode([String].self) }
        default: script.note("at") { "\(list.currentIndex) \(list.isAtEnd) \(text(list.codingPath))" }
        }
      }
      return "used"
    }
  }

  /// Some are equal only as strings, one is empty, one is long, one is nowhere.
  private static let names = [
    "a", "b", "c", "", "é", "e\u{301}", "\u{212A}", "K", "a name that is longer than fifteen", "nowhere",
  ]
  private static let texts = [
    #""a""#, #""b""#, #""\u0063""#, #""""#, #""é""#, #""e\u0301""#, #""\u212a""#, #""K""#,
    #""a name that is longer than fifteen""#, #""unread""#,
  ]

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
    let scalars = ["1", "0", "-7", "300", "1.5", "true", "null", #""s""#, #""""#]
    if depth > 4 { return scalars.randomElement(using: &random) ?? "" }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1, 2:
      let members = (0..<Int.random(in: 0..<7, using: &random)).map { _ in
        (texts.randomElement(using: &random) ?? "") + ":" + value(depth + 1, &random)
      }
      return "{" + members.joined(separator: ",") + "}"
    case 3, 4:
      let one = value(depth + 1, &random)
      // Equal objects one after another have an order of reads.
      let isRepeated = Int.random(in: 0..<2, using: &random) == 0
      let elements = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        isRepeated ? one : value(depth + 1, &random)
      }
      return "[" + elements.joined(separator: ",") + "]"
    default: return scalars.randomElement(using: &random) ?? ""
    }
  }

  @Test func `whatever a type does with its decoder, it gets what Foundation's gives`() throws {
    for var random in try SeededGenerator.runs(Thoroughness.runs(400)) {
      let text =
        #"{"a":\#(Self.value(0, &random)),"b":\#(Self.value(0, &random)),"list":["#
        + (0..<10).map { _ in Self.value(1, &random) }.joined(separator: ",") + "]}"
      let (ours, theirs) = (Script(random, isOurs: true), Script(random, isOurs: false))
      let foundation = JSONDecoder()
      foundation.userInfo[Script.key] = theirs
      var decoder = ItemDecoder()
      decoder.userInfo[Script.key] = ours
      ours.note("all") { try decoder.decode(Page.self, from: text.utf8).description }
      theirs.note("all") { try foundation.decode(Page.self, from: Data(text.utf8)).description }
      ours.end()
      theirs.end()
      let difference = zip(ours.log, theirs.log).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        difference == nil && ours.log.count == theirs.log.count,
        "\(random) \(difference.map { "\($0.element.0), Foundation's \($0.element.1)" } ?? "") of \(text)")
    }
  }

  /// Numbers as keys, which paths keep.
  private enum Numbered: Int, CodingKey { case first = 7, second = 9 }

  private struct Pair: Decodable, Equatable {
    var first: [Int]
    var second: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Numbered.self)
      second = try container.decodeIfPresent(Int.self, forKey: .second)
      first = try container.decode([Int].self, forKey: .first)
    }
  }

  @Test(arguments: [
    #"{"first":[1],"second":2}"#, #"{"second":2,"first":[]}"#, #"{"first":[1,"x"]}"#, #"{"second":"x"}"#,
    #"{"first":1}"#, #"{"first":[3],"first":[4]}"#, "{}",
  ])
  func `keys with numbers are found and reported as by Foundation`(_ text: String) {
    for list in ["[\(text)]", "[" + (0..<20).map { _ in text }.joined(separator: ",") + "]"] {
      #expect(DecoderPair().disagreement([Pair].self, list) == nil)
      #expect(DecoderPair().disagreement([String: [Pair]].self, #"{"a":\#(list)}"#) == nil)
    }
  }

  @Test func `a container is used on another thread when its type has returned`() async throws {
    struct Keeping: Decodable {
      let container: KeyedDecodingContainer<AnyKey>
      init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }
    }
    struct Handed: @unchecked Sendable { let rows: [Keeping] }
    let text = (0..<20).map { #"{"a":[{"n":\#($0)}]}"# }.joined(separator: ",")
    let handed = try Handed(rows: ItemDecoder().decode([Keeping].self, from: "[\(text)]".utf8))
    let numbers = try await Task.detached {
      try handed.rows.flatMap { try $0.container.decode([[String: Int]].self, forKey: AnyKey("a")) }
    }.value
    #expect(numbers == (0..<20).map { ["n": $0] })
  }

  private struct Page: Decodable, CustomStringConvertible {
    var description: String { "\(list)" }
    private var list: [Attempt]
    private var a: Attempt
    private var b: Attempt

    /// Fails for itself alone.
    struct Attempt: Decodable, CustomStringConvertible {
      var description = "failed"
      init(from decoder: any Decoder) {
        if let one = try? Scripted(from: decoder) { description = one.description }
      }
    }
  }
}
