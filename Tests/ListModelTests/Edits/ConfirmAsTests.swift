import Testing

@testable import ListModel
@testable import ListReading

/// Confirmations with the row that the server made of an edit.
struct ConfirmAsTests {
  private func store(_ policy: DuplicatePolicy = .keepFirst) -> ListStore<TestRow> {
    var store = ListStore<TestRow>(duplicates: policy, isSame: ==)
    _ = store.append(PageRows(0..<3, text: "server"))
    _ = store.append(PageRows(3..<6, text: "server"))
    return store
  }

  private func draft(_ text: String = "draft") -> TestRow { TestRow(id: -1, text: text) }
  private let created = TestRow(id: 70, text: "server")

  @Test func `the server's row takes the place of the draft`() throws {
    var store = store()
    let edit = try store.apply(.insert(draft(), id: -1, at: .after(1))).id
    let confirmed = store.confirm(edit, as: created, id: 70)
    #expect(confirmed.change == ListChange(removed: [2..<3], inserted: [2..<3]))
    #expect(confirmed.edit == .insert(draft(), id: -1, at: .after(1)))
    #expect(store.ids == [0, 1, 70, 2, 3, 4, 5])
    #expect(store.rollback(edit).isEmpty && store.edits.isEmpty)
  }

  @Test func `a draft with the server's id is updated`() throws {
    var store = store()
    let edit = try store.apply(.insert(draft(), id: -1, at: .start)).id
    let change = store.confirm(edit, as: TestRow(id: -1, text: "server"), id: -1).change
    #expect(change == ListChange(updated: [0..<1]))
    #expect(store.texts[0] == "server")
  }

  @Test func `a row that a page brought before stays, and the draft goes away`() throws {
    var store = store()
    let edit = try store.apply(.insert(draft(), id: -1, at: .start)).id
    _ = store.append(PageRows([6, 70], text: "older"))
    let confirmed = store.confirm(edit, as: created, id: 70)
    #expect(confirmed.edit == nil)
    #expect(confirmed.change == ListChange(removed: [0..<1], updated: [7..<8]))
    #expect(store.ids == [0, 1, 2, 3, 4, 5, 6, 70])
    #expect(store.texts[7] == "server")
  }

  @Test(arguments: [
    (DuplicatePolicy.keepFirst, [70, 0, 1, 2, 3, 4, 5, 6]),
    (.replaceInPlace, [70, 0, 1, 2, 3, 4, 5, 6]),
    (.moveToNew, [0, 1, 2, 3, 4, 5, 6, 70]),
  ])
  func `a row that a page brings later is the same row`(policy: DuplicatePolicy, ids: [Int])
    throws
  {
    var store = store(policy)
    store.confirm(try store.apply(.insert(draft(), id: -1, at: .start)).id, as: created, id: 70)
    #expect(store.append(PageRows([6, 70], text: "server")).duplicatesAcross == 1)
    #expect(store.ids == ids)
    #expect(store.replace(with: PageRows([0, 70], text: "server")).change.inserted.isEmpty)
    #expect(store.ids == [0, 70])
  }

  @Test func `later edits of the draft are carried over`() throws {
    var store = store()
    let insertion = try store.apply(.insert(draft(), id: -1, at: .start)).id
    let update = try store.apply(.update(-1, draft("typed"))).id
    let move = try store.apply(.move(-1, to: .after(1))).id
    let change = store.confirm(insertion, as: created, id: 70).change
    #expect(change == ListChange(removed: [2..<3], inserted: [2..<3]))
    #expect(store.position(of: 70) == 2 && store.texts[2] == "typed")
    #expect(store.rollback(update) == ListChange(updated: [2..<3]))
    #expect(store.texts[2] == "server")
    #expect(store.rollback(move) == ListChange(moved: [.init(from: 2, to: 0)]))
    #expect(store.ids == [70, 0, 1, 2, 3, 4, 5])
  }

  @Test func `a draft that was moved takes the server's row to its place`() throws {
    var store = store()
    let insertion = try store.apply(.insert(draft(), id: -1, at: .start)).id
    let move = try store.apply(.move(-1, to: .after(1))).id
    let change = store.confirm(insertion, as: TestRow(id: 4, text: "server"), id: 4).change
    #expect(change == ListChange(removed: [2..<3], moved: [.init(from: 5, to: 2)]))
    #expect(store.ids == [0, 1, 4, 2, 3, 5])
    _ = store.rollback(move)
    #expect(store.ids == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a draft that was removed removes the server's row`() throws {
    var store = store()
    let insertion = try store.apply(.insert(draft(), id: -1, at: .start)).id
    let removal = try store.apply(.remove(-1)).id
    let change = store.confirm(insertion, as: TestRow(id: 4, text: "newer"), id: 4).change
    #expect(change == ListChange(removed: [4..<5]))
    #expect(store.rollback(removal) == ListChange(inserted: [4..<5]))
    #expect(store.ids == [0, 1, 2, 3, 4, 5] && store.texts[4] == "newer")
  }

  @Test func `a draft goes away if the server's row is being removed`() throws {
    var store = store()
    let insertion = try store.apply(.insert(draft(), id: -1, at: .start)).id
    let removal = try store.apply(.remove(4)).id
    #expect(
      store.confirm(insertion, as: TestRow(id: 4, text: "newer"), id: 4).change
        == ListChange(removed: [0..<1]))
    #expect(store.ids == [0, 1, 2, 3, 5])
    _ = store.rollback(removal)
    #expect(store.ids == [0, 1, 2, 3, 4, 5] && store.texts[4] == "newer")
  }

  @Test func `edits of the draft's id say which row it is now`() throws {
    var store = store()
    store.confirm(try store.apply(.insert(draft(), id: -1, at: .start)).id, as: created, id: 70)
    #expect(throws: ListEditError.replaced(-1, by: 70)) { try store.apply(.remove(-1)) }
    #expect(throws: ListEditError.replaced(-1, by: 70)) {
      try store.apply(.move(0, to: .after(-1)))
    }
    _ = store.replace(with: PageRows([70]))
    #expect(throws: ListEditError.replaced(-1, by: 70)) { try store.apply(.remove(-1)) }
    // The same id can be used for another draft.
    _ = try store.apply(.insert(draft(), id: -1, at: .start))
    _ = try store.apply(.remove(-1))
  }

  @Test func `edits at the draft find the server's row after a refresh`() throws {
    var store = store()
    let first = try store.apply(.insert(draft(), id: -1, at: .start)).id
    _ = try store.apply(.insert(TestRow(id: -2), id: -2, at: .after(-1)))
    store.confirm(first, as: created, id: 70)
    _ = store.replace(with: PageRows([0, 70, 1]))
    #expect(store.ids == [0, 70, -2, 1])
  }

  @Test func `an update is confirmed with the server's version`() throws {
    var store = store()
    let first = try store.apply(.update(1, TestRow(id: 1, text: "first"))).id
    let second = try store.apply(.update(1, TestRow(id: 1, text: "second"))).id
    #expect(store.confirm(first, as: TestRow(id: 1, text: "FIRST"), id: 1).change.isEmpty)
    #expect(store.texts[1] == "second")
    #expect(store.rollback(second) == ListChange(updated: [1..<2]))
    #expect(store.texts[1] == "FIRST")
    let third = try store.apply(.update(1, TestRow(id: 1, text: "third"))).id
    #expect(
      store.confirm(third, as: TestRow(id: 1, text: "THIRD"), id: 1).change
        == ListChange(updated: [1..<2]))
    #expect(store.texts[1] == "THIRD")
  }

  @Test func `an update of an evicted row is confirmed without its item`() throws {
    var store = store()
    let edit = try store.apply(.update(1, TestRow(id: 1, text: "first"))).id
    let page = try #require(store.snapshot.pages.first)
    _ = store.evict(page.id)
    #expect(store.confirm(edit, as: TestRow(id: 1, text: "FIRST"), id: 1).change.isEmpty)
    _ = store.restore(page.id, with: PageRows(0..<3, text: "server"))
    #expect(store.texts[1] == "server")
  }

  @Test func `a confirmed row stays when the other kept pages follow`() throws {
    var brain = ListBrain<TestRow>(first: PageKey(.number(0)), settings: ListSettings())
    let effects = brain.request(.restore, load: 1)
    let number = try #require(
      effects.lazy.compactMap { if case .request(let number, _, _) = $0 { number } else { nil } }
        .first)
    func kept(_ page: Int) -> LoadedPage<TestRow> {
      LoadedPage(rows: PageRows(page * 3..<page * 3 + 3, number: page), page: ListPage())
    }
    let facts = PageFacts(next: .end, previous: .end)
    _ = brain.restored(number, Restoration(after: [kept(1)], facts: facts, isLast: false))
    let edit = try brain.edit(.insert(draft(), id: -1, at: .start)).id
    _ = brain.confirm(edit, as: created, id: 70)
    #expect(brain.store.ids == [70, 3, 4, 5])
    _ = brain.restored(number, Restoration(before: [kept(0)], after: [kept(2)], facts: facts))
    #expect(brain.store.ids == [0, 1, 2, 70, 3, 4, 5, 6, 7, 8])
    _ = brain.store.replace(with: PageRows(0..<3))
    #expect(!brain.store.isEdited)
  }

  @Test func `an edit that is no longer pending is not confirmed again`() throws {
    var store = store()
    let edit = try store.apply(.insert(draft(), id: -1, at: .start)).id
    _ = store.rollback(edit)
    #expect(store.confirm(edit, as: created, id: 70).change.isEmpty)
    #expect(store.ids == Array(0..<6))
  }
}
