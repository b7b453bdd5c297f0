import Testing

@testable import ItemMapping

@Suite struct ItemPlanRaceTests {
  // Only used here, so that their plans are made here.
  class Base: BaseItem {
    var id = 0
    final var kin: [Kin] = []
    override class var fields: FieldTable {
      FieldTable(Base.self) { f in
        f(\.id, "id", .required)
        f(\.kin, "kin")
      }
    }
    override class var variants: FieldTable.Variants? {
      FieldTable.Variants(key: "t", ["kin": Kin.self], else: Base.self)
    }
  }

  final class Kin: Base {
    var name = ""
    var value: Value?
    override class var fields: FieldTable {
      FieldTable(Kin.self) { f in
        f(\.name, "name", "title", .interned)
        f(\.value, "value")
      }
    }
  }

  struct Value: ItemValue {
    var amount = 0
    static var fields: FieldTable {
      FieldTable(Value.self) { f in f(\.amount, "amount") }
    }
  }

  static let text = """
    [{"id":1,"kin":[{"t":"kin","id":2,"title":"a name that is long","value":{"amount":"3"}}]},
     {"t":"kin","id":4,"name":"another name that is long"},{"name":"without"}]
    """

  @Test func `many tasks may be the first to use a type`() async throws {
    let document = try JSONDocument(Self.text)
    let texts = await withTaskGroup(of: String.self, returning: Set<String>.self) { group in
      for _ in 0..<64 {
        group.addTask {
          do throws(MappingError) {
            let mapped = try ItemMapper().items(
              Base.self, in: document)
            let copies = mapped.value.map { $0.copied() }
            return "\(copies) \(mapped.report)"
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("amount") == true)
    #expect(texts.first?.contains("$[2]['id']") == true)
  }

  final class Fresh: BaseItem {
    var a = 0
    var b = ""
    var price: Price?
    override class var fields: FieldTable {
      FieldTable(Fresh.self) { f in
        f(\.a, "a")
        f(\.b, "b")
        f(\.price, "price")
      }
    }
  }

  @Test func `plans with and without direct stores are used at the same time`() async throws {
    let document = try JSONDocument(#"{"a":1,"b":"two","price":{"amount":3}}"#)
    let texts = await withTaskGroup(of: String.self, returning: Set<String>.self) { group in
      for number in 0..<64 {
        group.addTask {
          var mapper = ItemMapper()
          mapper.storesDirectly = number.isMultiple(of: 4)
          do throws(MappingError) {
            return "\(try mapper.item(Fresh.self, in: document).value)"
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(texts == [#"Fresh(a: 1, b: "two", price: {"amount":3,"currency":"EUR"})"#])
  }
}
