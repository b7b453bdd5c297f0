import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import TerminalList

/// Gaps in the terminal.
@MainActor struct TerminalGapTests {
  @Test func `a gap is a line that enter loads, and the selected row keeps its line`() async throws {
    let newest = Lock(6)
    let transport = MockTransport { request in
      let start = request.query["offset"].flatMap { Int($0) } ?? 0
      let all = Array((1...newest.withLock { $0 }).reversed())
      let rows = all.dropFirst(start).prefix(3).map { #"{"id":\#($0),"title":""}"# }.joined(separator: ",")
      return .json(#"{"rows":[\#(rows)],"total":\#(all.count)}"#)
    }
    let model = ListModel<Book>(
      Server("https://test", transport: transport), "/", items: "rows",
      paging: .offset(limit: 3, endsBy: .total("total"))
    ) { $0.gapPages = 0 }
    await model.loadAll()
    let controller = ListController(model, kinds: CellKinds<Book> { $0.content = { RowContent("\($0.id)") } })
    let view = TerminalListView<Book>(controller)
    view.resize(to: ScreenSize(columns: 60, rows: 20))
    controller.attach(view)
    newest.withLock { $0 = 12 }
    _ = await model.refresh(.splice).outcome
    func lines() -> [String] {
      let content = view.visibleContent()
      return content.keys.sorted().compactMap { content[$0]?.title }
    }
    #expect(lines() == ["12", "11", "10", "⋯ 3 rows are missing, press ⏎ to load them", "6", "5", "4", "3", "2", "1"])
    #expect(view.screen(turn: 0).text(ofRow: 19).contains("rows may be missing"))
    _ = view.press(.home)
    for _ in 0..<3 { _ = view.press(.down) }
    _ = view.press(.enter)
    let gap = try #require(model.gaps.first)
    #expect(model.state(ofGap: gap.id) == .loading)
    // Joins the load that the key has started.
    _ = await model.loadGap(gap.id).outcome
    #expect(lines().prefix(3) == ["12", "11", "10"] && lines().count > 10)
    for _ in 0..<2 { _ = await model.loadGap(gap.id).outcome }
    #expect(lines() == (1...12).reversed().map { "\($0)" })
  }
}
