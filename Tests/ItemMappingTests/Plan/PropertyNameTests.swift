import Testing

@testable import ItemMapping

@Suite struct PropertyNameTests {
  enum Cover: String, JSONValue { case soft, hard }

  /// A class that can be subclassed, whose key paths don't contain names.
  class Edition: BaseItem {
    var cover: Cover?
    var covers: [Cover] = []
    var byCountry: [String: Cover] = [:]

    override class var fields: FieldTable {
      FieldTable(Edition.self) { f in
        f(\.cover)
        f(\.covers)
        f(\.byCountry)
      }
    }
  }

  @Test func `a property without a probe value is found by its type`() {
    let table = FieldTable.Inspection(of: Edition.self)
    #expect(table.problems == [])
    #expect(table.fields.map(\.name) == ["cover", "covers", "byCountry"])
    #expect(table.fields.map(\.type) == ["Cover?", "[Cover]", "[String: Cover]"])
  }
}
