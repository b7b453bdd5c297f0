import Testing

@testable import ItemMapping

@Suite struct ValueShapeTests {
  /// Has the memory layout of a number.
  struct Twice: JSONValue, Equatable {
    var value = 0
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Twice? {
      Int.read(place, in: &run).map { Twice(value: 2 * $0) }
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .int(value) }
  }

  /// Has the memory layout of an item.
  struct Signed: JSONValue {
    var writer = Writer()
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Signed? {
      guard let writer = Writer.read(place, in: &run) else { return nil }
      writer.name += "!"
      return Signed(writer: writer)
    }
    func write(as style: JSONAny.Style) -> JSONAny? { writer.write(as: style) }
  }

  /// Has the memory layout of a number, and a value for `null`.
  struct Count: JSONValue, NullConvertible {
    var value = 7
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Count? {
      Int?.read(place, in: &run).map { Count(value: $0 ?? -1) }
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .int(value) }
  }

  final class Borrower: BaseItem {
    final var twice = Twice()
    final var option: Twice?
    final var signed = Signed()
    final var all: [Signed] = []
    final var count = Count()

    override class var fields: FieldTable {
      FieldTable(Borrower.self) { f in
        f(\.twice)
        f(\.option)
        f(\.signed)
        f(\.all)
        f(\.count)
      }
    }
  }

  @Test func `an integer is stored as eight bytes only if it has eight`() {
    func isStored<I: FixedWidthInteger>(_ type: I.Type) -> Bool {
      if case .int = ValueShape.Kind.integer(type) { true } else { false }
    }
    #expect(isStored(Int64.self))
    #expect(isStored(Int.self) == (Int.bitWidth == 64))
    // What `Int` is on a system with words of four bytes.
    #expect(!isStored(Int32.self))
  }

  @Test func `a type with the layout of another one is read by its own code`() throws {
    let item = try read(
      Borrower.self,
      """
      {"twice":4,"option":5,"signed":{"name":"A"},"all":[{"name":"B"},{"name":"C"}],"count":null}
      """
    ).value
    #expect(item.twice.value == 8)
    #expect(item.option?.value == 10)
    #expect(item.signed.writer.name == "A!")
    #expect(item.all.map(\.writer.name) == ["B!", "C!"])
    #expect(item.count.value == -1)
  }

  @Test func `a list of such a type is read by its own code`() throws {
    let list = try ItemMapper().items(
      Signed.self, in: JSONDocument(#"[{"name":"A"},{"name":"B"}]"#))
    #expect(list.value.map(\.writer.name) == ["A!", "B!"])
    #expect(try read([Signed].self, #"[{"name":"A"}]"#).value.map(\.writer.name) == ["A!"])
  }
}
