import QuireTesting
import Testing

@testable import ItemMapping

/// The texts of values that follow each other.
struct JSONTextWalkTests {
  /// Returns the texts of values by a walk over all of them.
  private func texts(_ views: [JSONView]) -> [String] {
    guard let document = views.first?.document else { return [] }
    var walk = JSONTextWalk(document)
    return withExtendedLifetime(document) {
      views.map { String(decoding: walk.unsafeText(of: $0), as: UTF8.self) }
    }
  }

  private func value(_ depth: Int, _ generator: inout SeededGenerator) -> String {
    let space = ["", "", "", " ", "\n\t"].randomElement(using: &generator) ?? ""
    let count = Int.random(in: 0...4, using: &generator)
    switch Int.random(in: depth > 3 ? 3...8 : 0...8, using: &generator) {
    case 0, 1:
      let members = (0..<count).map { "\"a\($0)\\\"{\":" + space + value(depth + 1, &generator) }
      return "{" + space + members.joined(separator: "," + space) + "}"
    case 2:
      let elements = (0..<count).map { _ in value(depth + 1, &generator) }
      return "[" + elements.joined(separator: space + ",") + space + "]"
    case 3: return "\"[,\\u00e9:]}\(count)\""
    case 4: return "-\(count).5e1"
    case 5: return "\(count)"
    case 6: return ["true", "false", "null"].randomElement(using: &generator) ?? ""
    case 7: return "18446744073709551615"
    default: return "1e999"
    }
  }

  @Test func `elements have the texts that they have one by one`() throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 50_000)) {
      var generator = seeded
      let rows = (0..<Int.random(in: 0...12, using: &generator)).map { _ in value(0, &generator) }
      let list = "[" + rows.joined(separator: ",") + "]"
      let prefix = value(0, &generator)
      let text = "{\"first\":\(prefix),\"list\":\(list),\"last\":[{}]}"
      let root = try JSONDocument(text).root
      let views = root["list"].map { Array($0.elements) } ?? []
      #expect(texts(views) == rows)
      // Also those of some rows, in any order, and those of another array after them.
      let some = views.filter { _ in Bool.random(using: &generator) }
      #expect(texts(some) == some.map(\.text))
      let others =
        some.shuffled(using: &generator) + (root["last"].map { Array($0.elements) } ?? [])
      #expect(texts(others) == others.map(\.text))
    }
  }

  @Test func `containers anywhere in a document have their texts in any order`() throws {
    func containers(in view: JSONView) -> [JSONView] {
      let children = Array(view.elements) + view.members.map(\.value)
      let isContainer = view.kind == .array || view.kind == .object
      return (isContainer ? [view] : []) + children.flatMap(containers)
    }
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 50_000)) {
      var generator = seeded
      let text = "{\"a\":[{}],\"b\":[[1],2],\"c\":\(value(0, &generator))}"
      let views = containers(in: try JSONDocument(text).root)
      let inOrder = views.filter { _ in Bool.random(using: &generator) }
      for some in [views, inOrder, views.shuffled(using: &generator)] {
        #expect(texts(some) == some.map(\.text))
      }
    }
    let root = try JSONDocument("{\"a\":[{}],\"b\":[[1],2]}").root
    #expect(texts([root["a"]?[0], root["b"]].compactMap(\.self)) == ["{}", "[[1],2]"])
  }

  @Test func `containers with more children than the parser counts have their texts`() throws {
    let numbers = [String](repeating: "7", count: 0xFF_FFFF + 2).joined(separator: ",")
    let root = try JSONDocument("[{\"a\":[\(numbers)]},{\"b\":1}]").root
    let found = texts(Array(root.elements))
    #expect(found.last == "{\"b\":1}" && found.first?.utf8.count == numbers.utf8.count + 8)
  }
}
