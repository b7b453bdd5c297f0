import Testing

@testable import ListModel
@testable import ListReading

/// What a list shows while steps wait for their delivery.
struct OutboxTests {
  private func rows(_ count: Int) -> ListSnapshot<TestRow> {
    var store = ListStore<TestRow>()
    _ = store.append(PageRows(0..<count))
    return store.snapshot
  }

  private let change = ListEffect.notify(.didChange(ListChange(inserted: [0..<1])))

  @Test func `rows change with their step`() {
    var outbox = Outbox<TestRow>()
    outbox.add([.notify(.didStart(.next)), change, .finish(load: 1, .notNeeded)], rows: rows(3))
    #expect(outbox.count == 3 && outbox.shown.rows.isEmpty)
    var counts: [Int] = []
    while outbox.next() != nil { counts.append(outbox.shown.rows.count) }
    #expect(counts == [0, 3, 3] && outbox.isEmpty && outbox.done == 3)
  }

  @Test func `rows that are shown early stay until their step, which has its own rows`() {
    var outbox = Outbox<TestRow>()
    outbox.add([change], rows: rows(1))
    outbox.add([change], rows: rows(2))
    outbox.showEarly(.init(rows: rows(2)))
    outbox.add([change], rows: rows(3))
    var seen: [[Int]] = []
    repeat {
      seen.append([outbox.delivered.rows.count, outbox.shown.rows.count])
    } while outbox
      .next() != nil
    #expect(seen == [[0, 2], [1, 2], [2, 2], [3, 3]])
  }

  @Test func `a page follows the change that shows its rows`() {
    var outbox = Outbox<TestRow>()
    let pages = (0..<4).map { _ in ListPage<TestRow>() }
    outbox.add(
      [change, .notify(.didSucceed(.first))], rows: rows(1), pages: [pages[0]])
    outbox.add([change], rows: rows(2), pages: [pages[1], pages[2]])
    outbox.add([.finish(load: 1, .notNeeded)], rows: rows(2), pages: [pages[3]])
    var steps: [String] = []
    while let step = outbox.next() {
      switch step {
      case .event(let event): steps.append("\(event)")
      case .page:
        let page = outbox.nextPage()
        steps.append("page \(pages.firstIndex { $0 === page } ?? -1)")
      case .finish: steps.append("finish")
      }
    }
    #expect(
      steps == [
        "didChange inserted 0", "page 0", "didSucceed first", "didChange inserted 0", "page 1",
        "page 2", "page 3", "finish",
      ])
    #expect(outbox.added == 8 && outbox.nextPage() == nil)
  }

  @Test func `two snapshots are the same if nothing changed between them`() {
    let some = rows(2)
    #expect(
      some.isSame(as: some) && !some.isSame(as: rows(2))
        && ListSnapshot<TestRow>().isSame(as: rows(0)))
    #expect(!some.isSame(as: rows(0)))
  }
}
