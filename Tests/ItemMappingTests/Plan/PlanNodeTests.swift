import Testing

@testable import ItemMapping

/// The nodes of a plan, which are read for every value.
struct PlanNodeTests {
  /// A name whose bit no member has is passed over without a search.
  @Test func `names have many bits, also those that begin alike`() {
    let names = (0..<64).map { "t\(String(repeating: "a", count: $0 % 4))\($0)" }
    let bits = Set(names.map { PlanNode.bit(JSONKey($0).prefix) })
    // 64 names that fall on 64 bits by chance leave about a third of them free.
    #expect(bits.count > 30)
    #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
  }
}
