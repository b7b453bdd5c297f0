import ListModel
import ListReading
import ServerAPI
import Testing

/// What a list shows right after a call.
@MainActor struct ResetTests {
  @Test func `a reset removes the rows in the call`() async {
    let bench = ListBench(pages: 2)
    _ = await bench.model.loadAll()
    bench.model.reset()
    #expect(bench.model.rows.isEmpty && bench.model.count == 0)
    #expect(bench.model.freshness == .nothing)
    await bench.model.eventsDelivered()
    #expect(bench.delegate.rows.isEmpty && bench.delegate.mismatches.isEmpty)
  }

  @Test func `other parameters remove the rows in the call`() async {
    let bench = ListBench(pages: 2)
    _ = await bench.model.loadAll()
    bench.model.params = ["q": "x"]
    #expect(bench.model.rows.isEmpty)
  }

  @Test(arguments: [-1, Int.min])
  func `a page before the first one is no page, whatever the paging`(number: Int) async {
    let bench = ListBench(pages: 2)
    let outcome = await bench.model.loadPage(number).outcome
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.description.contains("\(number)"))
    #expect(!error.description.contains("has no page numbers"))
  }
}
