import Testing

@testable import ItemMapping

@Suite struct PropertyNameTests {
  enum Cover: String, JSONValue { case soft, hard }

  /// A class that may have subclasses, whose key paths don't tell names.
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

  @Test func `a property that no value can be made up for is known by its type`() {
    let table = TableInspection(of: Edition.self)
    #expect(table.problems == [])
    #expect(table.fields.map(\.name) == ["cover", "covers", "byCountry"])
    #expect(table.fields.map(\.type) == ["Cover?", "[Cover]", "[String: Cover]"])
  }
}
