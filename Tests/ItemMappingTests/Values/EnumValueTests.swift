import Testing

@testable import ItemMapping

@Suite struct EnumValueTests {
  enum Cover: String, JSONValue { case soft, hard }
  enum Level: Int, JSONValue { case low = 1, high = 3 }

  final class Item: BaseItem {
    var cover = Cover.soft
    var coverOption: Cover?
    var covers: [Cover] = []
    var coverOptions: [Cover?] = []
    var level = Level.low
    var levelOption: Level? = .high
    var open = OpenEnum<Cover>.known(.soft)
    var openOption: OpenEnum<Level>?
    var opens: [OpenEnum<Cover>] = []
    var byName: [String: OpenEnum<Level>] = [:]

    override class var fields: FieldTable {
      FieldTable(Item.self) { f in
        f(\.cover, "c")
        f(\.coverOption, "co")
        f(\.covers, "cs")
        f(\.coverOptions, "cos")
        f(\.level, "l", .default(.high))
        f(\.levelOption, "lo")
        f(\.open, "o")
        f(\.openOption, "oo")
        f(\.opens, "os")
        f(\.byName, "bn")
      }
    }
  }

  static let text =
    #"{"c":"hard","co":"soft","cs":["soft","hard"],"cos":[null,"hard"],"l":3,"lo":1,"#
    + #""o":"leather","oo":2,"os":["soft","cloth"],"bn":{"a":1,"b":9}}"#

  @Test func `known and unknown cases are read and written back`() throws {
    let mapped = try read(Item.self, Self.text)
    let item = mapped.value
    #expect(mapped.report.isClean)
    #expect(item.cover == .hard)
    #expect(item.coverOption == .soft)
    #expect(item.covers == [.soft, .hard])
    #expect(item.coverOptions == [nil, .hard])
    #expect(item.level == .high)
    #expect(item.levelOption == .low)
    #expect(item.open == .unknown("leather"))
    #expect(item.open.rawValue == "leather")
    #expect(item.open.known == nil)
    #expect(item.openOption == .unknown(2))
    #expect(item.opens == [.known(.soft), .unknown("cloth")])
    #expect(item.byName == ["a": .known(.low), "b": .unknown(9)])
    #expect(item.jsonObject.text() == Self.text)
  }

  static let unknown: [(String, String)] = [
    (
      #"{"c":"cloth"}"#,
      "$['c']: Item.cover expects Cover, found string \"cloth\" (property unchanged)"
    ),
    (
      #"{"co":"cloth"}"#,
      "$['co']: Item.coverOption expects Cover, found string \"cloth\" (property unchanged)"
    ),
    (
      #"{"co":"Hard"}"#,
      "$['co']: Item.coverOption expects Cover, found string \"Hard\" (property unchanged)"
    ),
    (#"{"c":""}"#, "$['c']: Item.cover expects Cover, found string \"\" (property unchanged)"),
    (#"{"co":""}"#, ""),
    (
      #"{"cs":["cloth"]}"#,
      "$['cs'][0]: Item.covers expects Cover, found string \"cloth\" (dropped)"
    ),
    (#"{"l":2}"#, "$['l']: Item.level expects Level, found number 2 (default used)"),
    (#"{"l":1.5}"#, "$['l']: Item.level expects Int, found number 1.5 (default used)"),
    (#"{"o":[]}"#, "$['o']: Item.open expects String, found an empty array (property unchanged)"),
    (#"{"lo":"3"}"#, "$['lo']: Item.levelOption expects Int, found string \"3\" (converted)"),
  ]

  @Test(arguments: unknown)
  func `an unknown case is reported`(_ json: String, _ report: String) throws {
    #expect(try read(Item.self, json).report.description == report)
  }

  @Test func `an optional enum is nil for an unknown case`() throws {
    #expect(try read(Item.self, #"{"co":"cloth"}"#).value.coverOption == nil)
    #expect(try read(Item.self, #"{"l":2}"#).value.level == .high)
  }
}
