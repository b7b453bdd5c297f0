import Testing

@testable import ListModel
@testable import ListReading

struct RestoreTests {
  private func store(_ policy: DuplicatePolicy = .keepFirst) -> (ListStore<TestRow>, [PageID]) {
    var store = ListStore<TestRow>(duplicates: policy, isSame: ==)
    let pages = (0..<5).map { store.append(PageRows($0 * 10..<$0 * 10 + 10, number: $0)).page }
    return (store, pages)
  }

  @Test func `an evicted page leaves placeholders, and its ids are kept`() throws {
    var (store, pages) = store()
    let evicted = store.evict(pages[1])
    let merge = try #require(evicted)
    #expect(merge.change == ListChange(updated: [10..<20]))
    #expect(store.snapshot.count == 50)
    #expect(store.snapshot.row(at: 12) == .notLoaded(pages[1]))
    #expect(store.snapshot.row(at: 20) == .item(TestRow(id: 20)))
    #expect(store.snapshot.items.count == 40)
    #expect(store.snapshot.items[10] == TestRow(id: 20))
    #expect((store.loadedRows, store.loadedBytes) == (40, 400))
    #expect(store.position(of: 15) == 15)
    #expect(store.append(PageRows([15, 50])).duplicatesAcross == 1)
    #expect(store.evict(pages[1]) == nil)
  }

  @Test func `a page reloaded with other rows reports the changes`() throws {
    var (store, pages) = store()
    _ = store.evict(pages[1])
    let restored = store.restore(pages[1], with: PageRows([10, 19, 12, 99, 30]))
    let merge = try #require(restored)
    #expect(store.ids[8..<18] == [8, 9, 10, 19, 12, 99, 20, 21, 22, 23])
    #expect(
      merge.change
        == ListChange(
          removed: [11..<12, 13..<19], inserted: [13..<14], moved: [.init(from: 19, to: 11)],
          updated: [10..<13]))
    #expect((merge.added, merge.duplicatesAcross) == (1, 1))
    #expect(store.position(of: 13) == nil)
    #expect(store.position(of: 49) == 43)
  }

  @Test func `a removed page is not restored`() {
    var (store, pages) = store()
    _ = store.replace(with: PageRows(0..<10))
    #expect(store.restore(pages[1], with: PageRows(10..<20)) == nil)
    #expect(store.evict(pages[0]) == nil)
    #expect(store.ids == Array(0..<10))
  }

  @Test(arguments: [
    (ListWindow.rows(30), 20..<30, [0, 4]), (.rows(30), 0..<10, [4, 3]),
    (.rows(21), 45..<50, [0, 1, 2]), (.bytes(100), 20..<30, [0, 4, 1, 3]),
    (.rows(0), 0..<50, []), (.rows(50), 0..<1, []),
  ])
  func `the pages farthest from the visible rows are evicted first`(
    limit: ListWindow, visible: Range<Int>, expected: [Int]
  ) {
    let (store, pages) = store()
    #expect(store.pagesToEvict(limit, around: visible) == expected.map { pages[$0] })
  }

  @Test func `pages that are needed or have edits are not evicted`() throws {
    var (store, pages) = store()
    _ = try store.apply(.insert(TestRow(id: 100), id: 100, at: .start))
    let given = store.pagesToEvict(.rows(25), around: 21..<31, keeping: [pages[4]])
    #expect(given == [pages[1], pages[3]])
    #expect(store.evict(pages[0]) == nil)
  }
}
