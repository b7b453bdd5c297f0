import QuireTesting
import Testing

@testable import ListModel
@testable import ListReading

struct RowIndexTests {
  @Test func `rows are found after others are inserted and removed`() throws {
    var random = try SeededGenerator.fromEnvironment()
    var index = RowIndex()
    var expected: [Int: Int] = [:]
    for _ in 0..<Thoroughness.runs(60_000) {
      let row = Int.random(in: 0..<20_000, using: &random)
      let hash = row.hashValue
      if let order = expected.removeValue(forKey: row) {
        index.remove(hash, order: order)
      } else {
        let order = Int.random(in: 0..<50, using: &random)
        index.insert(hash, order: order)
        expected[row] = order
      }
    }
    // Rows with the same tag are distinguished by their pages.
    let lost = (0..<20_000).filter { row in
      index.order(of: row.hashValue) { $0 == expected[row] } != expected[row]
    }
    #expect(lost.isEmpty, "\(random)")
  }

  @Test func `ids with equal hashes are distinguished by their pages`() {
    var index = RowIndex()
    for order in 0..<2_000 { index.insert(7, order: order) }
    for order in stride(from: 0, to: 2_000, by: 2) { index.remove(7, order: order) }
    #expect(index.order(of: 7) { $0 == 1_001 } == 1_001)
    #expect(index.order(of: 7) { $0 == 1_000 } == nil)
  }

  @Test func `rows of a page are inserted up to the first that may be present`() {
    var index = RowIndex()
    let ids = (0..<5_000).map { RowID.number($0).indexHash }
    #expect(index.insertNew(ids, order: 1) == 5_000)
    let more = (4_998..<5_100).reversed().map { RowID.number($0).indexHash }
    #expect(index.insertNew(more, order: 2) <= 100)
    #expect(ids.allSatisfy { index.order(of: $0) { _ in true } == 1 })
    #expect(index.insertNew([7, 8, 7], order: 3) == 2)
  }

  @Test func `no two integers have the same hash`() throws {
    var random = try SeededGenerator.fromEnvironment()
    var numbers = Set(-1_000...1_000)
    for bit in 0..<64 { numbers.formUnion([1 << bit, ~(1 << bit)]) }
    while numbers.count < Thoroughness.runs(50_000) {
      numbers.insert(.random(in: .min ... .max, using: &random))
    }
    #expect(Set(numbers.map { RowID.number($0).indexHash }).count == numbers.count, "\(random)")
  }
}
