import Foundation
import Testing

@testable import ItemMapping

@Suite struct TableInspectionTests {
  @Test func `a table lists its fields, superclasses first`() {
    let table = FieldTable.Inspection(of: Novel.self)
    #expect(table.problems.isEmpty)
    #expect(table.fields.prefix(3).map(\.name) == ["id", "title", "pages"])
    #expect(table.fields[0].isRequired)
    #expect(!table.fields[1].isRequired)
    #expect(table.fields[2].paths == ["facts.pages", "pages"])
    #expect(table.fields[2].type == "Int?")
    #expect(table.description.hasPrefix("id: Int from $['id'], required"))
  }

  @Test func `stored final fields are fast, all others are listed`() {
    class Plain: BaseItem {
      var open = 0
      final var closed = 0
      final var observed = 0 { didSet {} }
      final lazy var late = 0
      override class var fields: FieldTable {
        FieldTable(Plain.self) { f in
          f(\.open, "open")
          f(\.closed, "closed")
          f(\.observed, "observed")
          f(\.late, "late")
        }
      }
    }
    let table = FieldTable.Inspection(of: Plain.self)
    #expect(table.problems.isEmpty)
    let slow =
      ItemMapper().storesDirectly ? ["open", "observed", "late"] : table.fields.map(\.name)
    #expect(table.slowFields == slow)
  }

  @Test func `a class without a table gets a suggested one`() {
    final class Bare: Work {
      var pages = 0
      var note: Note?
      var window = Window()
      struct Note {}
      final class Window {}
    }
    let table = FieldTable.Inspection(of: Bare.self)
    let unmapped = ["pages", "note", "window"].map(FieldTable.Inspection.Problem.unmapped)
    #expect(table.problems == unmapped.map(\.description))
    #expect(
      table.suggestion == """
        override class var fields: FieldTable {
          FieldTable(Bare.self) { f in
            f(\\.pages, "pages")
            f.ignore("note")  // Note? is not a JSONValue
            f.ignore("window")  // Window is not a JSONValue
          }
        }
        """)
  }

  @Test func `a struct without rows gets a suggested table`() {
    struct Size: ItemValue {
      var width = 0
      var names: [String] = []
      static var fields: FieldTable { FieldTable() }
    }
    #expect(
      FieldTable.Inspection(of: Size.self).suggestion == """
        static var fields: FieldTable {
          FieldTable(Size.self) { f in
            f(\\.width, "width")
            f(\\.names, "names")
          }
        }
        """)
  }

  @Test func `an invalid date format is a problem of the table`() {
    struct Day: ItemValue {
      var day: Date?
      static var fields: FieldTable {
        FieldTable(Day.self) { f in f(\.day, "day", .date(.pattern("yyyy-QQ"))) }
      }
    }
    let problems = FieldTable.Inspection(of: Day.self).problems.map(\.description)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("day: the date pattern \"yyyy-QQ\"") == true)
  }
}
