import QuireTesting
import Support
import Testing

@testable import ListModel

struct ListChangeTests {
  private let old = ["a", "b", "c", "d", "e"]

  @Test(arguments: [
    (ListChange(), "abcde"),
    (ListChange(removed: [0..<2, 4..<5]), "cd"),
    (ListChange(inserted: [0..<1, 6..<7]), "0abcde6"),
    (ListChange(moved: [.init(from: 4, to: 0)]), "eabcd"),
    (ListChange(moved: [.init(from: 0, to: 4), .init(from: 4, to: 0)]), "ebcda"),
    (ListChange(updated: [1..<3]), "a12de"),
    (
      ListChange(
        removed: [1..<2], inserted: [2..<4], moved: [.init(from: 4, to: 0)], updated: [0..<1]),
      "0a23cd"
    ),
  ])
  func `a change applied to the previous rows gives the new rows`(change: ListChange, rows: String) {
    #expect(change.applied(to: old) { "\($0)" }?.joined() == rows)
  }

  @Test(arguments: [
    ListChange(removed: [4..<6]),
    ListChange(removed: [2..<3, 0..<1]),
    ListChange(removed: [0..<2, 2..<3]),
    ListChange(removed: [1..<1]),
    ListChange(removed: [-1..<1]),
    ListChange(removed: [Int.min..<Int.max]),
    ListChange(inserted: [6..<7]),
    ListChange(inserted: [0..<Int.max]),
    ListChange(inserted: [0..<1 << 40]),
    ListChange(moved: [.init(from: 5, to: 0)]),
    ListChange(moved: [.init(from: 0, to: 5)]),
    ListChange(moved: [.init(from: 0, to: -1)]),
    ListChange(moved: [.init(from: 0, to: 1), .init(from: 0, to: 2)]),
    ListChange(moved: [.init(from: 0, to: 2), .init(from: 1, to: 2)]),
    ListChange(removed: [0..<1], moved: [.init(from: 0, to: 1)]),
    ListChange(inserted: [0..<1], moved: [.init(from: 0, to: 0)]),
    ListChange(inserted: [0..<1], updated: [0..<1]),
    ListChange(updated: [5..<6]),
  ])
  func `a change that does not fit the rows is rejected`(change: ListChange) {
    #expect(change.applied(to: old) { "\($0)" } == nil)
  }

  @Test func `only inserted and updated rows are read`() {
    var asked: [Int] = []
    let change = ListChange(removed: [0..<1], inserted: [1..<2], updated: [3..<4])
    _ = change.applied(to: old) { position in
      asked.append(position)
      return ""
    }
    #expect(asked.sorted() == [1, 3])
  }

  @Test func `changes that follow each other are one change`() throws {
    for var random in try SeededGenerator.runs(Thoroughness.runs(300, full: 10_000)) {
      // The last digit of a row is its content.
      let first = (0..<Int.random(in: 0...6, using: &random)).map { $0 * 10 }
      var (rows, fresh) = (first, 1_000)
      var changes: [ListChange] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Additions alone are combined in another way.
        let onlyAdds = Bool.random(using: &random)
        var next = rows
        if !onlyAdds {
          next.shuffle(using: &random)
          next.removeLast(Int.random(in: 0...next.count, using: &random))
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          fresh += 10
          next.insert(fresh, at: Int.random(in: 0...next.count, using: &random))
        }
        var change = ListChange.arranging(
          0..<rows.count, origins: next.map { rows.firstIndex(of: $0) }, from: 0)
        let updated = next.indices.filter { at in
          rows.contains(next[at]) && Int.random(in: 0..<3, using: &random) == 0
        }
        for at in updated { next[at] += 1 }
        change.updated = [Range<Int>](updated)
        #expect(change.applied(to: rows) { next[$0] } == next)
        changes.append(change)
        rows = next
      }
      let merged = ListChange.merging(changes, of: first.count)
      #expect(merged.applied(to: first) { rows[$0] } == rows, "\(random): \(changes)")
    }
  }

  @Test func `the description is one line`() {
    let change = ListChange(
      removed: [3..<5], inserted: [40..<80], moved: [.init(from: 7, to: 2)], updated: [9..<10])
    #expect("\(change)" == "removed 3…4, inserted 40…79, updated 9, moved 7 to 2")
    #expect("\(ListChange())" == "no change")
  }
}
