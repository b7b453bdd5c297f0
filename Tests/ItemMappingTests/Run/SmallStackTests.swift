import Foundation
import Testing

@testable import ItemMapping

/// Documents control the nesting of values, and secondary threads have 512 KB of stack on Apple's
/// systems. The measurements are of the build that the tests use: without optimization, everything
/// takes two to three times as much stack.
@Suite(.disabled(if: ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] == "1"))
struct SmallStackTests {
  /// An item at a path of three names, one of two candidates, with properties that are not final.
  class Wide: BaseItem {
    var depth = 0
    var children: [Wide]?
    override class var fields: FieldTable {
      FieldTable(Wide.self) { f in
        f(\.depth, "d")
        f(\.children, "a.b.c", "other")
      }
    }
  }

  /// An operation on deep values.
  private typealias Work = (name: String, body: () throws -> Void)

  private static var work: [Work] {
    decoding + items(DeepItemTests.Node.self, "\"n\":", "")
      + items(DeepItemTests.Tree.self, "\"c\":[", "]")
      + items(DeepItemTests.Tree.self, "\"m\":{\"x\":", "}")
      + items(DeepItemTests.Ping.self, "\"n\":", "")
      + items(DeepItemTests.Leaf.self, "\"c\":[", "]")
      + items(Wide.self, "\"a\":{\"b\":{\"c\":[", "]}}") + anything + queries
  }

  private static var decoding: [Work] {
    DecodingDepthTests.kinds.map { type in
      ("decode \(type)", { try decode(type) })
    }
  }

  private static func decode<Value: DecodingDepthTests.Chain>(_ type: Value.Type) throws {
    for levels in [191 / type.cost, 500] {
      let text = DecodingDepthTests.text(
        type, levels, type == DecodingDepthTests.Nested.self ? "1" : "{}")
      for strategy in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
        var decoder = ItemDecoder()
        decoder.keyStrategy = strategy
        _ = try? decoder.decode(type, from: text.utf8)
      }
    }
  }

  private static func items<Item: JSONValue>(
    _ type: Item.Type, _ open: String, _ close: String
  ) -> [Work] {
    let text = DeepItemTests.nested(100, open, close)
    func read() throws -> (JSONDocument, Item) {
      let document = try JSONDocument(text)
      return (document, try ItemMapper().item(type, in: document).value)
    }
    return [
      ("read \(type) \(open)", { _ = try read() }),
      (
        "use \(type) \(open)",
        {
          let (_, item) = try read()
          let copy = item.copied()
          #expect(copy.isSame(as: item))
          #expect(copy.write(as: JSONAny.Style(date: .rfc3339, purpose: .writing)) != nil)
          _ = "\(copy)"
        }
      ),
      (
        "update \(type) \(open)",
        {
          let (document, item) = try read()
          var run = ItemMapper.Run(document, ItemMapper(), isUpdate: true)
          #expect(Item.updated(item, from: run.place(JSONTape.root), in: &run) != nil)
        }
      ),
    ]
  }

  private static let deepest =
    String(repeating: #"{"a":["#, count: 512) + "1"
    + String(repeating: "]}", count: 512)

  private static var anything: [Work] {
    [
      (
        "JSONAny",
        {
          let (value, other) = (try JSONAny(parsing: deepest), try JSONAny(parsing: deepest))
          #expect(value == other)
          #expect(value.hashValue == other.hashValue)
          #expect(value.description == deepest)
          #expect(value.text(isPretty: true).count > deepest.count)
        }
      )
    ]
  }

  private static var queries: [Work] {
    [
      (
        "compare in a query",
        {
          let document = try JSONDocument(
            "[{\"a\":[\(deepest.dropFirst(12).dropLast(4))],\"b\":[\(deepest.dropFirst(12).dropLast(4))]}]"
          )
          #expect(try document.root.query("$[?@.a == @.b]").count == 1)
        }
      ),
      (
        "parentheses in a query",
        {
          _ = try JSONQuery(
            "$[?" + String(repeating: "(", count: 49) + "@.a" + String(repeating: ")", count: 49)
              + "]")
        }
      ),
      (
        "filters in a query",
        {
          let nested = (1..<49).reduce("@") { inner, _ in "@[?\(inner)]" }
          let document = try JSONDocument(
            String(repeating: "[", count: 60) + "1" + String(repeating: "]", count: 60))
          #expect(try document.root.query("$[?\(nested)]").count == 1)
        }
      ),
      (
        "groups in a pattern",
        {
          let pattern = String(repeating: "(", count: 99) + "a" + String(repeating: ")*", count: 99)
          #expect(IRegexp(pattern) != nil)
        }
      ),
    ]
  }

  @Test(arguments: work.indices) func `deep values leave a quarter of a small stack`(_ index: Int) {
    let (name, body) = Self.work[index]
    // Work that is done only once, such as making a plan, is not measured.
    #expect(throws: Never.self) { try body() }
    let used = StackUse.measure { try? body() }
    #expect(used < StackUse.allowed, "\(name): \(used / 1024) KB")
  }

  @Test func `deep values are read and used on a thread with 512 KB of stack`() async {
    await #expect(processExitsWith: .success) {
      _ = StackUse.measure(stack: StackUse.secondaryThread) {
        for (_, body) in SmallStackTests.work { try? body() }
      }
    }
  }
}
