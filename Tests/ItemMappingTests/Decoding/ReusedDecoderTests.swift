import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

/// Decodes lists, whose elements use the decoders and the order of reads of those before.
struct ReusedDecoderTests {
  // MARK: - Reuse

  /// Sees whether its decoder lives on, without keeping it.
  private struct Seeing: Decodable {
    private enum CodingKeys: CodingKey { case number }
    weak var decoder: AnyObject?

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
      self.decoder = decoder as AnyObject
    }
  }

  @Test func `values of one type have one decoder and an order of reads`() throws {
    let text = (0..<16).map { #"{"number":\#($0)}"# }.joined(separator: ",")
    let document = try JSONDocument("[\(text)]")
    let decoding = TapeDecoding(ItemDecoder(), document)
    let rows = try document.root.elements.map {
      try decoding.decode(Seeing.self, at: $0.index, CodingPlace())
    }
    let (earlier, last) = (rows[12], rows[15])
    #expect(last.decoder != nil && last.decoder === earlier.decoder)
    #expect(decoding.reader(of: Seeing.self).takeUnretainedValue().steps != nil)
    decoding.end()
    #expect(last.decoder == nil)
  }

  // MARK: - Orders

  private struct Row: Decodable, Equatable {
    struct Author: Decodable, Equatable {
      var name: String
      var age: Int?
    }
    var id: Int
    var title: String
    var subtitle: String?
    var theTimeOfTheLastChange: Int?
    var author: Author?
    var tags: [String]?
    var answers: [Row]?
    var café: Int?
  }

  /// Asks for members as no compiler does: some twice, some not at all, some by a name that is made while it runs.
  private struct Asking: Decodable, Equatable {
    var found: [Int?] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let count = (try? container.decode(Int.self, forKey: AnyKey("id"))) ?? 0
      for number in 0..<(count % 5) {
        let key = AnyKey("a name longer than fifteen bytes: \(number)")
        if count % 3 == 0, !container.contains(key) { continue }
        found.append(try container.decodeIfPresent(Int.self, forKey: key))
        found.append(try? container.decode(Int.self, forKey: AnyKey("n\(number)")))
      }
    }
  }

  /// Returns an object with members in one of a few orders, of which some are missing or there twice.
  private static func object(
    _ members: [(name: String, value: String)], order: Int, _ random: inout SeededGenerator
  ) -> String {
    var shuffler = SeededGenerator(seed: UInt64(order))
    var members = order == 0 ? members : members.shuffled(using: &shuffler)
    if Int.random(in: 0..<4, using: &random) == 0 {
      members.remove(at: .random(in: 0..<members.count, using: &random))
    }
    if Int.random(in: 0..<6, using: &random) == 0, let some = members.randomElement(using: &random) {
      members.insert((some.name, "7"), at: .random(in: 0...members.count, using: &random))
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      let name = ["x", "é", "subtitle", "titl"].randomElement(using: &random) ?? ""
      members.insert((name, "1"), at: .random(in: 0...members.count, using: &random))
    }
    return "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  private static func row(_ depth: Int, _ orders: Int, _ random: inout SeededGenerator) -> String {
    let order = Int.random(in: 0..<orders, using: &random)
    let author = object([("name", #""A""#), ("age", "null")], order: order, &random)
    let answers = (0..<(depth > 2 ? 0 : Int.random(in: 0...2, using: &random))).map { _ in
      row(depth + 1, orders, &random)
    }
    let accent = ["café", #"cafe\u0301"#].randomElement(using: &random) ?? ""
    return object(
      [
        ("id", "1"), ("title", #""T""#), ("unread", "[1]"), ("subtitle", "null"),
        ("theTimeOfTheLastChange", "5"), ("theTimeOfTheLastChanges", "6"), ("author", author),
        ("tags", #"["a"]"#), ("answers", "[\(answers.joined(separator: ","))]"), (accent, "3"),
      ], order: order, &random)
  }

  @Test func `lists of objects in any order of members are decoded as by Foundation`() throws {
    var random = try SeededGenerator.fromEnvironment()
    var values = 0
    for _ in 0..<Thoroughness.runs(300) {
      let orders = [1, 1, 2, 20].randomElement(using: &random) ?? 1
      let rows = (0..<24).map { _ in Self.row(0, orders, &random) }
      // Alone too, because one that can't be decoded ends the list.
      for row in rows { #expect(DecoderPair().disagreement(Row.self, row) == nil) }
      let good = rows.filter { (try? JSONDecoder().decode(Row.self, from: Data($0.utf8))) != nil }
      values += good.count
      for list in [rows, good] {
        let text = "[" + list.joined(separator: ",") + "]"
        #expect(DecoderPair().disagreement([Row].self, text) == nil)
        #expect(DecoderPair().disagreement([String: [Row]].self, #"{"a":\#(text)}"#) == nil)
      }
    }
    #expect(values > 0)
  }

  @Test func `types that ask in another order each time are decoded as by Foundation`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(200) {
      let objects = (0..<30).map { _ in
        let count = Int.random(in: 0..<10, using: &random)
        let names = (0..<count).flatMap {
          [("a name longer than fifteen bytes: \($0)", "1\($0)"), ("n\($0)", "2\($0)")]
        }
        return Self.object([("id", "\(count)")] + names, order: count % 3, &random)
      }
      let text = "[" + objects.joined(separator: ",") + "]"
      #expect(DecoderPair().disagreement([Asking].self, text) == nil)
    }
  }

  @Test func `a type that deviates from all orders is still decoded by name`() throws {
    struct Pair: Decodable, Equatable {
      var a: Int
      var b: Int
    }
    let objects = (0..<40).map { row in
      let others = (0..<row).map { #""x\#($0)":0"# } + [#""b":2"#, #""y\#(row)":0"#, #""a":1"#]
      return "{" + (row % 2 == 0 ? others : others.reversed()).joined(separator: ",") + "}"
    }
    let rows = try ItemDecoder().decode(
      [Pair].self, from: "[\(objects.joined(separator: ","))]".utf8)
    #expect(rows == Array(repeating: Pair(a: 1, b: 2), count: 40))
  }

  // MARK: - Containers

  /// Keeps its container, its decoder or nothing, as its member says.
  private struct Keeping: Decodable {
    var container: KeyedDecodingContainer<AnyKey>?
    var decoder: (any Decoder)?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let keeps = try container.decode(String.self, forKey: AnyKey("keeps"))
      if keeps.contains("c") { self.container = container }
      if keeps.contains("d") { self.decoder = decoder }
      if keeps.contains("s") { self.decoder = try container.superDecoder(forKey: AnyKey("inner")) }
    }
  }

  private static func keeping(_ random: inout SeededGenerator) -> (text: String, keeps: [String]) {
    let keeps = (0..<12).map { _ in
      ["", "", "", "c", "d", "cd", "s"].randomElement(using: &random) ?? ""
    }
    let rows = keeps.enumerated().map {
      #"{"keeps":"\#($1)","number":\#($0),"inner":{"number":-\#($0)}}"#
    }
    return ("[" + rows.joined(separator: ",") + "]", keeps)
  }

  @Test func `what some values of a type keep is theirs`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(50) {
      let (text, keeps) = Self.keeping(&random)
      let rows = try ItemDecoder().decode([Keeping].self, from: text.utf8)
      for (place, row) in rows.enumerated() {
        #expect((row.container != nil) == keeps[place].contains("c"))
        #expect((row.decoder != nil) == (keeps[place].contains("d") || keeps[place] == "s"))
        if let container = row.container {
          #expect(try container.decode(Int.self, forKey: AnyKey("number")) == place)
          #expect(container.codingPath.map(\.intValue) == [place])
        }
        if let decoder = row.decoder {
          let container = try decoder.container(keyedBy: AnyKey.self)
          let number = keeps[place] == "s" ? -place : place
          #expect(try container.decode(Int.self, forKey: AnyKey("number")) == number)
        }
      }
    }
  }

  @Test func `a container that is kept alone keeps the document, and nothing else does`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(50) {
      weak var weakDocument: JSONDocument?
      let (text, keeps) = Self.keeping(&random)
      var containers: [KeyedDecodingContainer<AnyKey>] = []
      do {
        let document = try JSONDocument(text)
        weakDocument = document
        containers = try ItemDecoder().decode([Keeping].self, from: document.root)
          .compactMap(\.container)
      }
      #expect((weakDocument != nil) == !containers.isEmpty)
      let numbers = try containers.map { try $0.decode(Int.self, forKey: AnyKey("number")) }
      #expect(numbers == keeps.indices.filter { keeps[$0].contains("c") })
      containers = []
      #expect(weakDocument == nil)
    }
  }

  @Test func `a type may ask its decoder for containers with different keys`() throws {
    struct Mixed: Decodable, Equatable {
      enum Numbers: String, CodingKey { case number }
      enum Texts: String, CodingKey { case text }
      var number: Int
      var text: String
      init(from decoder: any Decoder) throws {
        let numbers = try decoder.container(keyedBy: Numbers.self)
        let texts = try decoder.container(keyedBy: Texts.self)
        let isText = try decoder.container(keyedBy: AnyKey.self).contains(AnyKey("text"))
        text = isText ? try texts.decode(String.self, forKey: .text) : ""
        number = try numbers.decode(Int.self, forKey: .number)
      }
    }
    let text = (0..<9).map { #"{"number":\#($0)\#($0 % 2 == 0 ? #","text":"a""# : "")}"# }
    #expect(DecoderPair().disagreement([Mixed].self, "[\(text.joined(separator: ","))]") == nil)
  }

  @Test func `an error in one value leaves nothing to the next ones`() throws {
    struct Trying: Decodable, Equatable {
      var row: Row?
      init(from decoder: any Decoder) throws { row = try? Row(from: decoder) }
    }
    let texts = [#"{"id":1,"title":"a"}"#, #"{"title":"b","id":"x"}"#, "[1]", #"{"id":2}"#, "null"]
    let list = (0..<30).map { texts[$0 % texts.count] }.joined(separator: ",")
    #expect(DecoderPair().disagreement([Trying].self, "[\(list)]") == nil)
    let all = try ItemDecoder().decode([Trying].self, from: "[\(list)]".utf8)
    #expect(all.filter { $0.row != nil }.count == 6)
  }
}
