import QuireTesting
import Testing

@testable import ListModel
@testable import ListReading

/// The first page of a list, requested again and laid over its rows.
struct SpliceStartTests {
  /// Three pages of ten rows.
  private func store(policy: DuplicatePolicy = .keepFirst) -> ListStore<TestRow> {
    var store = ListStore<TestRow>(duplicates: policy, isSame: ==)
    for number in 0..<3 {
      _ = store.append(PageRows(number * 10..<number * 10 + 10, number: number))
    }
    return store
  }

  private static let next = PageKey(.number(1))

  @Test(
    arguments: [
      // Nothing changed, rows were inserted on top or between others, and rows are gone.
      (Array(0..<10), Array(0..<30)), ([100, 101, 102] + Array(0..<7), [100, 101, 102] + Array(0..<30)),
      ([0, 1, 100, 2, 3, 4, 5, 6, 7, 8], [0, 1, 100] + Array(2..<30)), (Array(1..<11), Array(1..<30)),
      ([0, 1, 4, 5, 6, 7, 8, 9, 10, 11], [0, 1] + Array(4..<30)),
      // The last row that both have is far down, and rows after it show that the others are gone.
      (Array(4..<14), Array(4..<30)),
      // New rows after the last known one.
      ([0, 1, 2, 100, 101], [0, 1, 2, 100, 101] + Array(3..<30)),
      // One row far down has more likely moved than all between are gone: it stays, and they do.
      ([0, 1, 2, 3, 4, 5, 6, 7, 8, 20], Array(0..<30)),
      // It came to the top.
      ([20, 0, 1, 2, 3, 4, 5, 6, 7, 8], [20] + Array(0..<20) + Array(21..<30)),
      // New rows next to one that is left in place.
      ([0, 1, 2, 20, 100], Array(0..<21) + [100] + Array(21..<30)),
      ([20, 25, 0], [20, 25] + Array(0..<20) + Array(21..<25) + Array(26..<30)),
      ([1, 0, 2, 3, 4, 5, 6, 7, 8, 9], [1, 0] + Array(2..<30)),
      ([100, 7, 0, 1, 101, 2, 3, 4, 5, 6], [100, 7, 0, 1, 101, 2, 3, 4, 5, 6] + Array(8..<30)),
      // The same row twice.
      ([100, 100, 0, 1, 0, 2], [100] + Array(0..<30)),
    ] as [([Int], [Int])])
  func `a page is laid over the rows`(page: [Int], rows: [Int]) throws {
    for policy in [DuplicatePolicy.keepFirst, .replaceInPlace, .moveToNew] {
      var store = store(policy: policy)
      let before = store.ids
      let spliced = store.spliceStart(PageRows(page), next: Self.next)
      let merge = try #require(spliced).merge
      #expect(store.ids == rows)
      #expect(merge.change.applied(to: before) { rows[$0] } == rows)
      #expect(merge.added == rows.count { $0 >= 100 })
      for (position, id) in rows.enumerated() { #expect(store.position(of: RowID(id)) == position) }
    }
  }

  @Test(
    arguments: [
      // It meets no row, or only one that must have moved; or it reaches the last row.
      Array(100..<110), [],
      // Rows don't keep their order, so that a row that it lacks may be further down.
      [100, 7, 0, 1, 101, 2, 4, 5, 6, 8], [12, 3, 25, 7, 0, 18, 9, 14, 21, 5],
      Array(25..<30), [100, 101, 20], Array(0..<30),
    ])
  func `a page that does not meet the list replaces it`(page: [Int]) {
    var store = store()
    let before = store.ids
    #expect(store.spliceStart(PageRows(page), next: Self.next) == nil)
    #expect(store.ids == before)
  }

  @Test func `the rest of the old first page belongs to the next one`() throws {
    var store = store()
    let old = try #require(store.tree.first)
    _ = store.spliceStart(PageRows([100, 101] + Array(0..<8)), next: Self.next)
    let rest = try #require(store.place(of: 8)?.page.page)
    #expect(rest.id == old.id && rest.key == Self.next && rest.count == 2)
    #expect(store.tree.first?.key == PageKey(.number(0)))
  }

  @Test func `content changes wherever the row is, and an evicted page loses rows`() throws {
    var store = store()
    let pages = PageSequence(store.tree).map(\.id)
    _ = store.evict(pages[0])
    _ = store.evict(pages[1])
    var rows = [TestRow(id: 100), TestRow(id: 0, text: "new")]
    rows += (1..<12).map { TestRow(id: $0) } + [TestRow(id: 25, text: "new")]
    let spliced = store.spliceStart(PageRows(rows), next: Self.next)
    let merge = try #require(spliced).merge
    #expect(merge.change.inserted == [0..<1] && merge.change.removed.isEmpty)
    // Rows that were not in memory, and one with other content.
    #expect(merge.change.updated == [1..<13, 26..<27])
    #expect(store.snapshot.count == 31 && store.loadedRows == 13 + 10)
    #expect(store.snapshot[26] == TestRow(id: 25, text: "new"))
    #expect(store.position(of: 15) == 16)
  }

  @Test func `edits and rows without ids stop it`() throws {
    var edited = store()
    _ = try edited.apply(.remove(3))
    #expect(edited.spliceStart(PageRows(0..<10), next: nil) == nil)
    var nameless = ListStore<TestRow>()
    var page = PageRows(0..<10)
    page.ids = nil
    _ = nameless.append(page)
    #expect(nameless.spliceStart(PageRows(0..<5), next: nil) == nil)
  }

  /// A server whose rows are inserted and removed, and sometimes moved, between one look at its first page and the next.
  @Test func `random splices remove no row that is there`() throws {
    let seed = try SeededGenerator.fromEnvironment().seed
    let runs = Thoroughness.runs(2_500, full: 125_000)
    var gone = 0
    for run in 0..<UInt64(runs) {
      var random = SeededGenerator(seed: seed &+ run)
      let moves = run.isMultiple(of: 4)
      let size = Int.random(in: 1...12, using: &random)
      var server = (0..<Int.random(in: 1...60, using: &random)).map { $0 }
      var store = ListStore<TestRow>(duplicates: .keepFirst, isSame: ==)
      let loaded = Int.random(in: 1...5, using: &random)
      for number in 0..<loaded where number * size < server.count {
        _ = store.append(PageRows(server.dropFirst(number * size).prefix(size), text: "", number: number))
      }
      var fresh = 1_000
      // Where rows were left in doubt, those after them may stand before them.
      var isInOrder = !moves
      let knowsTotal = Bool.random(using: &random)
      for _ in 0..<8 {
        if Bool.random(using: &random), let page = PageSequence(store.tree).map(\.id).randomElement(using: &random) {
          _ = store.evict(page)
        }
        let total = server.count
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          change(&server, &fresh, moves: moves, using: &random)
        }
        gone += splice(
          server.prefix(size), of: server, over: &store, growth: knowsTotal ? server.count - total : nil,
          moves: moves, isInOrder: &isInOrder, "seed \(seed &+ run)")
      }
    }
    #expect(gone > 0)
  }

  /// Returns how many rows were removed.
  private func splice(
    _ page: ArraySlice<Int>, of server: [Int], over store: inout ListStore<TestRow>, growth: Int?, moves: Bool,
    isInOrder: inout Bool, _ name: String
  ) -> Int {
    let before = store.snapshot.allIDs
    guard let (merge, plan) = store.spliceStart(PageRows(page), next: Self.next, .init(growth: growth)) else {
      #expect(store.snapshot.allIDs == before, "\(name)")
      return 0
    }
    let after = store.snapshot.allIDs
    #expect(Set(after).count == after.count, "doubled: \(name)")
    #expect(merge.change.applied(to: before) { after[$0] } == after, "inexact: \(name)")
    #expect(merge.added == Set(after).subtracting(before).count, "\(name)")
    for (position, id) in after.enumerated() {
      #expect(store.position(of: id) == position, "index: \(name)")
    }
    #expect(Set(page.map { RowID($0) }).isSubset(of: after), "\(name)")
    guard !moves else { return 0 }
    let removed = Set(before).subtracting(after)
    #expect(removed.isDisjoint(with: server.map { RowID($0) }), "removed a row that is there: \(name)")
    #expect(plan.mostGone >= removed.count, "\(name)")
    isInOrder = isInOrder && plan.left.isEmpty
    guard isInOrder else { return removed.count }
    #expect(!plan.hasMoves, "\(name)")
    let (present, served) = (Set(after), server.map { RowID($0) })
    #expect(
      served.filter(present.contains) == after.filter(Set(served).contains), "order: \(name)")
    return removed.count
  }

  private func change(
    _ server: inout [Int], _ fresh: inout Int, moves: Bool, using random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<(moves ? 4 : 3), using: &random) {
    case 0:
      fresh += 1
      server.insert(fresh, at: Int.random(in: 0...min(server.count, 8), using: &random))
    case 1: if !server.isEmpty { server.remove(at: Int.random(in: 0..<min(server.count, 15), using: &random)) }
    case 2: if !server.isEmpty { server.remove(at: Int.random(in: 0..<server.count, using: &random)) }
    default:
      guard server.count > 1 else { return }
      let row = server.remove(at: Int.random(in: 0..<server.count, using: &random))
      server.insert(row, at: Int.random(in: 0...server.count, using: &random))
    }
  }
}
