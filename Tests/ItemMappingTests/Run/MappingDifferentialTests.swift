import QuireTesting
import Testing

@testable import ItemMapping

/// Reads random objects with the table, in both of its modes, and with handwritten code.
@Suite struct MappingDifferentialTests {
  final class Thing: BaseItem {
    var int = 1
    var intOption: Int? = 2
    var double = 3.5
    var doubleOption: Double?
    var bool = true
    var boolOption: Bool?
    var string = "s"
    var stringOption: String? = "o"
    var strings = ["d"]
    var stringsOption: [String]?
    var any: JSONAny = "none"
    var deep = 0
    var first: Int?
    var choice = "c"
    var thing: Thing?
    var things: [Thing] = []

    override class var fields: FieldTable {
      FieldTable(Thing.self) { f in
        f(\.int, "int", .strict)
        f(\.intOption, "int_option", .strict)
        f(\.double, "double", .strict)
        f(\.doubleOption, "double_option", .strict)
        f(\.bool, "bool", .strict)
        f(\.boolOption, "bool_option", .strict)
        f(\.string, "string", .strict)
        f(\.stringOption, "string_option", .strict)
        f(\.strings, "strings", .strict)
        f(\.stringsOption, "strings_option", .strict)
        f(\.any, "any")
        f(\.deep, "deep.within.it", .strict, .required)
        f(\.first, "list[0]", .strict)
        f(\.choice, "choice", "deep.choice", "string", .strict, .default("default"))
        f(\.thing, "thing")
        f(\.things, "things")
      }
    }

    /// Reads the object with handwritten code.
    convenience init?(_ json: JSONView?) {
      self.init()
      guard let json, json.kind == .object else { return nil }
      if let value = json["int"]?.plainInt { int = value }
      if let view = json["int_option"] { Self.take(view, view.plainInt, &intOption) }
      if let value = json["double"]?.double { double = value }
      if let view = json["double_option"] { Self.take(view, view.double, &doubleOption) }
      if let value = json["bool"]?.bool { bool = value }
      if let view = json["bool_option"] { Self.take(view, view.bool, &boolOption) }
      if let value = json["string"]?.string { string = value }
      if let view = json["string_option"] { Self.take(view, view.string, &stringOption) }
      if let view = json["strings"], view.kind == .array {
        strings = view.elements.compactMap(\.string)
      }
      if let view = json["strings_option"] {
        let strings = view.kind == .array ? view.elements.compactMap(\.string) : nil
        Self.take(view, strings, &stringsOption)
      }
      if let view = json["any"] { any = JSONAny(view) }
      guard let deep = json["deep"]?["within"]?["it"]?.plainInt else { return nil }
      self.deep = deep
      if let view = json["list"]?[0] { Self.take(view, view.plainInt, &first) }
      let places = [json["choice"], json["deep"]?["choice"], json["string"]]
      choice = places.lazy.compactMap { $0 }.first { !$0.isNull }?.string ?? "default"
      if let view = json["thing"] { Self.take(view, Thing(view), &thing) }
      if let view = json["things"], view.kind == .array {
        things = view.elements.compactMap(Thing.init)
      }
    }

    private static func take<Value>(
      _ view: JSONView, _ value: Value?, _ property: inout Value?
    ) {
      if let value { property = value } else if view.isNull { property = nil }
    }
  }

  private static let names = [
    "int", "int_option", "double", "double_option", "bool", "bool_option", "string",
    "string_option", "strings", "strings_option", "any", "list", "choice", "thing", "things",
    "unknown", "in", "strings_", "",
  ]

  private static let scalars = [
    "null", "true", "false", "0", "-7", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "1.5", "-0.25", "1e300", "1.0", #""""#, #""short""#,
    #""a string that is longer than fifteen bytes""#, #""\u00e9\n""#, #""12""#,
    "123456789012345678901234567890",
  ]

  private func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where depth > 0: thing(depth - 1, &random)
    case 1, 2:
      "["
        + (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, &random) }
        .joined(separator: ",") + "]"
    case 3 where depth > 0:
      "["
        + (0..<Int.random(in: 0..<4, using: &random)).map { _ in thing(depth - 1, &random) }
        .joined(separator: ",") + "]"
    default: Self.scalars.randomElement(using: &random) ?? "null"
    }
  }

  /// Returns an object with most of the members, in any order, some of them repeated.
  private func thing(_ depth: Int, _ random: inout SeededGenerator) -> String {
    var members: [String] = []
    for name in Self.names.shuffled(using: &random) {
      for _ in 0..<([0, 1, 1, 1, 2].randomElement(using: &random) ?? 1) where depth >= 0 {
        members.append("\"\(name)\":\(value(depth, &random))")
      }
    }
    if Int.random(in: 0..<8, using: &random) > 0 {
      let within = "{\"it\":\(Int.random(in: 0..<9, using: &random)),\"it\":0}"
      members.append("\"deep\":{\"choice\":\(value(0, &random)),\"within\":\(within)}")
    } else {
      members.append("\"deep\":\(value(1, &random))")
    }
    return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(8)))
  func `the table and a handwritten reader agree`(_ seeded: SeededGenerator) throws {
    var random = seeded
    for _ in 0..<30 {
      let text = "[" + (0..<3).map { _ in thing(2, &random) }.joined(separator: ",") + "]"
      let document = try JSONDocument(text)
      let byHand = document.root.elements.compactMap(Thing.init)
      let mapped = try ItemMapper().items(Thing.self, in: document)
      #expect(mapped.value == byHand, "\(text)")
      let viaKeyPaths = try Slow.items(in: document)
      #expect(viaKeyPaths == byHand.map { $0.jsonObject.text() }, "\(text)")
      #expect(mapped.value.map { $0.copied() } == byHand, "\(text)")
    }
  }

  /// Reads a list, and updates an item from each of its elements.
  private func results(_ document: JSONDocument, _ mapper: ItemMapper) -> [String] {
    var results: [String] = []
    do {
      let mapped = try mapper.items(Thing.self, in: document)
      results = mapped.value.map { $0.jsonObject.text() } + ["\(mapped.report)"]
    } catch {
      results = ["\(error)"]
    }
    let item = Thing()
    for position in 0..<document.root.count {
      do {
        results.append("\(try mapper.update(item, from: document, at: [.index(position)]))")
      } catch {
        results.append("\(error)")
      }
      results.append(item.jsonObject.text())
    }
    return results
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(8)))
  func `direct stores and key paths give the same items, reports and errors`(
    _ seeded: SeededGenerator
  ) throws {
    var random = seeded
    for round in 0..<6 {
      let text = "[" + (0..<3).map { _ in thing(2, &random) }.joined(separator: ",") + "]"
      let document = try JSONDocument(text)
      var mapper = ItemMapper()
      mapper.isStrict = round % 2 == 1
      mapper.failsFast = round % 3 == 2
      mapper.elements = round < 3 ? .fail : .drop
      mapper.storesDirectly = true
      let direct = results(document, mapper)
      mapper.storesDirectly = false
      #expect(results(document, mapper) == direct, "\(text)")
    }
  }
}

/// The same table without direct stores, because every property can be overridden.
private enum Slow {
  class Thing: BaseItem {
    var int = 1
    var intOption: Int? = 2
    var double = 3.5
    var doubleOption: Double?
    var bool = true
    var boolOption: Bool?
    var string = "s"
    var stringOption: String? = "o"
    var strings = ["d"]
    var stringsOption: [String]?
    var any: JSONAny = "none"
    var deep = 0
    var first: Int?
    var choice = "c"
    var thing: Thing?
    var things: [Thing] = []

    override class var fields: FieldTable {
      FieldTable(Thing.self) { f in
        f(\.int, "int", .strict)
        f(\.intOption, "int_option", .strict)
        f(\.double, "double", .strict)
        f(\.doubleOption, "double_option", .strict)
        f(\.bool, "bool", .strict)
        f(\.boolOption, "bool_option", .strict)
        f(\.string, "string", .strict)
        f(\.stringOption, "string_option", .strict)
        f(\.strings, "strings", .strict)
        f(\.stringsOption, "strings_option", .strict)
        f(\.any, "any")
        f(\.deep, "deep.within.it", .strict, .required)
        f(\.first, "list[0]", .strict)
        f(\.choice, "choice", "deep.choice", "string", .strict, .default("default"))
        f(\.thing, "thing")
        f(\.things, "things")
      }
    }
  }

  static func items(in document: JSONDocument) throws -> [String] {
    try ItemMapper().items(Thing.self, in: document).value
      .map { $0.jsonObject.text() }
  }
}

extension JSONView {
  /// The number, if it is written as an integer.
  fileprivate var plainInt: Int? {
    numberText.flatMap { $0.contains { ".eE".contains($0) } ? nil : int }
  }
}
