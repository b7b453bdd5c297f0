import Testing

@testable import ItemMapping

/// The maximum depth of decoding, for each way in which a type decodes nested values.
struct DecodingDepthTests {
  /// The common requirements of the ways to nest values.
  protocol Chain: Decodable {
    static var open: String { get }
    static var close: String { get }
    /// The number of levels that each value takes.
    static var cost: Int { get }
    var next: Self? { get }
  }

  /// As the compiler synthesizes it.
  final class Member: Chain {
    static var open: String { "{\"n\":" }
    static var close: String { "}" }
    static var cost: Int { 1 }
    let n: Member?
    var next: Member? { n }
  }

  struct Element: Chain {
    static var open: String { "{\"n\":[" }
    static var close: String { "]}" }
    static var cost: Int { 2 }
    let n: [Element]?
    var next: Element? { n?.first }
  }

  struct Named: Chain {
    static var open: String { "{\"n\":{\"x\":" }
    static var close: String { "}}" }
    static var cost: Int { 2 }
    let n: [String: Named]?
    var next: Named? { n?["x"] }
  }

  final class Unkeyed: Chain {
    static var open: String { "[" }
    static var close: String { "]" }
    static var cost: Int { 1 }
    let next: Unkeyed?

    init(from decoder: any Decoder) throws {
      var list = try? decoder.unkeyedContainer()
      next = try list?.decode(Unkeyed.self)
    }
  }

  final class Super: Chain {
    static var open: String { "{\"n\":" }
    static var close: String { "}" }
    static var cost: Int { 1 }
    let next: Super?

    init(from decoder: any Decoder) throws {
      let members = try? decoder.container(keyedBy: TapeKey.self)
      next = try (members?.superDecoder(forKey: TapeKey(stringValue: "n"))).map(Super.init)
    }
  }

  /// Opens nested containers without decoding values in between.
  final class Nested: Chain {
    static var open: String { "{\"n\":" }
    static var close: String { "}" }
    static var cost: Int { 1 }
    let next: Nested?

    convenience init(from decoder: any Decoder) throws {
      try self.init(try? decoder.container(keyedBy: TapeKey.self))
    }

    init(_ members: KeyedDecodingContainer<TapeKey>?) throws {
      let key = TapeKey(stringValue: "n")
      guard let members, members.contains(key) else {
        next = nil
        return
      }
      if (try? members.decode(Int.self, forKey: key)) != nil {
        next = try Nested(nil)
      } else {
        next = try Nested(members.nestedContainer(keyedBy: TapeKey.self, forKey: key))
      }
    }
  }

  static var kinds: [any Chain.Type] {
    [
      Member.self, Element.self, Named.self, Unkeyed.self, Super.self, Nested.self,
    ]
  }

  static func text(_ type: any Chain.Type, _ levels: Int, _ end: String) -> String {
    String(repeating: type.open, count: levels) + end + String(repeating: type.close, count: levels)
  }

  private static func decode<Value: Chain>(_ type: Value.Type, _ levels: Int) throws -> Int {
    let end = levels == 0 || type == Unkeyed.self || type == Super.self ? "0" : "{}"
    let chain = try ItemDecoder().decode(
      Value.self, from: text(type, levels, type == Nested.self ? "1" : end).utf8)
    return Array(sequence(first: chain) { $0.next }).count - 1
  }

  @Test(arguments: kinds.indices) func `values are decoded up to 192 deep`(kind: Int) throws {
    let type = Self.kinds[kind]
    let levels = 191 / type.cost
    #expect(try Self.decode(type, levels) == levels)
  }

  @Test(arguments: kinds.indices)
  func `deeper values are rejected with their path`(kind: Int) throws {
    let type = Self.kinds[kind]
    for levels in [200, 450] {
      let error = #expect(throws: DecodingError.self) { try Self.decode(type, levels) }
      guard case .dataCorrupted(let context) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(context.codingPath.count == 192)
      #expect(context.debugDescription.contains("nested in 192 others"))
    }
  }

  @Test func `the depth of a separate list counts from its elements`() throws {
    let element = Self.text(Member.self, 180, "{}")
    let text = String(repeating: "[", count: 100) + element + String(repeating: "]", count: 100)
    let document = try JSONDocument(text)
    let path = JSONPath(Array(repeating: .index(0), count: 99))
    let mapped = try ItemMapper().items(Member.self, in: document, at: path, decoder: ItemDecoder())
    #expect(mapped.value.count == 1)
    #expect(mapped.report.isClean)
  }
}
