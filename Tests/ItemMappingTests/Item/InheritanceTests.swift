import Testing

@testable import ItemMapping

@Suite struct InheritanceTests {
  class Thing: BaseItem {
    final var id = 0
    final private(set) var owner = "nobody"

    override class var fields: FieldTable {
      FieldTable(Thing.self) { f in
        f(\.id, "id", .required)
        f(\.owner, "owner")
      }
    }
  }

  class Vehicle: Thing {
    var wheels = 0
    private(set) var plate: String?

    override class var fields: FieldTable {
      FieldTable(Vehicle.self) { f in
        f(\.wheels, "wheels")
        f(\.plate, "plate")
      }
    }
  }

  /// Adds nothing of its own.
  class Van: Vehicle {}

  /// Reads the number and the owner from other paths.
  final class Camper: Van {
    var beds = 0

    override class var fields: FieldTable {
      FieldTable(Camper.self) { f in
        f(\.id, "camper.number", .required)
        f(\.wheels, "camper.wheels")
        f(\.beds, "camper.beds")
      }
    }
  }

  /// Has stored properties, but no table of its own.
  final class Trailer: Thing {
    override class var fields: FieldTable {
      FieldTable(Trailer.self) { f in f.ignore("hitch") }
    }
    var hitch = "ball"
  }

  @Test func `a chain of classes is filled from all of their tables`() throws {
    let van = try read(Van.self, #"{"plate":"Q 1","wheels":4,"owner":"Ann","id":7}"#).value
    #expect(type(of: van) == Van.self)
    #expect(van.id == 7)
    #expect(van.owner == "Ann")
    #expect(van.wheels == 4)
    #expect(van.plate == "Q 1")
  }

  @Test func `the properties of superclasses come first`() {
    #expect(ItemPlan.of(Van.self).fields.map(\.name) == ["id", "owner", "wheels", "plate"])
    #expect(
      ItemPlan.of(Camper.self).fields.map(\.name) == ["id", "owner", "wheels", "plate", "beds"])
  }

  @Test func `a subclass can read an inherited property from another path`() throws {
    let camper = try read(
      Camper.self,
      #"{"id":1,"wheels":2,"camper":{"number":9,"wheels":4,"beds":3},"plate":"X"}"#
    ).value
    #expect(camper.id == 9)
    #expect(camper.wheels == 4)
    #expect(camper.beds == 3)
    #expect(camper.plate == "X")
    // The superclass still reads them from its own paths.
    #expect(try read(Van.self, #"{"id":1,"wheels":2,"camper":{"number":9}}"#).value.id == 1)
  }

  @Test func `a rule of an inherited property is replaced together with its path`() {
    #expect(
      outcome(Camper.self, #"{"id":1}"#)
        == Outcome(
          "unusable", "$['camper']['number']: Camper.id expects Int, found nothing (dropped)"))
  }

  @Test func `a class without rows uses those of its superclass`() throws {
    let trailer = try read(Trailer.self, #"{"id":3,"hitch":"hook"}"#).value
    #expect(trailer.id == 3)
    #expect(trailer.hitch == "ball")
    #expect(ItemPlan.of(Trailer.self).problems == [])
  }

  @Test func `a list of a class has items of that class and not of its superclass`() throws {
    let vans = try ItemMapper().items(Van.self, in: JSONDocument(#"[{"id":1},{"id":2}]"#)).value
    #expect(vans.allSatisfy { type(of: $0) == Van.self })
  }

  @Test func `items of different classes are never equal`() throws {
    let van: Thing = try read(Van.self, #"{"id":1}"#).value
    let vehicle: Thing = try read(Vehicle.self, #"{"id":1}"#).value
    #expect(van != vehicle)
    #expect(try van == read(Van.self, #"{"id":1}"#).value)
  }
}
