import ListModel
import ListPresentation
import Testing

/// Visible rows that a view reports.
@MainActor @Suite struct RowsInSightTests {
  @Test func `rows reported one by one load the next page`() async {
    let bench = ScreenBench(count: 9) { $0.refresh.prefetchDistance = 0 }
    _ = await bench.model.refresh().outcome
    bench.controller.rowWillAppear(at: RowPosition(row: 1))
    #expect(bench.requestedPages == ["0"])
    bench.controller.rowWillAppear(at: RowPosition(row: 2))
    await bench.settle()
    #expect(bench.requestedPages == ["0", "1"])
    bench.controller.rowWillAppear(at: RowPosition(section: 7, row: 2))
    #expect(bench.requestedPages == ["0", "1"])
  }
}
