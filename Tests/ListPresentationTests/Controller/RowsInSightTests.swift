import ListModel
import ListPresentation
import Testing

/// What a view tells of rows that come into sight.
@MainActor @Suite struct RowsInSightTests {
  @Test func `rows that are told of one by one have the next page loaded`() async {
    let bench = ScreenBench(count: 9) { $0.refresh.prefetchDistance = 0 }
    _ = await bench.model.refresh().outcome
    bench.controller.rowWillAppear(at: RowPosition(row: 1))
    #expect(bench.asked == ["0"])
    bench.controller.rowWillAppear(at: RowPosition(row: 2))
    await bench.settle()
    #expect(bench.asked == ["0", "1"])
    bench.controller.rowWillAppear(at: RowPosition(section: 7, row: 2))
    #expect(bench.asked == ["0", "1"])
  }
}
