import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// What a list does with the pages that its reading asks for.
@Suite struct DrivenReadingTests {
  private static let paging = Paging.pageNumber(size: 2, first: 0)

  private func page(
    _ number: Int, _ items: [Int], total: Int, hiding: [Int] = [], next: PageFacts.Link? = nil
  ) -> LoadedPage<Int> {
    let page = ListPage<Int>()
    page.facts = PageFacts(
      next: next ?? .page(PageKey(.number(number + 1))),
      previous: .page(PageKey(.number(number - 1))), total: total)
    let shown = items.filter { !hiding.contains($0) }
    var loaded = LoadedPage(
      rows: PageRows(
        key: PageKey(.number(number)), items: shown, ids: shown.map { RowID($0) },
        filteredIDs: hiding.map { RowID($0) }, fingerprint: items.hashValue), page: page)
    loaded.filtered = hiding.count
    return loaded
  }

  /// The only request among the effects.
  private func request(_ effects: [ListEffect]) throws -> (number: Int, key: PageKey) {
    let requests = effects.compactMap { effect in
      if case .request(let number, _, let key) = effect { (number, key) } else { nil }
    }
    try #require(requests.count == 1, "\(effects)")
    return requests[0]
  }

  @Test func `a page at the other side arrives while rows that moved are looked for`() throws {
    var brain = ListBrain<Int>(first: PageKey(.number(0)), settings: ListSettings())
    func arrive(_ number: Int, _ page: LoadedPage<Int>) -> [ListEffect] {
      brain.arrived(number, page, by: Self.paging, next: Self.paging).effects
    }
    let first = try request(brain.request(.page(5), load: 1, key: PageKey(.number(5))))
    _ = arrive(first.number, page(5, [10, 11], total: 20))
    let next = try request(brain.request(.next, load: 2))
    let previous = try request(brain.request(.previous, load: 3))
    // A row in front of all pages has gone: row 12 is on page 5 now.
    let search = try request(arrive(next.number, page(6, [13, 14], total: 19)))
    #expect(search.key.place == .number(5))
    _ = arrive(previous.number, page(4, [8, 9], total: 19))
    _ = arrive(search.number, page(5, [11, 12], total: 19))
    #expect(brain.rows.items.map(\.self) == [8, 9, 10, 11, 12, 13, 14])
    #expect(brain.machine.consistency.seams[.mended] == 1)
  }

  @Test(arguments: [[], [12], [12, 13]])
  func `rows that a filter leaves out are read like others`(hidden: [Int]) throws {
    var brain = ListBrain<Int>(first: PageKey(.number(5)), settings: ListSettings())
    let first = try request(brain.request(.first, load: 1))
    _ = brain.arrived(
      first.number, page(5, [10, 11], total: 4), by: Self.paging, next: Self.paging)
    let next = try request(brain.request(.next, load: 2))
    _ = brain.arrived(
      next.number, page(6, [12, 13], total: 4, hiding: hidden, next: .end), by: Self.paging)
    #expect(brain.rows.items.map(\.self) == (10...13).filter { !hidden.contains($0) })
    #expect(brain.machine.state(of: .next) == .reachedEnd(.complete))
    #expect(brain.machine.extent?.reading.record.endSign == .counted)
  }
}
