import Foundation
import Testing

@testable import ItemMapping

@Suite struct ContainerValueTests {
  final class Containers: BaseItem {
    var ints: [Int] = []
    var options: [Int?] = []
    var optionList: [Int]?
    var strings: [String] = []
    var stringOptions: [String?] = []
    var grid: [[Int]] = []
    var cube: [[[String]]] = []
    var set: Set<String> = []
    var map: [String: Int] = [:]
    var optionMap: [String: Int?] = [:]
    var lists: [String: [Int]] = [:]
    var writers: [Writer?] = []
    var writerGrid: [[Writer]] = []
    var writerMap: [String: Writer] = [:]
    var listOfMaps: [[String: Price]] = []
    var anys: [JSONAny] = []
    var object = JSONAny.Object()

    override class var fields: FieldTable {
      FieldTable(Containers.self) { f in
        f(\.ints, "ints")
        f(\.options, "options")
        f(\.optionList, "optionList")
        f(\.strings, "strings")
        f(\.stringOptions, "stringOptions")
        f(\.grid, "grid")
        f(\.cube, "cube")
        f(\.set, "set")
        f(\.map, "map")
        f(\.optionMap, "optionMap")
        f(\.lists, "lists")
        f(\.writers, "writers")
        f(\.writerGrid, "writerGrid")
        f(\.writerMap, "writerMap")
        f(\.listOfMaps, "listOfMaps")
        f(\.anys, "anys")
        f(\.object, "object")
      }
    }
  }

  /// A member, the JSON written for it (the same unless given), and the report.
  static let cases: [(String, String?, [String])] = [
    (#""ints":[]"#, nil, []), (#""ints":[1,-2,9223372036854775807]"#, nil, []),
    (#""options":[1,null,3]"#, nil, []), (#""options":["",2]"#, #""options":[null,2]"#, []),
    (#""optionList":[]"#, nil, []), (#""optionList":[1]"#, nil, []),
    (#""strings":["a","","a long string that is somewhere else"]"#, nil, []),
    (#""strings":["a",1,true,null]"#, #""strings":["a","1"]"#, ["[1]", "[2]", "[3]"]),
    (#""stringOptions":[null,"a",null]"#, nil, []),
    (#""grid":[[],[1],[2,3]]"#, nil, []),
    (#""grid":[[1,"x"],2,null,[3]]"#, #""grid":[[1],[3]]"#, ["[0][1]", "[1]", "[2]"]),
    (#""cube":[[[]],[],[["a"],["b","c"]]]"#, nil, []),
    (#""set":["a","b"]"#, nil, []), (#""set":["b","a","b"]"#, #""set":["a","b"]"#, []),
    (#""map":{"a":1,"b":2}"#, nil, []), (#""map":{}"#, nil, []),
    (#""map":{"b":2,"a":"x","":3}"#, #""map":{"":3,"b":2}"#, ["['a']"]),
    (#""map":{"a":1,"a":2}"#, #""map":{"a":1}"#, []),
    (#""optionMap":{"a":null,"b":1}"#, nil, []),
    (#""lists":{"a":[1],"b":[]}"#, nil, []),
    (#""lists":{"a":[1,"x"],"b":7}"#, #""lists":{"a":[1]}"#, ["['a'][1]", "['b']"]),
    (#""writers":[{"name":"A"},null]"#, nil, []),
    (#""writers":[{},null,3]"#, #""writers":[null]"#, ["[0]['name']", "[2]"]),
    (#""writerGrid":[[{"name":"A"}],[]]"#, nil, []),
    (#""writerMap":{"x":{"name":"A","born":1}}"#, nil, []),
    (#""listOfMaps":[{"a":{"amount":1,"currency":"EUR"}},{}]"#, nil, []),
    (#""anys":[null,1,1.5,"x",[true],{"a":{}}]"#, nil, []),
    (#""object":{"z":1,"a":[null]}"#, nil, []),
    (#""ints":{}"#, #""ints":[]"#, [""]), (#""map":[]"#, #""map":{}"#, [""]),
    (#""object":[]"#, #""object":{}"#, [""]), (#""set":"a""#, #""set":[]"#, [""]),
    (#""grid":7"#, #""grid":[]"#, [""]), (#""writers":{"name":"A"}"#, #""writers":[]"#, [""]),
  ]

  @Test(arguments: cases)
  func `containers keep all elements that can be read`(
    _ member: String, _ written: String?, _ troubles: [String]
  ) throws {
    let mapped = try read(Containers.self, "{\(member)}")
    let expected = try JSONDocument("{\(written ?? member)}").root
    let name = try #require(expected.members.first { _ in true }?.name)
    #expect(mapped.value.jsonObject[name]?.text() == expected[name]?.text)
    let reported = Set(mapped.report.groups.flatMap(\.samples).map(\.path.description))
    #expect(reported == Set(troubles.map { "$['\(name)']\($0)" }))
  }

  @Test func `an array of optionals keeps its positions`() throws {
    let item = try read(Containers.self, #"{"options":[null,1,null],"writers":[null]}"#).value
    #expect(item.options == [nil, 1, nil])
    #expect(item.writers.count == 1)
  }

  @Test func `values may be the root of a mapping`() throws {
    let mapper = ItemMapper()
    #expect(try mapper.items(Int.self, in: JSONDocument("[1,2]")).value == [1, 2])
    #expect(try mapper.items(Int?.self, in: JSONDocument("[1,null]")).value == [1, nil])
    #expect(
      try mapper.item([String: [Int]].self, in: JSONDocument(#"{"a":[1]}"#)).value == ["a": [1]])
    #expect(try mapper.item(JSONAny.self, in: JSONDocument("[1]")).value == [1])
    #expect(try mapper.item(Int?.self, in: JSONDocument("null")).value == nil)
    #expect(
      try mapper.items(String.self, in: JSONDocument(#"["a",{}]"#)).report.count(.dropped) == 1)
  }

  /// A custom type.
  struct Color: JSONValue, Equatable {
    var red = 0
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Color? {
      if let red = run.userInfo[Self.key] as? Int { return Color(red: red) }
      guard let text = String.read(place, in: &run) else { return nil }
      guard text.hasPrefix("#"), let red = Int(text.dropFirst(), radix: 16) else {
        return run.refuse(place, expected: "a color such as #FF", hint: "it is \(run.view(place))")
      }
      return Color(red: red)
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .string("#" + String(red, radix: 16)) }
    static var key: CodingUserInfoKey { CodingUserInfoKey(rawValue: "red").unsafelyUnwrapped }
  }

  final class Paint: BaseItem {
    var base = Color()
    var option: Color?
    var all: [Color] = []
    override class var fields: FieldTable {
      FieldTable(Paint.self) { f in
        f(\.base, "base")
        f(\.option, "option")
        f(\.all, "all")
      }
    }
  }

  /// Gives no reason when it can't be read.
  struct Silent: JSONValue, Hashable {
    var text = ""
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Silent? {
      String.read(place, in: &run).flatMap { $0 == "bad" ? nil : Silent(text: $0) }
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .string(text) }
  }

  final class Silence: BaseItem {
    var all: [Silent] = []
    var option: Silent?
    var required = Silent()
    override class var fields: FieldTable {
      FieldTable(Silence.self) { f in
        f(\.all, "all")
        f(\.option, "option")
        f(\.required, "required", .required)
      }
    }
  }

  @Test func `every loss is reported, even if a type gives no reason`() throws {
    let mapped = try ItemMapper().items(
      Silence.self,
      in: JSONDocument(
        #"[{"required":"x"},{"required":"bad"},{"required":"w","option":"bad"},{"required":"y","all":["v","bad","z"]}]"#
      ))
    #expect(mapped.value.map(\.required.text) == ["x", "w", "y"])
    #expect(mapped.value.last?.all.map(\.text) == ["v", "z"])
    let paths = mapped.report.groups.flatMap(\.samples).map(\.path.description)
    #expect(paths == ["$[1]['required']", "$[2]['option']", "$[3]['all'][1]"])
    #expect(mapped.report.count(.dropped) == 2)
  }

  @Test func `a custom type reads and writes itself`() throws {
    let text = ##"{"base":"#ff","option":"#1","all":["#2","#3"]}"##
    let paint = try read(Paint.self, text).value
    #expect(paint.all == [Color(red: 2), Color(red: 3)])
    #expect(paint.jsonObject.text() == text)
    let bad = try read(Paint.self, ##"{"base":"red","option":null,"all":[[],"#1"]}"##)
    #expect(bad.value.option == nil)
    #expect(
      bad.report.description == """
        $['base']: Paint.base expects a color such as #FF, found string "red" (property unchanged); it is "red"
        $['all'][0]: Paint.all expects String, found an empty array (dropped)
        """)
    var mapper = ItemMapper()
    mapper.userInfo[Color.key] = 7
    #expect(try read(Paint.self, text, by: mapper).value.base.red == 7)
  }

  @Test func `the first member with a name wins, even if it can't be read`() throws {
    let mapped = try read([String: Int].self, #"{"a":"x","a":1,"b":2,"b":"y"}"#)
    #expect(mapped.value == ["b": 2])
    #expect(mapped.report.count(.dropped) == 1)
  }
}
