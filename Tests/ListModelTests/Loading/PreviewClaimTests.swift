import ServerAPI
import Testing

@testable import ListModel
@testable import ListReading

/// What is claimed of lists that show stored pages.
struct PreviewClaimTests {
  private static let paging = Paging.pageNumber(size: 2, first: 0)

  private func page(_ number: Int, _ ids: [Int], total: Int?, isLast: Bool = false) -> LoadedPage<Int> {
    let page = ListPage<Int>()
    page.facts = PageFacts(next: isLast ? .end : .page(PageKey(.number(number + 1))), total: total)
    return LoadedPage(
      rows: PageRows(
        key: PageKey(.number(number)), items: ids, ids: ids.map { RowID($0) }, fingerprint: ids.hashValue),
      page: page)
  }

  /// A list with its first page, and the number of the request for the next one.
  private func begin(_ brain: inout ListBrain<Int>, total: Int?) throws -> Int {
    let first = try #require(brain.request(.first, load: 1).requested)
    _ = brain.arrived(first, page(0, [10, 11], total: total), by: Self.paging, next: Self.paging)
    return try #require(brain.request(.next, load: 2).requested)
  }

  @Test(arguments: [true, false])
  func `a stored page without the server's is joined by nothing`(isCancelled: Bool) throws {
    var brain = ListBrain<Int>(first: PageKey(.number(0)), settings: ListSettings())
    let next = try begin(&brain, total: nil)
    _ = brain.previewed(next, page(1, [12, 13], total: nil))
    #expect(brain.machine.consistency.seams.isEmpty)
    if isCancelled {
      _ = brain.cancel(load: 2)
    } else {
      _ = brain.refresh(.keepVisible, load: 3)
    }
    #expect(brain.rows.items.map(\.self) == [10, 11, 12, 13])
    #expect(brain.machine.consistency.seams == [.assumed: 1])
  }

  @Test func `a lower total beside a stored page ends the list as incomplete`() throws {
    var brain = ListBrain<Int>(first: PageKey(.number(0)), settings: ListSettings())
    let next = try begin(&brain, total: 4)
    _ = brain.previewed(next, page(1, [12, 13], total: 4, isLast: true))
    // Row 10 has gone meanwhile, so that row 12 is on the first page.
    _ = brain.arrived(next, page(1, [13], total: 3, isLast: true), by: Self.paging)
    #expect(brain.rows.items.map(\.self) == [10, 11, 13])
    #expect(brain.machine.state(of: .next) != .reachedEnd(.complete))
  }

  @Test func `a removal that a stored page doesn't know is expected once`() throws {
    var brain = ListBrain<Int>(first: PageKey(.number(0)), settings: ListSettings())
    let next = try begin(&brain, total: 5)
    let edit = try brain.edit(.remove(RowID(11)))
    _ = brain.confirm(edit.id)
    _ = brain.previewed(next, page(1, [11, 12], total: 5))
    // Row 12 is missing: four rows are left, and the list has three.
    _ = brain.arrived(next, page(1, [13, 14], total: 4, isLast: true), by: Self.paging)
    #expect(brain.rows.items.map(\.self) == [10, 13, 14])
    #expect(brain.machine.state(of: .next) != .reachedEnd(.complete))
  }
}

extension [ListEffect] {
  /// The number of the request among the effects.
  fileprivate var requested: Int? {
    for case .request(let number, _, _) in self { return number }
    return nil
  }
}
