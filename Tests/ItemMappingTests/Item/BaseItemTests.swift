import Foundation
import Testing

@testable import ItemMapping

@Suite struct BaseItemTests {
  static let emma = """
    {"kind":"leather","id":7,"title":"Emma","facts":{"rating":4.5,"pages":448},"in_print":true,
     "subtitle":null,"writer":{"name":"Jane Austen","born":1775},"unknown":[1,{"a":2}],
     "others":[{"name":"A"},{"name":"B","born":null}],"tags":["x","a longer string than that","z"],
     "price":{"amount":12.50},"binding":"hard"}
    """

  @Test func `all properties of a class and of its superclass are set`() throws {
    let (novel, report) = try { ($0.value, $0.report) }(read(Novel.self, Self.emma))
    #expect(novel.id == 7)
    #expect(novel.title == "Emma")
    #expect(novel.pages == 448)
    #expect(novel.rating == 4.5)
    #expect(novel.inPrint)
    #expect(novel.subtitle == nil)
    #expect(novel.writer?.name == "Jane Austen")
    #expect(novel.writer?.born == 1775)
    #expect(novel.others.map(\.name) == ["A", "B"])
    #expect(novel.tags == ["x", "a longer string than that", "z"])
    #expect(novel.price == Price(amount: 12.5, currency: "EUR"))
    #expect(novel.binding == .hard)
    #expect(novel.kind == .unknown("leather"))
    #expect(report.description == "")
  }

  /// Uses names that are common on servers.
  final class Talkative: BaseItem {
    var description = ""
    var json = ""
    var text = ""
    var value = 0
    var type = ""
    var name: String?

    override class var fields: FieldTable {
      FieldTable(Talkative.self) { f in
        f(\.description)
        f(\.json)
        f(\.text)
        f(\.value)
        f(\.type)
        f(\.name)
      }
    }
  }

  @Test func `a property may have any name that servers use`() throws {
    let text = #"{"description":"d","json":"j","text":"t","value":1,"type":"x","name":"n"}"#
    let item = try read(Talkative.self, text).value
    #expect(item.description == "d")
    #expect(item.jsonObject.text() == text)
    #expect("\(item)".hasPrefix("Talkative(description: \"d\", json: \"j\""))
  }
}
