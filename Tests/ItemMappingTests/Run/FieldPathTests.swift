import Testing

@testable import ItemMapping

@Suite struct FieldPathTests {
  final class Paths: BaseItem {
    var a = 0
    var b = 0
    var twin = 0
    var text = ""
    var whole: JSONAny = .null
    var spread = ItemValueTests.Size()

    override class var fields: FieldTable {
      FieldTable(Paths.self) { f in
        f(\.a, "data.list[0].a")
        f(\.b, "data.list[-1].b")
        f(\.twin, "data.list[0].a")
        f(\.text, "data.name")
        f(\.whole, "$")
        f(\.spread, "$", .default(ItemValueTests.Size(width: -1)))
      }
    }
  }

  @Test func `fields share the path to their values`() throws {
    let mapped = try read(
      Paths.self, #"{"w":1,"data":{"list":[{"a":1,"b":2},{"a":3,"b":4}],"name":"n"}}"#)
    let paths = mapped.value
    #expect(paths.a == 1)
    #expect(paths.twin == 1)
    #expect(paths.b == 4)
    #expect(paths.text == "n")
    #expect(paths.whole["data"]?["name"] == "n")
    #expect(paths.spread.width == 1)
    #expect(mapped.report.isClean)
  }

  /// A number at each of many paths.
  final class Odd: BaseItem {
    var dot = 0
    var quote = 0
    var escape = 0
    var umlaut = 0
    var emoji = 0
    var empty = 0
    var digits = 0
    var blank = 0
    var nul = 0
    var slash = 0
    var tilde = 0
    var pointer = 0
    var pointerIndex = 0
    var deepPointer = 0
    var repeated = 0
    var middle = 0
    var long1 = 0
    var long2 = 0
    var short = 0
    var exact = 0
    var matrix = 0
    var last = 0

    override class var fields: FieldTable {
      FieldTable(Odd.self) { f in
        f(\.dot, "['com.app.id']")
        f(\.quote, "[\"it's\"]")
        f(\.escape, "['a\\nb']")
        f(\.umlaut, "größe")
        f(\.emoji, "['👩‍👧']")
        f(\.empty, "['']")
        f(\.digits, "12")
        f(\.blank, "['a b']")
        f(\.nul, "['short\\u0000']")
        f(\.slash, "/sl~1ash")
        f(\.tilde, "/til~0de")
        f(\.pointer, "/map/0")
        f(\.pointerIndex, "/array/0")
        f(\.deepPointer, "/deep/1/0/x", .required)
        f(\.repeated, "p.q.p")
        f(\.middle, "p.p")
        f(\.long1, "the_same_beginning_1")
        f(\.long2, "the_same_beginning_2")
        f(\.short, "short")
        f(\.exact, "eight_by")
        f(\.matrix, "matrix[1][0]")
        f(\.last, "matrix[-1][-2]")
      }
    }
  }

  static let members = [
    #""com.app.id":1"#, #""it's":2"#, #""a\nb":3"#, #""gr\u00f6\u00dfe":4"#, #""👩‍👧":5"#, #""":6"#,
    #""12":7"#, #""a b":8"#, #""short\u0000":9"#, #""sl/ash":10"#, #""til~de":11"#,
    #""map":{"0":12}"#, #""array":[13]"#, #""deep":[0,{"0":{"x":14}}]"#,
    #""p":{"p":16,"q":{"p":15}}"#, #""the_same_beginning_1":17"#, #""the_same_beginning_2":18"#,
    #""short":19"#, #""eight_by":20"#, #""matrix":[[0],[21,0],[22,23]]"#,
  ]

  @Test func `a name is any text, in any notation`() throws {
    for order in [members, members.reversed()] {
      let mapped = try read(Odd.self, "{" + order.joined(separator: ",") + "}")
      #expect(mapped.report.description == "")
      let values = mapped.value.jsonObject
      #expect(mapped.value.dot == 1)
      let odd = mapped.value
      #expect(
        [
          odd.dot, odd.quote, odd.escape, odd.umlaut, odd.emoji, odd.empty, odd.digits, odd.blank,
          odd.nul, odd.slash, odd.tilde, odd.pointer, odd.pointerIndex, odd.deepPointer,
          odd.repeated, odd.middle, odd.long1, odd.long2, odd.short, odd.exact, odd.matrix,
          odd.last,
        ] == Array(1...22))
      #expect(values["com.app.id"] == 1)
    }
  }

  private var members: [String] { Self.members }

  @Test func `names are compared byte for byte`() throws {
    // A letter with a combining diaeresis, other cases, and a name with the same prefix.
    let mapped = try read(
      Odd.self,
      #"{"gro\u0308\u00dfe":1,"Short":2,"shortt":3,"the_same_beginning_":4,"deep":{"1":[{"x":5}]}}"#
    )
    #expect(mapped.value.umlaut == 0)
    #expect(mapped.value.short == 0)
    #expect(mapped.value.long1 == 0)
    #expect(mapped.value.deepPointer == 5)
  }

  @Test func `the first member with a name wins`() throws {
    let odd = try read(
      Odd.self,
      #"{"short":1,"short":2,"p":{"q":{"p":3}},"p":{"q":{"p":4},"p":5},"deep":[0,[{"x":1,"x":2}]]}"#
    ).value
    #expect(odd.short == 1)
    #expect(odd.repeated == 3)
    #expect(odd.middle == 0)
    #expect(odd.deepPointer == 1)
  }

  static let stops = [
    "null", "1", "\"x\"", "[]", "{}", "[[]]", "{\"q\":null}", "{\"q\":[1]}", "true",
  ]

  @Test(arguments: stops)
  func `a path that stops before its end finds nothing`(_ value: String) throws {
    let mapped = try read(
      Odd.self,
      "{\"p\":\(value),\"matrix\":\(value),\"array\":[],\"map\":[],\"deep\":[0,[{\"x\":1}]]}")
    #expect(mapped.value.repeated == 0)
    #expect(mapped.value.matrix == 0)
    #expect(mapped.report.description == "")
  }

  static let missing = [
    ("{}", ""), (#"{"deep":null}"#, "; $['deep'] is null"),
    (#"{"deep":[]}"#, "; $['deep'] is an array"),
    (#"{"deep":{}}"#, "; $['deep'] is an object"),
    (#"{"deep":[0,[]]}"#, "; $['deep'][1] is an array"),
    (#"{"deep":[0,{}]}"#, "; $['deep'][1] is an object"),
    (#"{"deep":[0,[{"y":1}]]}"#, "; $['deep'][1][0] is an object"),
    (#"{"deep":[0,[[1]]]}"#, "; $['deep'][1][0] is an array"),
    (#"{"deep":7}"#, "; $['deep'] is a number"),
  ]

  @Test(arguments: missing)
  func `a required value is missing wherever its path stops`(
    _ json: String, _ stop: String
  ) {
    let message = "$['deep'][1][0]['x']: Odd.deepPointer expects Int, found nothing (dropped)"
    #expect(outcome(Odd.self, json) == Outcome("unusable", message + stop))
  }

  /// Has required elements and elements with defaults.
  final class Elements: BaseItem {
    var first = 0
    var second = 0
    var name = ""
    override class var fields: FieldTable {
      FieldTable(Elements.self) { f in
        f(\.first, "list[0]", .required)
        f(\.second, "list[1]", .default(5))
        f(\.name, "list.name", .default("none"))
      }
    }
  }

  @Test func `an object in place of an array has no elements`() throws {
    let message = "$['list'][0]: Elements.first expects Int, found nothing (dropped)"
    let lists = [
      ("{}", "an object"), ("{\"name\":\"x\"}", "an object"), ("[]", "an array"), ("null", "null"),
      ("3", "a number"),
    ]
    for (list, kind) in lists {
      let stop = "; $['list'] is \(kind)"
      #expect(outcome(Elements.self, "{\"list\":\(list)}") == Outcome("unusable", message + stop))
    }
    let one = try read(Elements.self, #"{"list":[1]}"#).value
    #expect([one.first, one.second] == [1, 5])
    #expect(one.name == "none")
    #expect(try read(Elements.self, #"{"list":[1,2,3]}"#).value.second == 2)
  }

  /// Has more members than a word has bits.
  final class Wide: BaseItem {
    var values = Values()
    var total = 0
    var both = 0
    override class var fields: FieldTable {
      FieldTable(Wide.self) { f in
        for (number, property) in Values.all.enumerated() {
          f(property, FieldTable.Rule.path([.name("member_\(number)")]), .default(-1))
        }
        f(\.total, "total", .required)
        f(\.both, "other", "total")
      }
    }
  }

  struct Values: Hashable {
    var numbers = Array(repeating: 0, count: 70)
    static var all: [any WritableKeyPath<Wide, Int> & Sendable] {
      (0..<70).map { \Wide.values.numbers[$0] }
    }
  }

  @Test func `a table may have more members than a word has bits`() throws {
    let text =
      (0..<70).reversed().filter { $0 != 3 }.map { "\"member_\($0)\":\($0),\"x\($0)\":0" }
      .joined(separator: ",") + #","total":1,"total":2,"member_69":0"#
    let mapped = try read(Wide.self, "{\(text)}")
    #expect(mapped.value.values.numbers == (0..<70).map { $0 == 3 ? -1 : $0 })
    #expect(mapped.value.total == 1)
    #expect(mapped.value.both == 1)
    #expect(
      outcome(Wide.self, #"{"member_1":1}"#).report
        == ["$['total']: Wide.total expects Int, found nothing (dropped)"])
  }
}
