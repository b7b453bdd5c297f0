import Testing

@testable import ListModel
@testable import ListReading

struct ListStoreTests {
  @Test func `overlapping pages insert each row once and count duplicates`() {
    var store = ListStore<TestRow>()
    let first = store.append(PageRows(0...39, number: 0))
    let second = store.append(PageRows(38...79, number: 1))
    #expect(store.ids == Array(0...79))
    #expect(first.change == ListChange(inserted: [0..<40]))
    #expect(second.change == ListChange(inserted: [40..<80]))
    #expect(second.duplicatesAcross == 2)
    #expect(second.duplicatesInPage == 0)
    #expect(second.added == 40)
    #expect(store.key(of: second.page) == PageKey(.number(1)))
  }

  @Test func `a previous page is inserted before the first row`() {
    var store = ListStore<TestRow>()
    let middle = store.append(PageRows(10..<20)).page
    let last = store.append(PageRows(20..<30)).page
    let before = store.prepend(PageRows(0..<12))
    #expect(store.ids == Array(0..<30))
    #expect(before.change == ListChange(inserted: [0..<10]))
    #expect(before.page < middle && middle < last)
    #expect(store.position(of: 10) == 10)
    #expect(store.page(atRow: 25)?.id == last)
  }

  @Test func `by default a duplicate row changes nothing`() {
    var store = ListStore<TestRow>()
    _ = store.append(PageRows(0..<3, text: "old"))
    let again = store.append(PageRows([2, 2, 3, 3, 4], text: "new"))
    #expect(store.ids == [0, 1, 2, 3, 4])
    #expect(store.texts == ["old", "old", "old", "new", "new"])
    #expect(again.change == ListChange(inserted: [3..<5]))
    #expect((again.duplicatesAcross, again.duplicatesInPage) == (2, 1))
  }

  @Test func `a duplicate can replace the content in place`() {
    var store = ListStore<TestRow>(duplicates: .replaceInPlace)
    _ = store.append(PageRows(10..<13, text: "old"))
    let again = store.prepend(PageRows([5, 11, 12, 5], text: "new"))
    #expect(store.ids == [5, 10, 11, 12])
    #expect(store.texts == ["new", "old", "new", "new"])
    #expect(again.change == ListChange(inserted: [0..<1], updated: [2..<4]))
    #expect((again.duplicatesAcross, again.duplicatesInPage) == (2, 1))
  }

  @Test func `a duplicate can move the row`() {
    var store = ListStore<TestRow>(duplicates: .moveToNew, isSame: ==)
    _ = store.append(PageRows(0..<3, text: "old"))
    let again = store.append(
      PageRows([TestRow(id: 0, text: "old"), TestRow(id: 3), TestRow(id: 1), TestRow(id: 3)]))
    #expect(store.ids == [2, 0, 1, 3])
    #expect(
      again.change
        == ListChange(
          inserted: [3..<4], moved: [.init(from: 0, to: 1), .init(from: 1, to: 2)],
          updated: [2..<3]))
    #expect(again.added == 1)
    #expect(store.position(of: 0) == 1)
  }

  @Test func `a refresh keeps present rows and reports all other changes exactly`() {
    var store = ListStore<TestRow>(isSame: ==)
    _ = store.append(PageRows(0..<4, text: "a"))
    _ = store.append(PageRows(4..<8, text: "a"))
    let before = store.snapshot
    let rows = [9, 0, 5, 2].map { TestRow(id: $0, text: $0 == 2 ? "b" : "a") }
    let merge = store.replace(with: PageRows(rows))
    #expect(store.ids == [9, 0, 5, 2])
    #expect(
      merge.change
        == ListChange(
          removed: [1..<2, 3..<5, 6..<8], inserted: [0..<1], moved: [.init(from: 5, to: 2)],
          updated: [3..<4]))
    #expect(merge.added == 1)
    #expect(before.items.map(\.id) == Array(0..<8))
    #expect(store.position(of: 7) == nil)
  }

  @Test func `page ids are unique, also after a refresh`() {
    var store = ListStore<TestRow>()
    var seen: Set<PageID> = []
    for _ in 0..<5 {
      #expect(seen.insert(store.replace(with: PageRows(0..<3)).page).inserted)
      for page in 1...5 {
        #expect(seen.insert(store.append(PageRows(page * 10..<page * 10 + 3)).page).inserted)
        #expect(seen.insert(store.prepend(PageRows(-page * 10..<3 - page * 10)).page).inserted)
      }
    }
  }

  @Test func `an empty page and a page of duplicates leave the rows unchanged`() {
    var store = ListStore<TestRow>()
    _ = store.append(PageRows(0..<3))
    #expect(store.append(PageRows([Int]())).change.isEmpty)
    let repeated = store.append(PageRows(0..<3, number: 7))
    #expect(repeated.change.isEmpty)
    #expect(repeated.duplicatesAcross == 3)
    #expect(store.key(of: repeated.page) == PageKey(.number(7)))
    #expect(store.append(PageRows(3..<5)).change == ListChange(inserted: [3..<5]))
    #expect(store.ids == Array(0..<5))
    #expect(store.snapshot.pages.map(\.range) == [0..<3, 3..<3, 3..<3, 3..<5])
  }

  @Test func `rows without ids are all kept`() {
    var store = ListStore<String>()
    let rows = PageRows(key: PageKey(.start), items: ["a", "a"], ids: nil)
    _ = store.append(rows)
    _ = store.append(rows)
    #expect(Array(store.snapshot.items) == ["a", "a", "a", "a"])
    let merge = store.replace(with: rows)
    #expect(merge.change == ListChange(removed: [0..<4], inserted: [0..<2]))
  }

  @Test func `a list can be filled again after all rows are removed`() {
    var store = ListStore<TestRow>()
    #expect(store.removeAll().isEmpty)
    _ = store.append(PageRows(0..<3))
    #expect(store.removeAll() == ListChange(removed: [0..<3]))
    #expect(!store.contains(1))
    #expect(store.append(PageRows(1..<2)).added == 1)
  }
}
