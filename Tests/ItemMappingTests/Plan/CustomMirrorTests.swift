import Testing

@testable import ItemMapping

/// Items with a custom mirror for debuggers and test reports.
@Suite struct CustomMirrorTests {
  class Labelled: BaseItem, CustomReflectable {
    final var id = 0
    var name = ""
    var customMirror: Mirror { Mirror(self, children: ["label": "#\(id)"]) }

    override class var fields: FieldTable {
      FieldTable(Labelled.self) { f in
        f(\.id)
        f(\.name, "name")
      }
    }
  }

  /// Reads a property of the superclass from another path.
  class Boxed: Labelled {
    final var size = 0
    var weight = 0.5

    override class var fields: FieldTable {
      FieldTable(Boxed.self) { f in
        f(\.size)
        f(\.weight, "weight")
        f(\.id, "box.id")
        f(\.name, "box.name")
      }
    }
  }

  /// Shows only the superclass in its mirror.
  final class Hiding: Boxed {
    private final var note = ""
    final var id2 = 0
    final var shown: String { note }
    override var customMirror: Mirror { Mirror(reflecting: 0) }

    override class var fields: FieldTable {
      FieldTable(Hiding.self) { f in
        f(\.note, "note")
        f.ignore("id2")
      }
    }
  }

  struct Amount: ItemValue, CustomReflectable {
    var value = 0
    var customMirror: Mirror { Mirror(self, children: ["text": "\(value)"]) }
    static var fields: FieldTable { FieldTable(Amount.self) { f in f(\.value) } }
  }

  @Test func `the tables of all classes are used, whatever their mirrors show`() throws {
    let boxed = try read(
      Boxed.self, #"{"size":1,"weight":2.5,"id":3,"name":"x","box":{"id":4,"name":"y"}}"#
    ).value
    #expect(boxed.size == 1)
    #expect(boxed.weight == 2.5)
    #expect(boxed.id == 4)
    #expect(boxed.name == "y")
    let hiding = try read(Hiding.self, #"{"size":1,"box":{"id":4},"note":"n"}"#).value
    #expect(hiding.size == 1)
    #expect(hiding.id == 4)
    #expect(hiding.shown == "n")
    #expect(try read(Labelled.self, #"{"id":5,"name":"z"}"#).value.name == "z")
    #expect(try read(Amount.self, #"{"value":6}"#).value.value == 6)
  }

  final class Shelf: BaseItem {
    final var things: [Labelled] = []
    override class var fields: FieldTable {
      FieldTable(Shelf.self) { f in
        f(\.things, "things", .variants(key: "t", ["hiding": Hiding.self], else: Labelled.self))
      }
    }
  }

  @Test func `a subclass with a custom mirror can replace its superclass`() throws {
    let mapped = try read(Shelf.self, #"{"things":[{"t":"hiding","note":"n"},{"id":1}]}"#)
    #expect(mapped.report.isClean)
    #expect(mapped.value.things.map { type(of: $0) == Hiding.self } == [true, false])
  }

  @Test func `a table that can't be checked is reported`() {
    let text =
      "is CustomReflectable, so its table can't be checked; make sure that each property is mapped"
      + " or ignored"
    #expect(PlanProblems.of(Labelled.self) == ["Labelled \(text)"])
    #expect(PlanProblems.of(Hiding.self) == ["Hiding \(text)"])
    #expect(
      FieldTable.Inspection(of: Amount.self).problems.map(\.description) == ["Amount \(text)"])
  }

  class Letter: BaseItem, CustomReflectable {
    private final var note = ""
    final var outer: String { note }
    var customMirror: Mirror { Mirror(self, children: []) }
    override class var fields: FieldTable {
      FieldTable(Letter.self) { f in f(\.note, "outer") }
    }
  }

  final class Registered: Letter {
    private final var note = ""
    final var inner: String { note }
    override class var fields: FieldTable {
      FieldTable(Registered.self) { f in f(\.note, "inner") }
    }
  }

  @Test func `properties with the same name are distinguished when one can't be seen`() throws {
    let item = try read(Registered.self, #"{"outer":"a","inner":"b"}"#).value
    #expect([item.outer, item.inner] == ["a", "b"])
  }
}
