import Foundation
import Testing

@testable import ItemMapping

/// Unusual types of items.
@Suite struct ItemTypeTests {
  final class Envelope<Content: JSONValue>: BaseItem {
    var content: Content?
    var all: [Content] = []
    var total = 0
    override class var fields: FieldTable {
      FieldTable(Envelope.self) { f in
        f(\.content, "content")
        f(\.all, "all")
        f(\.total, "total", .required)
      }
    }
  }

  class Middle<Value: JSONValue>: BaseItem {
    final var value: Value?
    override class var fields: FieldTable {
      FieldTable(Middle.self) { f in f(\.value, "value") }
    }
  }

  final class Leaf: Middle<Price> {
    var name = ""
    override class var fields: FieldTable {
      FieldTable(Leaf.self) { f in f(\.name, "name") }
    }
  }

  @Test func `a generic class has a plan for each of its types`() throws {
    let text = #"{"total":2,"content":{"name":"A"},"all":[{"name":"B"},{}]}"#
    let writers = try read(Envelope<Writer>.self, text)
    #expect(writers.value.content?.name == "A")
    #expect(writers.value.all.map(\.name) == ["B"])
    #expect(writers.report.count(.dropped) == 1)
    #expect(writers.value.debugDescription.hasPrefix("Envelope<Writer>("))
    let numbers = try read(Envelope<Int>.self, #"{"total":2,"content":3,"all":[1,2]}"#).value
    #expect(numbers.content == 3)
    #expect(numbers.all == [1, 2])
    let nested = try read(
      Envelope<Envelope<Int>>.self, #"{"total":1,"content":{"total":2,"all":[5]}}"#
    ).value
    #expect(nested.content?.all == [5])
  }

  @Test func `a class may inherit from a generic one`() throws {
    let leaf = try read(Leaf.self, #"{"name":"n","value":{"amount":3}}"#).value
    #expect(leaf.name == "n")
    #expect(leaf.value == Price(amount: 3))
    #expect(ItemPlan.of(Leaf.self).problems == [])
  }

  struct Number: RawRepresentable, JSONValue, Hashable { var rawValue: Int }
  struct Flags: OptionSet, JSONValue { let rawValue: Int }

  final class Raw: BaseItem {
    var number = Number(rawValue: 0)
    var numbers: Set<Number> = []
    var flags: Flags = []
    var big = ""
    var exact = Decimal(0)
    var wide: UInt128 = 0
    var small = 0
    override class var fields: FieldTable {
      FieldTable(Raw.self) { f in
        f(\.number, "number")
        f(\.numbers, "numbers")
        f(\.flags, "flags")
        f(\.big, "big")
        f(\.exact, "big")
        f(\.wide, "big")
        f(\.small, "big")
      }
    }
  }

  @Test func `any type with a raw value can be read`() throws {
    let text = #"{"number":7,"numbers":[1,2],"flags":5}"#
    let raw = try read(Raw.self, text).value
    #expect(raw.number.rawValue == 7)
    #expect(raw.numbers == [Number(rawValue: 1), Number(rawValue: 2)])
    #expect(raw.flags.rawValue == 5)
    #expect(raw.jsonObject["flags"] == 5)
  }

  @Test func `a number beyond 64 bits keeps its digits and the page`() throws {
    let mapped = try ItemMapper().items(
      Raw.self, in: JSONDocument(#"[{"big":123456789012345678901234567890},{"number":1}]"#))
    #expect(mapped.value.count == 2)
    #expect(mapped.value[0].big == "123456789012345678901234567890")
    #expect(mapped.value[0].exact == Decimal(string: "123456789012345678901234567890"))
    #expect(mapped.value[0].wide == 123_456_789_012_345_678_901_234_567_890)
    #expect(mapped.value[0].small == 0)
    #expect(
      mapped.report.groups.map(\.samples[0].kind) == [.converted, .outOfRange])
    #expect(!mapped.report.repairs.isEmpty)
  }

  /// A class that conforms to the protocol of structs.
  final class Shared: ItemValue {
    var amount = 0
    static var fields: FieldTable {
      FieldTable(Shared.self) { f in f(\.amount, "amount") }
    }
  }

  @Test func `a class can conform to ItemValue`() throws {
    let shared = try read(Shared.self, #"{"amount":3}"#).value
    #expect(shared.amount == 3)
    #expect(shared.jsonObject["amount"] == 3)
  }

  /// Has a different default in each item.
  class Stamped: BaseItem {
    var key = UUID().uuidString
    var data = Data()
    var made = Date()
    var name = ""
    var note: String?
    override class var fields: FieldTable {
      FieldTable(Stamped.self) { f in
        f(\.name)
        f(\.note, "note")
        f(\.data)
        f.ignore("key", "made")
      }
    }
  }

  @Test func `defaults may differ from item to item`() throws {
    #expect(PlanProblems.of(Stamped.self) == [])
    let stamped = try read(Stamped.self, #"{"name":"n","note":"o","data":"AQ=="}"#).value
    #expect(stamped.name == "n")
    #expect(stamped.note == "o")
    #expect(stamped.data == Data([1]))
  }

  /// Has properties, but no table.
  final class Tableless: BaseItem { var name = "" }

  @Test func `a class without a table is reported`() {
    #expect(
      PlanProblems.of(Tableless.self)
        == ["name: not mapped; add f(\\.name, \"…\") or f.ignore(\"name\")"])
  }
}
