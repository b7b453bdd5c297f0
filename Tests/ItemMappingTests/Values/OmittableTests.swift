import Testing

@testable import ItemMapping

@Suite struct OmittableTests {
  final class Change: BaseItem {
    var number = Omittable<Int>.missing
    var writer = Omittable<Writer>.missing
    var list = Omittable<[Int]>.missing
    var preset = Omittable<String>.value("preset")
    var option: Omittable<Int>?

    override class var fields: FieldTable {
      FieldTable(Change.self) { f in
        f(\.number, "number")
        f(\.writer, "writer")
        f(\.list, "list")
        f(\.preset, "preset")
        f(\.option, "option")
      }
    }
  }

  static let texts = [
    #"{"preset":"preset"}"#,
    #"{"number":null,"writer":null,"list":null,"preset":null}"#,
    #"{"number":1,"writer":{"name":"A","born":2},"list":[1,2],"preset":"x"}"#,
    #"{"list":[],"preset":"preset"}"#,
  ]

  @Test(arguments: texts)
  func `missing, null and a value are read and written as they are`(_ text: String) throws {
    let mapped = try read(Change.self, text)
    #expect(mapped.report.isClean)
    #expect(mapped.value.jsonObject.text() == text)
  }

  @Test func `the three can be distinguished`() throws {
    #expect(try read(Change.self, "{}").value.number == .missing)
    #expect(try read(Change.self, #"{"number":null}"#).value.number == .null)
    #expect(try read(Change.self, #"{"number":1}"#).value.number == .value(1))
    let (missing, null) = (Change(), Change())
    null.number = .null
    #expect(missing != null)
  }

  @Test func `a value that can't be read is reported and changes nothing`() throws {
    let mapped = try read(Change.self, #"{"number":"x","preset":[]}"#)
    #expect(mapped.value.number == .missing)
    #expect(mapped.value.preset == .value("preset"))
    #expect(mapped.report.count(.kept) == 2)
  }

  @Test func `an item within a patch is copied`() throws {
    let change = try read(Change.self, #"{"writer":{"name":"A"}}"#).value
    let copy = change.copied()
    #expect(copy == change)
    #expect(copy.writer.value !== change.writer.value)
  }

  @Test func `patches are compared by their values and not by their JSON`() {
    final class Limit: BaseItem {
      var most = Omittable<Double>.missing
      override class var fields: FieldTable {
        FieldTable(Limit.self) { f in f(\.most, "most") }
      }
    }
    let (limited, unlimited) = (Limit(), Limit())
    limited.most = .null
    unlimited.most = .value(.infinity)
    #expect(limited != unlimited)
  }
}
