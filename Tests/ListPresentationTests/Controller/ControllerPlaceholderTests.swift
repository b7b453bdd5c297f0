import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// The placeholders from the first load to the last.
@MainActor struct ControllerPlaceholderTests {
  private func parts(_ placeholder: Placeholder?) -> Placeholder.Content? {
    guard case .parts(let parts) = placeholder?.body else { return nil }
    return parts
  }

  @Test func `an empty first page shows the placeholder only when loaded`() async {
    let bench = ScreenBench(count: 0)
    #expect(bench.controller.placeholder == nil)
    bench.controller.appeared()
    #expect(bench.controller.placeholder?.reason == .loadingFirst)
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .empty)
    #expect(bench.view.placeholders.map { $0?.reason } == [nil, .loadingFirst, .empty])
    #expect(bench.controller.footer == .hidden)
  }

  @Test func `R-20 two empty sections count as empty`() async {
    final class Halves: ListController<Row> {
      override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
        ListSections([
          ListSection("even", header: "Even", items: rows.items.filter { $0.id % 2 == 0 }),
          ListSection("odd", header: "Odd", items: rows.items.filter { $0.id % 2 == 1 }),
        ])
      }
    }
    let bench = ScreenBench(count: 0)
    let controller = Halves(bench.model)
    _ = await bench.model.refresh().outcome
    #expect(controller.sections.sectionCount == 2)
    #expect(controller.placeholder?.reason == .empty)
    bench.server.rows.withLock { $0 = [Row(id: 1)] }
    _ = await bench.model.refresh().outcome
    #expect(controller.placeholder == nil)
    #expect(controller.sections.rowCount(inSection: 1) == 1)
  }

  @Test func `a failed first load shows a placeholder that can retry`() async {
    let bench = ScreenBench(count: 2)
    var actions: [Placeholder.Action.Kind] = []
    bench.controller.onPlaceholderAction = { actions.append($0) }
    bench.transport.enqueue(.status(500))
    bench.controller.appeared()
    await bench.settle()
    guard case .failed = bench.controller.placeholder?.reason else {
      Issue.record("\(String(describing: bench.controller.placeholder))")
      return
    }
    #expect(parts(bench.view.placeholder)?.action?.kind == .retry)
    bench.controller.performPlaceholderAction()
    #expect(bench.controller.placeholder?.reason == .loadingFirst)
    await bench.settle()
    #expect(bench.controller.placeholder == nil && bench.view.rows == [["0", "1"]])
    #expect(actions == [.retry])
    bench.controller.performPlaceholderAction()
    #expect(actions == [.retry])
  }

  @Test func `a failed refresh closes the header and keeps the rows`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.view.calls = []
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.calls == ["begin", "end failed"])
    #expect(bench.view.rows == [["0", "1"]] && bench.controller.placeholder == nil)
    #expect(bench.controller.footer == .noMore(.complete))
  }

  @Test func `filtered rows and an empty list have different reasons`() async {
    let bench = ScreenBench(count: 2) { $0.rows.filter = { _ in false } }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.placeholder?.reason == .filteredEmpty)
    bench.controller.settings.rows.filter = nil
    #expect(bench.controller.placeholder == nil)
    let byList = ScreenBench(
      rows: [Row(id: 0)], model: { $0.filter = { _ in false } })
    _ = await byList.model.refresh().outcome
    #expect(byList.controller.placeholder?.reason == .filteredEmpty)
    byList.server.rows.withLock { $0 = [] }
    _ = await byList.model.refresh().outcome
    #expect(byList.controller.placeholder?.reason == .empty)
    byList.controller.settings.isFiltered = true
    #expect(byList.controller.placeholder?.reason == .filteredEmpty)
  }

  @Test func `a fully filtered first page never looks empty`() async {
    let bench = ScreenBench(rows: [Row(id: 0)], model: { $0.filter = { _ in false } })
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.placeholders.map { $0?.reason } == [nil, .loadingFirst, .filteredEmpty])
  }

  @Test func `the action for filtered rows loads more, and refreshes at the end`() async {
    let bench = ScreenBench(count: 5) { $0.rows.filter = { $0.id > 90 } }
    _ = await bench.model.refresh().outcome
    #expect(parts(bench.view.placeholder)?.action?.kind == .loadMore)
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(
      bench.requestedPages == ["0", "1"] && bench.controller.placeholder?.reason == .filteredEmpty)
    bench.server.rows.withLock { $0 = [Row(id: 91)] }
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(bench.requestedPages == ["0", "1", "0"] && bench.view.rows == [["91"]])
  }

  @Test func `a server that does not respond has a placeholder with the data's age`()
    async
  {
    let bench = ScreenBench(count: 0)
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .unreachable(asOf: nil))
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .empty)
    bench.clock.advance(by: .seconds(600))
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(
      parts(bench.view.placeholder)?.message
        == "The server can't be reached. The last known list is from 22:13")
    bench.server.rows.withLock { $0 = [Row(id: 0), Row(id: 1)] }
    bench.controller.performPlaceholderAction()
    await bench.settle()
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.controller.placeholder == nil && bench.view.rows == [["0", "1"]])
  }

  @Test func `a placeholder changes only with its reason and its plan`() async {
    let bench = ScreenBench(count: 0)
    _ = await bench.model.refresh().outcome
    let shownCount = bench.view.placeholders.count
    _ = await bench.model.refresh().outcome
    #expect(bench.view.placeholders.count == shownCount)
    bench.controller.settings.placeholders.texts.empty = "No books"
    #expect(parts(bench.view.placeholder)?.message == "No books")
    bench.controller.settings.placeholders = .none
    #expect(bench.view.placeholder == nil && bench.controller.placeholder == nil)
  }

  @Test func `removing the last row shows the placeholder`() async throws {
    let bench = ScreenBench(count: 1)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.remove(0))
    for await step in bench.model.events { if case .didChange = step.event { break } }
    #expect(bench.controller.placeholder?.reason == .empty)
    bench.model.rollback(edit)
    for await step in bench.model.events { if case .didChange = step.event { break } }
    #expect(bench.controller.placeholder == nil)
  }

  @Test func `a reset list shows nothing until it loads`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.model.reset()
    for await step in bench.model.events { if step.event == .didReset { break } }
    #expect(bench.controller.placeholder == nil && bench.view.rows == [[]])
    #expect(bench.controller.footer == .hidden)
  }
}
