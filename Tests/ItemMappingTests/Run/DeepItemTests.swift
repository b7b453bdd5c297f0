import Testing

@testable import ItemMapping

@Suite struct DeepItemTests {
  final class Node: BaseItem {
    var depth = 0
    var next: Node?
    override class var fields: FieldTable {
      FieldTable(Node.self) { f in
        f(\.depth, "d")
        f(\.next, "n")
      }
    }
  }

  class Tree: BaseItem {
    var depth = 0
    var children: [Tree] = []
    var byName: [String: Tree]?
    override class var fields: FieldTable {
      FieldTable(Tree.self) { f in
        f(\.depth, "d")
        f(\.children, "c", "other")
        f(\.byName, "m")
      }
    }
  }

  struct Leaf: ItemValue {
    var depth = 0
    var leaves: [Leaf] = []
    static var fields: FieldTable {
      FieldTable(Leaf.self) { f in
        f(\.depth, "d")
        f(\.leaves, "c")
      }
    }
  }

  final class Ping: BaseItem {
    var depth = 0
    var pong: Pong?
    override class var fields: FieldTable {
      FieldTable(Ping.self) { f in
        f(\.depth, "d")
        f(\.pong, "n")
      }
    }
  }

  final class Pong: BaseItem {
    var depth = 0
    var pings: [Ping] = []
    override class var fields: FieldTable {
      FieldTable(Pong.self) { f in
        f(\.depth, "d")
        f(\.pings, "n", .single)
      }
    }
  }

  static func nested(_ levels: Int, _ open: String, _ close: String) -> String {
    (0..<levels).map { "{\"d\":\($0),\(open)" }.joined()
      + "{\"d\":\(levels)}" + String(repeating: close + "}", count: levels)
  }

  @Test(arguments: [1, 2, 63]) func `an item that contains itself`(_ levels: Int) throws {
    let node = try read(Node.self, Self.nested(levels, "\"n\":", "")).value
    let chain = Array(sequence(first: node) { $0.next })
    #expect(chain.map(\.depth) == Array(0...levels))
    // Deep items can also be copied, written and compared.
    let copy = node.copied()
    #expect(copy == node)
    #expect(copy.debugDescription == node.debugDescription)
    copy.next?.depth = -1
    #expect(copy != node)
  }

  @Test(arguments: [1, 63]) func `an item with a list of its kind`(_ levels: Int) throws {
    let tree = try read(Tree.self, Self.nested(levels, "\"c\":[", "]")).value
    #expect(Array(sequence(first: tree) { $0.children.first }).map(\.depth) == Array(0...levels))
    let map = try read(Tree.self, Self.nested(levels, "\"m\":{\"x\":", "}")).value
    #expect(Array(sequence(first: map) { $0.byName?["x"] }).map(\.depth) == Array(0...levels))
  }

  @Test(arguments: [1, 63]) func `a struct with a list of its kind`(_ levels: Int) throws {
    let leaf = try read(Leaf.self, Self.nested(levels, "\"c\":[", "]")).value
    #expect(Array(sequence(first: leaf) { $0.leaves.first }).map(\.depth) == Array(0...levels))
  }

  @Test(arguments: [1, 63]) func `two types that contain each other`(_ levels: Int) throws {
    let ping = try read(Ping.self, Self.nested(levels, "\"n\":", "")).value
    var depths: [Int] = []
    var next: Ping? = ping
    while let ping = next {
      depths.append(ping.depth)
      if let pong = ping.pong { depths.append(pong.depth) }
      next = ping.pong?.pings.first
    }
    #expect(depths == Array(0...levels))
  }

  /// The server controls the nesting, and every stack is limited.
  @Test(arguments: [64, 500]) func `items nested in 64 others are dropped and reported`(
    _ levels: Int
  ) throws {
    let mapped = try read(Node.self, Self.nested(levels, "\"n\":", ""))
    #expect(Array(sequence(first: mapped.value) { $0.next }).count == 64)
    #expect(mapped.report.groups.count == 1)
    let issue = mapped.report.groups.first?.samples.first
    #expect(issue?.kind == .tooDeep)
    #expect(issue?.path.segments.count == 64)
    let tree = try read(Tree.self, Self.nested(levels, "\"c\":[", "]"))
    #expect(tree.report.count(.dropped) == 1)
    let leaf = try read(Leaf.self, Self.nested(levels, "\"c\":[", "]"))
    #expect(leaf.report.count(.dropped) == 1)
  }

  @Test func `an issue at the deepest level is reported with its whole path`() throws {
    let text = Self.nested(50, "\"n\":", "").replacing("\"d\":50", with: "\"d\":\"x\"")
    let report = try read(Node.self, text).report
    #expect(report.groups.count == 1)
    #expect(report.groups.first?.samples.first?.path.segments.count == 51)
    #expect(report.groups.first?.total == 51)
  }
}
