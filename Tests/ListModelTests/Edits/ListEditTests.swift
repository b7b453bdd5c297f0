import Testing

@testable import ListModel
@testable import ListReading

struct ListEditTests {
  private func store(_ policy: DuplicatePolicy = .keepFirst) -> ListStore<TestRow> {
    var store = ListStore<TestRow>(duplicates: policy, isSame: ==)
    _ = store.append(PageRows(0..<3, text: "server"))
    _ = store.append(PageRows(3..<6, text: "server"))
    return store
  }

  private func row(_ id: Int) -> TestRow { TestRow(id: id, text: "edit") }

  @Test(arguments: [
    (
      ListEdit.insert(TestRow(id: 9), id: 9, at: .start), [9, 0, 1, 2, 3, 4, 5],
      ListChange(inserted: [0..<1])
    ),
    (
      .insert(TestRow(id: 9), id: 9, at: .end), [0, 1, 2, 3, 4, 5, 9],
      ListChange(inserted: [6..<7])
    ),
    (
      .insert(TestRow(id: 9), id: 9, at: .after(2)), [0, 1, 2, 9, 3, 4, 5],
      ListChange(inserted: [3..<4])
    ),
    (
      .insert(TestRow(id: 9), id: 9, at: .before(1)), [0, 9, 1, 2, 3, 4, 5],
      ListChange(inserted: [1..<2])
    ),
    (.remove(4), [0, 1, 2, 3, 5], ListChange(removed: [4..<5])),
    (.update(4, TestRow(id: 4)), [0, 1, 2, 3, 4, 5], ListChange(updated: [4..<5])),
    (.move(4, to: .start), [4, 0, 1, 2, 3, 5], ListChange(moved: [.init(from: 4, to: 0)])),
    (.move(0, to: .after(1)), [1, 0, 2, 3, 4, 5], ListChange(moved: [.init(from: 0, to: 1)])),
    (.move(0, to: .end), [1, 2, 3, 4, 5, 0], ListChange(moved: [.init(from: 0, to: 5)])),
    (.move(1, to: .after(0)), [0, 1, 2, 3, 4, 5], ListChange()),
    (.move(1, to: .after(1)), [0, 1, 2, 3, 4, 5], ListChange()),
  ])
  func `an edit applies at once, and a rollback undoes it`(
    edit: ListEdit<TestRow>, ids: [Int], change: ListChange
  ) throws {
    var store = store()
    let before = store.rows
    let applied = try store.apply(edit)
    #expect(store.ids == ids)
    #expect(applied.change == change)
    let rows = store.rows
    let back = store.rollback(applied.id)
    #expect(store.rows == before)
    #expect(back.applied(to: rows) { before[$0] } == before)
    #expect(store.rollback(applied.id).isEmpty)
  }

  @Test(arguments: [
    (ListEdit<TestRow>.remove(9), ListEditError.unknownRow(9)),
    (.update(9, TestRow(id: 9)), .unknownRow(9)),
    (.move(9, to: .start), .unknownRow(9)),
    (.move(4, to: .before(9)), .unknownRow(9)),
    (.insert(TestRow(id: 9), id: 9, at: .after(8)), .unknownRow(8)),
    (.insert(TestRow(id: 1), id: 1, at: .start), .rowExists(1)),
    (.insert(TestRow(id: 5), id: 5, at: .start), .beingRemoved(5)),
    (.update(5, TestRow(id: 5)), .beingRemoved(5)),
    (.move(2, to: .start), .notLoaded(2)),
    (.insert(TestRow(id: 9), id: 9, at: .after(2)), .notLoaded(2)),
  ])
  func `an impossible edit throws the reason and changes nothing`(
    edit: ListEdit<TestRow>, error: ListEditError
  ) throws {
    var store = store()
    _ = try store.apply(.remove(5))
    let first = try #require(store.snapshot.pages.first)
    _ = store.evict(first.id)
    let before = store.rows
    #expect(throws: error) { try store.apply(edit) }
    #expect(store.rows == before)
  }

  @Test func `a removed row is restored by a rollback, not by pages`() throws {
    var store = store()
    let removal = try store.apply(.remove(4)).id
    #expect(store.append(PageRows([4, 6])).change == ListChange(inserted: [5..<6]))
    #expect(store.replace(with: PageRows([5, 4, 3], text: "newer")).change.inserted.isEmpty)
    #expect(store.ids == [5, 3])
    #expect(store.rollback(removal) == ListChange(inserted: [1..<2]))
    #expect(store.ids == [5, 4, 3])
    #expect(store.texts == ["newer", "newer", "newer"])
  }

  @Test func `a confirmed removal no longer leaves the row out of pages`() throws {
    var store = store()
    store.confirm(try store.apply(.remove(4)).id)
    #expect(store.append(PageRows([4])).added == 1)
  }

  @Test func `a pending update stays, and a rollback shows the server's content`()
    throws
  {
    var store = store(.replaceInPlace)
    let update = try store.apply(.update(1, row(1))).id
    _ = store.append(PageRows([1, 7], text: "newer"))
    #expect(store.texts[1] == "edit")
    #expect(store.rollback(update) == ListChange(updated: [1..<2]))
    #expect(store.texts[1] == "newer")
  }

  @Test func `edits of one row can be rolled back in any order`() throws {
    var store = store()
    let first = try store.apply(.update(1, TestRow(id: 1, text: "first"))).id
    let second = try store.apply(.update(1, TestRow(id: 1, text: "second"))).id
    let removal = try store.apply(.remove(1)).id
    #expect(store.rollback(first).isEmpty)
    _ = store.rollback(removal)
    #expect(store.texts[1] == "second")
    _ = store.rollback(second)
    #expect(store.texts == Array(repeating: "server", count: 6))
  }

  @Test func `a confirmed update confirms earlier ones`() throws {
    var store = store()
    let first = try store.apply(.update(1, TestRow(id: 1, text: "first"))).id
    store.confirm(try store.apply(.update(1, TestRow(id: 1, text: "second"))).id)
    #expect(store.rollback(first).isEmpty)
    #expect(store.texts[1] == "second")
  }

  @Test func `a refresh keeps inserted rows and applies moves again`() throws {
    var store = store()
    let insertion = try store.apply(.insert(row(9), id: 9, at: .after(1))).id
    _ = try store.apply(.move(5, to: .start))
    let merge = store.replace(with: PageRows([0, 1, 5, 8], text: "server"))
    #expect(store.ids == [5, 0, 1, 9, 8])
    #expect(merge.change == ListChange(removed: [4..<7], inserted: [4..<5]))
    #expect(store.rollback(insertion) == ListChange(removed: [3..<4]))
  }

  @Test func `an inserted row becomes the server's when the server sends it`() throws {
    var store = store()
    let insertion = try store.apply(.insert(row(9), id: 9, at: .start)).id
    let merge = store.append(PageRows([6, 9], text: "server"))
    #expect(store.ids == [9, 0, 1, 2, 3, 4, 5, 6])
    #expect(merge.change == ListChange(inserted: [7..<8], updated: [0..<1]))
    #expect(store.texts[0] == "server")
    #expect(store.rollback(insertion).isEmpty)
  }

  @Test func `rows can be inserted into a list without pages`() throws {
    var store = ListStore<TestRow>()
    let insertion = try store.apply(.insert(row(9), id: 9, at: .start)).id
    #expect(store.snapshot.pages.map(\.key) == [nil])
    _ = store.append(PageRows(0..<2))
    #expect(store.ids == [9, 0, 1])
    #expect(store.rollback(insertion) == ListChange(removed: [0..<1]))
    #expect(store.snapshot.pages.count == 1)
  }
}
