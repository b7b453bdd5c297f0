import CPeer
import Quire

/// One way from the bytes of a document to values.
struct MappingRoute: Sendable {
  let name: String
  let run: @Sendable (_ times: Int) throws -> Void
  /// What the values come to; `nil` where none are made.
  let checksum: @Sendable () throws -> Int?

  /// Makes values and keeps them until the next ones are made, as a screen does, so that letting go
  /// of a page is part of what is measured. The last ones are let go too: nobody finds the memory in
  /// pieces that another left behind.
  init<Item: MappingItem>(_ name: String, _ make: @escaping @Sendable () throws -> [Item]) {
    let shelf = Shelf<Item>()
    self.name = name
    run = { times in
      for _ in 0..<times { shelf.items = try make() }
      shelf.items = []
    }
    checksum = { try make().reduce(0) { $0 &* 31 &+ $1.checksum } }
  }

  /// Only reads the text.
  init(parsing name: String, _ run: @escaping @Sendable (_ times: Int) throws -> Void) {
    self.name = name
    self.run = run
    checksum = { nil }
  }

  /// Does the same with the parser in plain C.
  init(portable route: MappingRoute) {
    name = route.name + ", portable parser"
    run = { times in
      csimdjson_prefer_portable(true)
      defer { csimdjson_prefer_portable(false) }
      try route.run(times)
    }
    checksum = {
      csimdjson_prefer_portable(true)
      defer { csimdjson_prefer_portable(false) }
      return try route.checksum()
    }
  }
}

extension MappingRoute {
  /// Where pages have their rows.
  static let list: JSONPath = ["data", "list"]

  /// With the report switched on, as it always is. A page that is reported to be at fault is one that
  /// was not mapped.
  static func mapper<Item: MappingItem & JSONValue>(
    _ text: MappingText, _ item: Item.Type
  ) -> MappingRoute {
    let mapper = ItemMapper()
    return MappingRoute(item is BaseItem.Type ? "BaseItem" : "ItemValue") {
      let mapped = try mapper.items(Item.self, in: text.document(), at: list)
      guard mapped.report.isClean else { throw BenchmarkError("\(mapped.report)") }
      return mapped.value
    }
  }

  static func decoder<Item: MappingItem & Decodable>(
    _ text: MappingText, _ item: Item.Type
  ) -> MappingRoute {
    let decoder = ItemDecoder()
    return MappingRoute("ItemDecoder") {
      guard let list = try text.document().root[list] else {
        throw BenchmarkError("there is no list")
      }
      return try decoder.decode([Item].self, from: list)
    }
  }
}

/// `@unchecked Sendable` holds because the routes run one after another.
private final class Shelf<Item>: @unchecked Sendable {
  var items: [Item] = []
}

/// Something whose every field counts, so that ways that make the same values can be told from such
/// that don't.
protocol MappingItem: SendableMetatype {
  var checksum: Int { get }
}

/// Adds up fields.
struct Checksum {
  private(set) var value = 0

  mutating func add(_ number: Int) { value = value &* 31 &+ number }
  mutating func add(_ number: Double) { add(Int(truncatingIfNeeded: number.bitPattern)) }
  mutating func add(_ flag: Bool) { add(flag ? 1 : 2) }
  mutating func add(_ text: String) { for byte in text.utf8 { add(Int(byte)) } }
}
