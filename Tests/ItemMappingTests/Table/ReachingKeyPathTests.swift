import Testing

@testable import ItemMapping

/// Key paths that reach a value through another one.
@Suite struct ReachingKeyPathTests {
  final class Node: BaseItem {
    var name = ""
    var other: Node?
    var target: Node { other ?? self }
    override class var fields: FieldTable {
      FieldTable(Node.self) { f in
        f(\.name, "name")
        f(\.other, "other")
        f(\.target.name, "target")
      }
    }
  }

  @Test func `a key path through a computed object follows it wherever it leads`() throws {
    let alone = try read(Node.self, #"{"name":"a","target":"b"}"#).value
    #expect(alone.name == "b")
    let pair = try read(Node.self, #"{"name":"a","other":{"name":"b"},"target":"c"}"#).value
    #expect(pair.name == "a")
    #expect(pair.other?.name == "c")
  }
}
