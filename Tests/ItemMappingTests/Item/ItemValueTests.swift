import Foundation
import Testing

@testable import ItemMapping

@Suite struct ItemValueTests {
  struct Size: ItemValue, Hashable {
    var width = 0
    var height = 0
    var unit = "mm"

    static var fields: FieldTable {
      FieldTable(Size.self) { f in
        f(\.width, "w", .required)
        f(\.height, "h")
        f(\.unit, "unit")
      }
    }
  }

  struct Picture: ItemValue, Hashable {
    var size = Size()
    var thumbnail: Size?
    var steps: [Size] = []
    var bySize: [String: Size] = [:]
    var choices: Set<Size> = []
    var grid: [[Size?]] = []

    static var fields: FieldTable {
      FieldTable(Picture.self) { f in
        f(\.size, "size")
        f(\.thumbnail, "thumbnail")
        f(\.steps, "steps")
        f(\.bySize, "by_size")
        f(\.choices, "choices")
        f(\.grid, "grid")
      }
    }
  }

  /// Maps into a struct, whose own table is not used.
  final class Frame: BaseItem {
    var size = Size()
    var price = Price()
    var label = ""

    override class var fields: FieldTable {
      FieldTable(Frame.self) { f in
        f(\.size.width, "width")
        f(\.size.height, "height")
        f(\.price.amount, "cost.amount", "amount")
        f(\.label, "label")
        f(\.price.currency, "cost.currency")
      }
    }
  }

  /// Like `Frame`, in a class whose properties can be overridden.
  class OpenFrame: BaseItem {
    var size = Size()
    var other = Size()

    override class var fields: FieldTable {
      FieldTable(OpenFrame.self) { f in
        f(\.size.width, "width", .required)
        f(\.size.height, "height")
        f(\.other.width, "other.width")
        f(\.other.height, "other.height")
        f.ignore()
      }
    }
  }

  struct Even: ItemValue, Hashable {
    var number = 0
    var half = 0

    static var fields: FieldTable {
      FieldTable(Even.self) { f in
        f(\.number, "n")
        f.ignore("half")
      }
    }

    mutating func didMap(_ json: JSONView) throws {
      if !number.isMultiple(of: 2) { throw Odd(number: number) }
      half = number / 2
    }
  }

  struct Odd: Error { let number: Int }

  static let picture = """
    {"size":{"w":1,"h":2},"thumbnail":{"w":3,"h":4,"unit":"px"},"steps":[{"w":5},{"w":6,"h":7}],
     "by_size":{"small":{"w":8},"large":{"w":9}},"choices":[{"w":1},{"w":1},{"w":2}],
     "grid":[[{"w":1},null],[]]}
    """

  @Test func `structs are read alone, as optionals and in every container`() throws {
    let (picture, report) = try { ($0.value, $0.report) }(read(Picture.self, Self.picture))
    #expect(picture.size == Size(width: 1, height: 2))
    #expect(picture.thumbnail == Size(width: 3, height: 4, unit: "px"))
    #expect(picture.steps == [Size(width: 5), Size(width: 6, height: 7)])
    #expect(picture.bySize == ["small": Size(width: 8), "large": Size(width: 9)])
    #expect(picture.choices == [Size(width: 1), Size(width: 2)])
    #expect(picture.grid == [[Size(width: 1), nil], []])
    #expect(report.description == "")
  }

  @Test func `a struct without a required value is dropped from any container`() throws {
    let mapped = try read(
      Picture.self,
      """
      {"size":{"h":2},"thumbnail":{"h":1},"steps":[{"w":1},{"h":2},7],"by_size":{"a":{},"b":{"w":1}},
       "choices":[{}],"grid":[[{},{"w":1}]]}
      """)
    #expect(
      mapped.value
        == Picture(
          steps: [Size(width: 1)], bySize: ["b": Size(width: 1)], grid: [[Size(width: 1)]]))
    let paths = Set(mapped.report.groups.flatMap(\.samples).map(\.path.description))
    #expect(paths.isSuperset(of: ["$['size']['w']", "$['thumbnail']['w']", "$['steps'][2]"]))
    #expect(mapped.report.count(.dropped) == 7)
  }

  @Test func `a struct writes itself back`() throws {
    let picture = try read(Picture.self, Self.picture).value
    let again = try read(Picture.self, picture.jsonObject.text()).value
    #expect(again == picture)
  }

  @Test func `members of a struct are mapped through the object`() throws {
    let (frame, report) = try { ($0.value, $0.report) }(
      read(
        Frame.self,
        #"{"width":3,"height":4,"label":"x","cost":{"amount":2.5,"currency":"GBP"}}"#))
    #expect(frame.size == Size(width: 3, height: 4))
    #expect(frame.price == Price(amount: 2.5, currency: "GBP"))
    #expect(frame.label == "x")
    #expect(report.description == "")
    #expect(ItemPlan.of(Frame.self).problems == [])
  }

  @Test func `members of a struct are mapped if the property can be overridden`() throws {
    let frame = try read(
      OpenFrame.self, #"{"width":3,"height":4,"other":{"width":5,"height":6}}"#
    ).value
    #expect(frame.size == Size(width: 3, height: 4))
    #expect(frame.other == Size(width: 5, height: 6))
    #expect(ItemPlan.of(OpenFrame.self).problems == [])
  }

  @Test func `a struct whose hook throws is dropped with the reason`() throws {
    let mapped = try ItemMapper().items(
      Even.self, in: JSONDocument(#"[{"n":2},{"n":3},{"n":8}]"#))
    #expect(mapped.value == [Even(number: 2, half: 1), Even(number: 8, half: 4)])
    #expect(
      mapped.report.description
        == "$[1]: expects Even, found an object (dropped); Odd(number: 3)")
  }

  @Test func `a struct within a document can be the root of a mapping`() throws {
    let size = try ItemMapper().item(Size.self, in: JSONDocument(Self.picture), at: "steps[-1]")
    #expect(size.value == Size(width: 6, height: 7))
  }
}
