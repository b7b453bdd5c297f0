import QuireTesting
import Testing

@testable import ItemMapping

/// Reads the same objects with a table and with one that has 20 rows more, for members that are never sent. The set of
/// members that were found takes a word in the first one, and more in the second one.
struct WideTableTests {
  private enum Narrow {
    final class Item: BaseItem, Numbered {
      var numbers = Array(repeating: 0, count: 80)

      override class var fields: FieldTable { FieldTable(Item.self) { WideTableTests.rows(&$0) } }
    }
  }

  private enum Broad {
    final class Item: BaseItem, Numbered {
      var numbers = Array(repeating: 0, count: 80)

      override class var fields: FieldTable {
        FieldTable(Item.self) { f in
          for number in 60..<80 { f(\Item.numbers[number], .path([.name("never\(number)")])) }
          WideTableTests.rows(&f)
        }
      }
    }
  }

  /// Adds 60 rows with all the rules that depend on whether a member was found.
  private static func rows<Root: Numbered & JSONValue>(_ f: inout FieldTable.Builder<Root>) {
    for number in 0..<60 {
      let name: [JSONPath.Segment] = [.name("m\(number)")]
      let property: any WritableKeyPath<Root, Int> & Sendable = \Root.numbers[number]
      switch number % 6 {
      case 0: f(property, .path(JSONPath(name)), .default(-1))
      case 1: f(property, .path(JSONPath(name)), .strict)
      case 2: f(property, .path(JSONPath(name + [.name("in")])), .default(-2))
      case 3 where number < 24:
        f(property, .path(JSONPath(name)), .path([.name("other\(number)")]), .default(-3))
      case 4 where number > 50: f(property, .path(JSONPath(name)), .required)
      default: f(property, .path(JSONPath(name)))
      }
    }
  }

  /// Returns an object with most members, in any order, some of them repeated.
  private static func object(_ random: inout SeededGenerator) -> String {
    var members: [String] = []
    for number in 0..<60 {
      for _ in 0..<([0, 1, 1, 1, 1, 2].randomElement(using: &random) ?? 1) {
        let isUsual = Int.random(in: 0..<20, using: &random) > 0
        let unusual = ["null", #""7""#, "1.5", "true", "{}", "[1]", #"{"in":null}"#]
        let value = isUsual ? "\(number)" : unusual.randomElement(using: &random) ?? ""
        let isOther = number % 6 == 3 && number < 24 && Bool.random(using: &random)
        let inner = number % 6 == 2 && isUsual ? "{\"in\":\(value)}" : value
        members.append("\"\(isOther ? "other" : "m")\(number)\":\(inner)")
      }
    }
    return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
  }

  /// Returns what reading the list and updating items from its elements leads to, as text.
  private static func results<Item: BaseItem & Numbered>(
    _ type: Item.Type, _ document: JSONDocument, _ mapper: ItemMapper
  ) -> [String] {
    func text(_ issue: MappingReport.Issue) -> String {
      "\(issue.path): \(issue.kind), \(issue.effect), \(issue.found)"
    }
    func texts(_ read: () throws(MappingError) -> MappingReport) -> [String] {
      do throws(MappingError) {
        return try read().groups.flatMap(\.samples).map(text)
      } catch {
        guard case .unusable(let issue?) = error else { return ["\(error)"] }
        return ["failed at " + text(issue)]
      }
    }
    var items: [Item] = []
    var results = texts { () throws(MappingError) in
      let mapped = try mapper.items(type, in: document)
      items = mapped.value
      return mapped.report
    }
    for position in 0..<document.root.count {
      let item = Item()
      results += texts { () throws(MappingError) in
        try mapper.update(item, from: document, at: [.index(position)])
      }
      items.append(item)
    }
    return results + items.map { "\($0.numbers)" }
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(8)))
  func `a table may grow beyond the bits of a word`(_ seeded: SeededGenerator) throws {
    var random = seeded
    #expect(ItemPlan.of(Narrow.Item.self).root.pointee.members.count == 64)
    #expect(ItemPlan.of(Broad.Item.self).root.pointee.members.count == 84)
    for _ in 0..<5 {
      let text = "[" + (0..<3).map { _ in Self.object(&random) }.joined(separator: ",") + "]"
      let document = try JSONDocument(text)
      for (isStrict, failsFast) in [(false, false), (true, false), (false, true), (true, true)] {
        var mapper = ItemMapper()
        (mapper.isStrict, mapper.failsFast, mapper.samples) = (isStrict, failsFast, 100)
        let narrow = Self.results(Narrow.Item.self, document, mapper)
        #expect(narrow == Self.results(Broad.Item.self, document, mapper), "\(text)")
      }
    }
  }
}

private protocol Numbered: AnyObject {
  var numbers: [Int] { get set }
}
