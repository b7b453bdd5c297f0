import QuireTesting
import Testing

@testable import ListModel
@testable import ListReading

/// Pages that come back into the window after the list has moved on the server.
struct ReturningPageTests {
  /// Five pages of ten rows; the third one, with rows 20 to 29, is evicted.
  private func store() -> (ListStore<TestRow>, [PageID]) {
    var store = ListStore<TestRow>(duplicates: .keepFirst, isSame: ==)
    let pages = (0..<5).map { store.append(PageRows($0 * 10..<$0 * 10 + 10, number: $0)).page }
    _ = store.evict(pages[2])
    return (store, pages)
  }

  private static let neighbors = ListStore<TestRow>.Neighbors(
    previous: PageKey(.number(1)), next: PageKey(.number(3)))

  /// What became of the rows that the response lacks.
  enum Fate { case gone, before, after }

  @Test(
    arguments: [
      // Rows were inserted above, or removed.
      (Array(19...28), [29: .after]), (Array(15...24), [25: .after, 29: .after]),
      (Array(21...30), [20: .before]), (Array(25...34), [20: .before, 24: .before]),
      // A row between two others is gone, and so is one next to a row of the neighboring page.
      ([20, 21, 23, 24, 25, 26, 27, 28, 29, 30], [22: .gone]),
      ([20, 21, 22, 23, 24, 25, 26, 27, 28, 30], [29: .gone]),
      ([19, 21, 22, 23, 24, 25, 26, 27, 28, 29], [20: .gone]),
      // A row that has moved is no sign.
      ([20, 21, 22, 23, 24, 25, 26, 27, 28, 45], [29: .after]),
      ([20, 21, 22, 23, 24, 25, 26, 27, 5, 28], [29: .after]),
      // All rows are on the pages next to it, or gone.
      (Array(10...19), [20: .after, 29: .after]), (Array(30...39), [20: .before, 29: .before]),
      ([18, 19, 30, 31], [20: .gone, 29: .gone]), (Array(100...109), [20: .after, 29: .after]),
      ([], [20: .before, 29: .before]),
    ] as [([Int], [Int: Fate])])
  func `rows that a response lacks are gone only where it shows that`(
    response: [Int], fates: [Int: Fate]
  ) throws {
    var (store, pages) = store()
    let before = store.snapshot.allIDs
    let spliced = store.splice(PageRows(response, number: 2), over: pages[2], nextTo: Self.neighbors)
    let merge = try #require(spliced)
    for (row, fate) in fates {
      let place = store.place(of: RowID(row))
      #expect((place == nil) == (fate == .gone), "\(row)")
      guard fate != .gone else { continue }
      #expect(place?.page.page.key == PageKey(.number(fate == .before ? 1 : 3)), "\(row)")
      #expect(place?.item == nil)
    }
    #expect(!merge.losesRows)
    // The rows keep their order, and no other row of the list is gone.
    let left = store.snapshot.allIDs.filter(Set(before).contains)
    #expect(left == before.filter(Set(left).contains) || response.contains(45) || response.contains(5))
    #expect(store.position(of: 49) == store.snapshot.count - 1)
  }

  @Test func `rows that moved are found on the page that has them`() throws {
    var (store, pages) = store()
    _ = store.evict(pages[3])
    _ = store.splice(PageRows(19...28, number: 2), over: pages[2], nextTo: Self.neighbors)
    // They have joined the evicted page after it.
    #expect(store.place(of: 29)?.page.page.id == pages[3])
    _ = store.splice(
      PageRows(29...38, number: 3), over: pages[3],
      nextTo: .init(previous: PageKey(.number(2)), next: PageKey(.number(4))))
    #expect(store.ids == Array(0..<39) + Array(40..<50))
    #expect(store.place(of: 39)?.page.page.key == PageKey(.number(4)))
  }

  @Test(arguments: [Array(19...28), Array(21...30), [18, 19, 22, 23, 30, 31]])
  func `rows that a stored response had shown are reported as placeholders`(response: [Int]) throws {
    var (store, pages) = store()
    for other in [1, 3] { _ = store.evict(pages[other]) }
    let shown = store.restore(pages[2], with: PageRows(20..<30, number: 2))
    #expect(shown?.change.updated == [20..<30])
    let before = store.snapshot
    let spliced = store.splice(PageRows(response, number: 2), over: pages[2], nextTo: Self.neighbors)
    let after = store.snapshot
    let rows = (0..<before.count).map { before.row(at: $0)?.item }
    let applied = spliced?.change.applied(to: rows) { after.row(at: $0)?.item }
    #expect(applied == (0..<after.count).map { after.row(at: $0)?.item })
  }

  @Test func `rows on neither of two pages are given up`() throws {
    var (store, pages) = store()
    _ = store.splice(PageRows(10...19, number: 2), over: pages[2], nextTo: Self.neighbors)
    let (before, after): (ClosedRange<Int>, ClosedRange<Int>) = (10...19, 30...39)
    var requests = 0
    while let moved = store.place(of: 20)?.page.page, requests < 20 {
      requests += 1
      let number = moved.key == PageKey(.number(3)) ? 3 : 2
      let spliced = store.splice(
        PageRows(number == 3 ? after : before, number: number), over: moved.id,
        nextTo: .init(previous: PageKey(.number(number - 1)), next: PageKey(.number(number + 1))))
      #expect(spliced?.losesRows == (store.place(of: 20) == nil))
    }
    #expect(requests == 7)
    #expect(store.ids == Array(0..<20) + Array(30..<50))
  }
}
