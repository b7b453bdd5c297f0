import Testing

@testable import ItemMapping

/// Private properties of a class and its subclass are independent, and may have the same name.
@Suite struct SameNameTests {
  class Letter: BaseItem {
    private final var note = "none"
    private var mark = 0
    final var outerNote: String { note }
    final var outerMark: Int { mark }

    override class var fields: FieldTable {
      FieldTable(Letter.self) { f in
        f(\.note, "outer.note")
        f(\.mark, "outer.mark")
      }
    }
  }

  class Registered: Letter {
    private final var note = "none"
    private var mark = 0
    final var innerNote: String { note }
    final var innerMark: Int { mark }

    override class var fields: FieldTable {
      FieldTable(Registered.self) { f in
        f(\.note, "inner.note")
        f(\.mark, "inner.mark")
      }
    }
  }

  @Test func `each of two properties with one name is filled`() throws {
    let item = try read(
      Registered.self,
      #"{"outer":{"note":"a","mark":1},"inner":{"note":"b","mark":2}}"#
    ).value
    #expect([item.outerNote, item.innerNote] == ["a", "b"])
    #expect([item.outerMark, item.innerMark] == [1, 2])
    #expect(FieldTable.Inspection(of: Registered.self).fields.count == 4)
    #expect(PlanProblems.of(Registered.self) == [])
  }

  final class Forgetful: Letter {
    private final var note = "none"
    override class var fields: FieldTable { FieldTable(Forgetful.self) { _ in } }
  }

  final class Ignoring: Letter {
    private final var note = "none"
    override class var fields: FieldTable {
      FieldTable(Ignoring.self) { f in f.ignore("note") }
    }
  }

  @Test func `a row maps only the property of its own class`() {
    #expect(
      PlanProblems.of(Forgetful.self) == [
        "note: not mapped; add f(\\.note, \"…\") or f.ignore(\"note\")"
      ])
    #expect(PlanProblems.of(Ignoring.self) == [])
  }
}
