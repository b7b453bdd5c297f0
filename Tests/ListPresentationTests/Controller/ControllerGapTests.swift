import ListModel
import ListReading
import QuireTesting
import Support
import Testing

@testable import ListPresentation

/// The rows of gaps on a screen.
@MainActor struct ControllerGapTests {
  /// A list with a gap between the rows 200 … 202 and 0 … 5; twelve rows from 203 on are missing.
  private func bench(
    ownPages: Int = 0, _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
  ) async -> ScreenBench {
    let bench = ScreenBench(rows: (0..<60).map { Row(id: $0, group: $0 / 4) }) {
      $0.refresh.pullsUp = false
      configure(&$0)
    } model: {
      $0.gapPages = ownPages
    }
    await bench.model.loadAll(upTo: 6)
    bench.server.rows.withLock { rows in rows.insert(contentsOf: (200..<215).map { Row(id: $0) }, at: 0) }
    _ = await bench.model.refresh(.splice).outcome
    return bench
  }

  private func text(_ bench: ScreenBench) -> String? {
    bench.controller.content(at: RowPosition(section: 0, row: 3))?.title
  }

  @Test func `a gap is a row with a kind and a text of its own`() async {
    let bench = await bench()
    let place = RowPosition(section: 0, row: 3)
    #expect(bench.controller.kind(at: place) == .gap && bench.controller.item(at: place) == nil)
    #expect(bench.controller.gap(at: place)?.id == bench.model.gaps.first?.id)
    #expect(text(bench) == "Rows are missing here. Tap to load them.")
    #expect(bench.view.rows == [["200", "201", "202", "…", "0", "1", "2", "3", "4", "5"]])
  }

  @Test func `selecting a gap loads it until its sides meet`() async {
    let bench = await bench()
    let place = RowPosition(section: 0, row: 3)
    var updates = 0
    bench.view.onApply = { updates += 1 }
    var position = place
    for expected in [206, 209, 212, 215] {
      #expect(bench.controller.select(position) == .handled(by: "list"))
      for await step in bench.model.events { if case .didFinish(.gap) = step.event { break } }
      position.row = expected - 200
      #expect(bench.view.mismatches.isEmpty)
    }
    // One more page shows that nothing is between.
    #expect(bench.controller.gap(at: position) != nil)
    #expect(bench.controller.select(position) == .handled(by: "list"))
    for await step in bench.model.events { if case .didFinish(.gap) = step.event { break } }
    #expect(bench.model.gaps.isEmpty && bench.controller.gap(at: position) == nil)
    #expect(bench.view.rows == [((200..<215).map(\.self) + (0..<6)).map { "\($0)" }])
    #expect(bench.view.mismatches.isEmpty)
    // Each load shows that it has begun, its rows, and that it has ended.
    #expect(updates >= 10)
  }

  @Test func `a gap in sight loads some pages by itself`() async {
    for (pages, rows) in [(0, 3), (2, 9), (9, 15)] {
      let bench = await bench(ownPages: pages)
      func see() {
        let last = RowPosition(section: 0, row: bench.controller.sections.rowCount(inSection: 0) - 1)
        bench.controller.rowsWillAppear(RowPosition(section: 0, row: 0)...last, fillsView: true)
      }
      see()
      while let gap = bench.model.gaps.first, bench.model.state(ofGap: gap.id) == .loading {
        _ = await bench.model.loadGap(gap.id).outcome
        see()
      }
      let above = bench.model.rows.items.prefix { $0.id >= 200 }.count
      #expect(above == rows, "\(pages) pages")
      #expect(bench.view.mismatches.isEmpty)
    }
  }

  @Test func `the sections around a gap stay whole`() async {
    let bench = await bench { $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") } }
    #expect(bench.view.rows == [["200", "201", "202", "…", "0", "1", "2", "3"], ["4", "5"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a gap that fails says so, and a gap without rows on the server says that`() async {
    let bench = await bench()
    bench.server.fail(404)
    var texts: [String?] = []
    bench.view.onApply = { texts.append(text(bench)) }
    bench.controller.select(RowPosition(section: 0, row: 3))
    for await step in bench.model.events { if case .didFinish(.gap) = step.event { break } }
    #expect(texts.first == "Loading…")
    #expect(text(bench) == "Rows are missing here, and the server no longer has them.")
    #expect(bench.model.gaps.first?.unavailable != nil)
    #expect(bench.model.consistency.claim == .mayLack(atMost: nil))
    #expect(bench.view.mismatches.isEmpty)
    let other = await self.bench()
    other.server.fail(500)
    other.controller.select(RowPosition(section: 0, row: 3))
    for await step in other.model.events { if case .didFinish(.gap) = step.event { break } }
    #expect(text(other) == "The rows that are missing here could not be loaded. Tap to try again.")
    _ = await other.model.retry().outcome
    #expect(other.view.rows[0].count == 13)
  }
}
