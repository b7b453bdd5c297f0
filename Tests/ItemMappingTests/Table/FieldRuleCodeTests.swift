import Foundation
import Testing

@testable import ItemMapping

@Suite struct FieldRuleCodeTests {
  struct Bad: Error, CustomStringConvertible {
    let text: String
    var description: String { "can't take \(text)" }
  }

  final class Card: BaseItem {
    var hours = 0
    var list: [String] = []
    var option: Int? = 1
    var size: ItemValueTests.Size?
    var writer: Writer?
    var numbers: [Int] = []
    var deep: Deep?
    var name = ""
    var names: [String] = []

    override class var fields: FieldTable {
      FieldTable(Card.self) { f in
        f(
          \.hours, "time",
          .convert { json in
            guard let text = json.string, let hours = Int(text.prefix(2)) else {
              throw Bad(text: json.text)
            }
            return hours
          })
        f(
          \.list, "csv", "list",
          .convert(
            { ($0.string ?? "").split(separator: ",").map(String.init) },
            back: { .string($0.joined(separator: ",")) }))
        f(\.option, "option", .convert { json in json.isNull ? 5 : 6 })
        f(\.size, "size", .jsonString)
        f(\.writer, "writer", .jsonString)
        f(\.numbers, "numbers", .jsonString)
        f(\.deep, "deep", .jsonString)
        f(\.name, "name", .interned)
        f(\.names, "names", .interned)
      }
    }
  }

  final class Deep: BaseItem {
    var deep: Deep?
    var number = 0
    override class var fields: FieldTable {
      FieldTable(Deep.self) { f in
        f(\.deep, "deep", .jsonString)
        f(\.number, "number")
      }
    }
  }

  @Test func `a field converts its value and writes it back`() throws {
    let card = try read(Card.self, #"{"time":"12:30","csv":"a,b"}"#).value
    #expect(card.hours == 12)
    #expect(card.list == ["a", "b"])
    #expect(card.jsonObject["time"] == 12)
    #expect(card.jsonObject["csv"] == "a,b")
  }

  @Test func `an error of a conversion is reported and the property is kept`() throws {
    #expect(
      try read(Card.self, #"{"time":[1]}"#).report.description
        == "$['time']: Card.hours expects Int, found an array (property unchanged); can't take [1]")
  }

  @Test func `null is never converted`() throws {
    let card = try read(Card.self, #"{"time":null,"option":null,"csv":null,"list":"c"}"#).value
    #expect(card.hours == 0)
    #expect(card.option == nil)
    #expect(card.list == ["c"])
    #expect(try read(Card.self, #"{"option":0}"#).value.option == 6)
  }

  @Test func `JSON within a string is read like JSON in its place`() throws {
    let mapped = try read(
      Card.self,
      #"{"size":"{\"w\":3}","writer":"{\"name\":\"A\"}","numbers":"[1,2]","name":"x"}"#)
    #expect(mapped.value.size?.width == 3)
    #expect(mapped.value.writer?.name == "A")
    #expect(mapped.value.numbers == [1, 2])
    #expect(mapped.value.name == "x")
    #expect(mapped.report.isClean)
  }

  @Test func `JSON without quotes is accepted too`() throws {
    let card = try read(Card.self, #"{"size":{"w":3},"numbers":[1],"writer":null}"#).value
    #expect(card.size?.width == 3)
    #expect(card.numbers == [1])
    #expect(card.writer == nil)
  }

  @Test func `a string that is not JSON is reported`() throws {
    let mapped = try read(Card.self, #"{"numbers":"[1,","name":"x"}"#)
    #expect(mapped.value.numbers == [])
    #expect(mapped.value.name == "x")
    let issue = try #require(mapped.report.groups.first?.samples.first)
    #expect(issue.path == "numbers")
    #expect(issue.kind == .unreadable)
    #expect(issue.expected == "JSON within a string")
    #expect(issue.hint != nil)
  }

  static let within = [
    // The whole value has another type.
    (
      #"{"numbers":"{}"}"#,
      "$['numbers']: Card.numbers expects [Int], found an object (property unchanged)"
    ),
    (
      #"{"a":[1,2,3,4],"writer":"[1,2]"}"#,
      "$['writer']: Card.writer expects Writer, found an array (property unchanged)"
    ),
    (
      #"{"numbers":"\"x\""}"#,
      "$['numbers']: Card.numbers expects [Int], found string \"x\" (property unchanged)"
    ),
    // A value within it does.
    (
      #"{"numbers":"[1,\"x\"]"}"#,
      "$['numbers'][1]: Card.numbers expects Int, found string \"x\" (dropped)"
    ),
    (
      #"{"size":"{\"h\":1}"}"#,
      "$['size']['w']: Size.width expects Int, found nothing (dropped)"
    ),
    (
      #"{"deep":"{\"deep\":\"{\\\"number\\\":\\\"x\\\"}\"}"}"#,
      "$['deep']['deep']['number']: Deep.number expects Int, found string \"x\" (property unchanged)"
    ),
    (
      #"{"deep":"{\"deep\":\"[1,2,3]\"}"}"#,
      "$['deep']['deep']: Deep.deep expects Deep, found an array (property unchanged)"
    ),
  ]

  @Test(arguments: within)
  func `an issue within a string is reported with the whole path`(
    _ json: String, _ report: String
  ) throws {
    #expect(try read(Card.self, json).report.description == report)
  }

  @Test func `reading continues in the outer document`() throws {
    let card = try read(
      Card.self, #"{"deep":"{\"deep\":\"[\",\"number\":4}","name":"after","time":"07:00"}"#
    ).value
    #expect(card.deep?.number == 4)
    #expect(card.deep?.deep == nil)
    #expect(card.name == "after")
    #expect(card.hours == 7)
  }

  @Test func `JSON within a string is written as a string`() throws {
    let text = #"{"size":"{\"w\":3,\"h\":0,\"unit\":\"mm\"}"}"#
    let card = try read(Card.self, text).value
    #expect(card.jsonObject["size"] == .string(#"{"w":3,"h":0,"unit":"mm"}"#))
  }

  @Test func `interned strings are equal to the strings in the JSON`() throws {
    // Long and short names with the same start and the same end.
    let names = (0..<2000).map { number in
      let middle = String(repeating: "\(number % 7)", count: number % 5)
      return "a long beginning \(middle) and a long end".prefix(1 + number % 60)
    }
    let text =
      "["
      + names.map { "{\"name\":\"\($0)\",\"names\":[\"\($0)\",\"é\"]}" }
      .joined(separator: ",") + "]"
    let cards = try ItemMapper().items(Card.self, in: JSONDocument(text)).value
    #expect(cards.map(\.name) == names.map(String.init))
    #expect(cards.map(\.names) == names.map { [String($0), "é"] })
  }
}
