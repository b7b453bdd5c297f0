import Testing

@testable import ItemMapping

@Suite struct FieldRuleElementsTests {
  final class Lists: BaseItem {
    var drop = [0]
    var dropItems: [Writer] = [Writer()]
    var keep = [0]
    var keepItems: [Writer] = [Writer()]
    var keepOption: [Int]? = [0]
    var fail = [0]
    var failOption: [Int]?
    var failItems: [Writer] = []
    var failMap: [String: Int] = [:]
    var keepMap = ["k": 0]
    var dropMap: [String: Writer] = [:]

    override class var fields: FieldTable {
      FieldTable(Lists.self) { f in
        f(\.drop, "d", .elements(.drop))
        f(\.dropItems, "di")
        f(\.keep, "k", .elements(.keepDefault))
        f(\.keepItems, "ki", .elements(.keepDefault))
        f(\.keepOption, "ko", .elements(.keepDefault))
        f(\.fail, "f", .elements(.fail))
        f(\.failOption, "fo", .elements(.fail))
        f(\.failItems, "fi", .elements(.fail))
        f(\.failMap, "fm", .elements(.fail))
        f(\.keepMap, "km", .elements(.keepDefault))
        f(\.dropMap, "dm")
      }
    }
  }

  @Test func `by default only the bad elements are dropped`() throws {
    let mapped = try read(
      Lists.self,
      """
      {"d":[1,"x",null,2.5,[],{},3],"di":[{"name":"A"},{},7,null,{"name":"B"}],
       "dm":{"a":{"name":"C"},"b":{},"c":0}}
      """)
    #expect(mapped.value.drop == [1, 3])
    #expect(mapped.value.dropItems.map(\.name) == ["A", "B"])
    #expect(mapped.value.dropMap.mapValues(\.name) == ["a": "C"])
    #expect(mapped.report.count(.dropped) == 10)
    let paths = mapped.report.groups.flatMap(\.samples).map(\.path.description)
    #expect(paths.contains("$['d'][1]"))
    #expect(paths.contains("$['di'][1]['name']"))
    #expect(paths.contains("$['di'][2]"))
    #expect(paths.contains("$['dm']['b']['name']"))
    #expect(paths.contains("$['dm']['c']"))
  }

  @Test(arguments: ["[1,\"x\"]", "[1,\"\"]", "[1,null]", "[[],1]", "7"])
  func `a property can keep its value instead`(_ array: String) throws {
    let mapped = try read(Lists.self, "{\"k\":\(array),\"ko\":\(array)}")
    #expect(mapped.value.keep == [0])
    #expect(mapped.value.keepOption == [0])
    #expect(mapped.report.count(.kept) == 2)
  }

  @Test func `a property of items can keep its value`() throws {
    let mapped = try read(
      Lists.self, #"{"ki":[{"name":"A"},{}],"km":{"a":1,"b":"x"}}"#)
    #expect(mapped.value.keepItems.count == 1)
    #expect(mapped.value.keepMap == ["k": 0])
    #expect(mapped.report.groups.count == 2)
  }

  static let fatal = [
    #""f":[1,"x"]"#, #""f":[1,""]"#, #""fo":[1,""]"#, #""fo":[1,"x"]"#, #""fi":[{}]"#,
    #""fi":[{"name":"A"},null]"#, #""fm":{"a":1,"b":null}"#,
  ]

  @Test(arguments: fatal)
  func `an item may be unusable with a bad element`(_ member: String) throws {
    let mapped = try ItemMapper().items(Lists.self, in: JSONDocument("[{\(member)},{}]"))
    #expect(mapped.value.count == 1)
    #expect(mapped.report.count(.dropped) == 1)
  }

  @Test func `an empty array is an empty array`() throws {
    let mapped = try read(
      Lists.self,
      #"{"d":[],"di":[],"k":[],"ki":[],"ko":[],"f":[],"fo":[],"fm":{},"km":{},"dm":{}}"#)
    let lists = mapped.value
    #expect(lists.drop == [])
    #expect(lists.dropItems == [])
    #expect(lists.keep == [])
    #expect(lists.keepOption == [])
    #expect(lists.failOption == [])
    #expect(lists.keepMap == [:])
    #expect(mapped.report.isClean)
  }
}
