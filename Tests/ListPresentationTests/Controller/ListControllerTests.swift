import ItemMapping
import ListModel
import ListPresentation
import Observation
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// A list on a screen, from its first load to its last page.
@MainActor struct ListControllerTests {
  private func parts(_ placeholder: Placeholder?) -> PlaceholderContent? {
    guard case .parts(let parts) = placeholder?.body else { return nil }
    return parts
  }

  // MARK: - Rows

  @Test func `REF-03 REF-04 rows are replaced in one step and appended exactly`() async {
    let bench = ScreenBench(count: 7)
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    _ = bench.server.rows.withLock { $0.remove(at: 1) }
    _ = await bench.model.refresh().outcome
    #expect(
      bench.view.told == [
        "all", "section 0: inserted 0…2", "section 0: inserted 3…5",
        "section 0: removed 1 4…5",
      ])
    #expect(bench.view.rows == [["0", "2", "3"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `the view has the rows before the delegate of the list is told`() async {
    let bench = ScreenBench(count: 7)
    final class Delegate: ListModelDelegate {
      var seen: [Int] = []
      var count: () -> Int = { 0 }
      func listModel(_ model: any PagedList, didChange change: ListChange) { seen.append(count()) }
      func listModel(_ model: any PagedList, didFail kind: LoadKind, error: LoadError) {}
    }
    let delegate = Delegate()
    delegate.count = { bench.view.rows.joined().count }
    bench.model.delegate = delegate
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(delegate.seen == [3, 6])
  }

  @Test func `CX-18 R-14 pages that overlap show each row once`() async {
    let transport = MockTransport { request in
      request.query["page"] == "1"
        ? page((38..<80).map { Row(id: $0) }, more: false)
        : page((0..<40).map { Row(id: $0) }, more: true)
    }
    let model = ListModel<Row>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(size: 40, first: 0, endsBy: .hasNext("more")))
    let controller = ListController(model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    controller.refresh()
    _ = await model.loadAll()
    #expect(view.rows == [(0..<80).map { "\($0)" }])
    #expect(model.duplicateCount == 2)
    #expect(view.mismatches.isEmpty)
  }

  @Test func `a view that does not commit has the new rows all the same`() async {
    let bench = ScreenBench(count: 3)
    bench.view.commits = false
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.sections.rowCount == 3)
  }

  @Test func `a view that wants all rows anew gets them with each change`() async {
    let bench = ScreenBench(count: 5) { $0.replacesRows = true }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.view.told == ["all", "all", "all"])
    #expect(bench.view.rows == [["0", "1", "2", "3", "4"]])
  }

  @Test func `a view that comes later, or in place of another, gets what there is`() async {
    let bench = ScreenBench(count: 3)
    let gate = Gate()
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(page([Row(id: 9)], more: false).held(by: gate))
    bench.controller.refresh()
    #expect(bench.view.refreshing == 1)
    let second = RecordingListView()
    second.controller = bench.controller
    bench.controller.attach(second)
    #expect(bench.view.refreshing == 0 && second.refreshing == 1)
    #expect(second.rows == [["0", "1", "2"]] && second.header == .loading)
    await gate.reached()
    gate.open()
    await bench.settle()
    #expect(second.rows == [["9"]] && second.refreshing == 0)
    #expect(bench.view.rows == [["0", "1", "2"]])
    #expect(second.mismatches.isEmpty && bench.view.mismatches.isEmpty)
  }

  @Test func `rows are divided where the section of an item changes, and filtered`() async {
    let rows = (0..<9).map { Row(id: $0, group: $0 / 2 % 2) }
    let bench = ScreenBench(rows: rows) {
      $0.section = { SectionLabel($0.group, header: "group \($0.group)") }
      $0.filter = { $0.id != 3 }
      $0.refresh.pullsUp = false
    }
    await bench.model.loadAll()
    #expect(bench.view.rows == [["0", "1"], ["2"], ["4", "5"], ["6", "7"], ["8"]])
    let sections = bench.controller.sections
    #expect(sections.header(ofSection: 1) == "group 1")
    #expect(Set(sections.sections.map(\.id)).count == 5)
    #expect(sections.section(at: 1)?.rows.listPosition(at: 0) == 2)
    #expect(sections.section(at: 2)?.rows.listPosition(at: 0) == 4)
    bench.controller.settings.filter = nil
    #expect(bench.view.rows == [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"], ["8"]])
    bench.controller.settings.section = nil
    #expect(bench.view.rows == [(0..<9).map { "\($0)" }])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a page behind many rows has only its own rows divided, and no row is copied`() async {
    var asked = 0
    let bench = ScreenBench(rows: (0..<300).map { Row(id: $0, group: $0 / 50) }) {
      $0.section = { row in
        asked += 1
        return SectionLabel(row.group)
      }
      $0.refresh.pullsUp = false
    }
    await bench.model.loadAll(upTo: 297)
    asked = 0
    _ = await bench.model.loadNextPage().outcome
    #expect(asked == 3)
    #expect(bench.view.rows.map(\.count) == Array(repeating: 50, count: 6))
    #expect(bench.view.changes.last?.rows.map(\.change) == [ListChange(inserted: [47..<50])])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `in each section exactly the rows that differ are updated`() async {
    let bench = ScreenBench(rows: (0..<3).map { Row(id: $0, group: $0 / 2) }) {
      $0.section = { SectionLabel($0.group, header: $0.text) }
    }
    _ = await bench.model.refresh().outcome
    bench.server.rows.withLock { rows in
      rows[1].text = "!"
      rows[2].text = "?"
    }
    _ = await bench.model.refresh().outcome
    #expect(
      bench.view.told.last == "sections: updated 1; section 0: updated 1; section 1: updated 0")
    #expect(bench.view.rows == [["0", "1!"], ["2?"]] && bench.view.mismatches.isEmpty)
  }

  /// Rows of the program's own above and below those of the list.
  private final class Framed: ListController<Row> {
    var pinned = [Row(id: -1)]

    override func sections(of rows: ListSnapshot<Row>) -> ListSections<Row>? {
      ListSections([
        ListSection("pinned", header: "Pinned", items: pinned),
        ListSection("list", rows: SectionRows(rows)),
      ])
    }
  }

  @Test func `a subclass divides rows in a way of its own`() async {
    let bench = ScreenBench(count: 5)
    let controller = Framed(bench.model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    #expect(view.rows == [["-1"], []])
    _ = await bench.model.refresh().outcome
    #expect(view.rows == [["-1"], ["0", "1", "2"]])
    #expect(view.told.last == "section 1: inserted 0…2")
    controller.pinned.append(Row(id: -2))
    controller.divideAnew()
    #expect(view.rows == [["-1", "-2"], ["0", "1", "2"]])
    #expect(view.told.last == "section 0: inserted 1")
    #expect(view.mismatches.isEmpty)
  }

  @Test func `settings that change while the view applies rows wait for it`() async {
    let bench = ScreenBench(count: 5)
    bench.view.onApply = { [weak controller = bench.controller] in
      if controller?.settings.filter == nil { controller?.settings.filter = { $0.id != 1 } }
    }
    _ = await bench.model.refresh().outcome
    #expect(bench.view.rows == [["0", "2"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `observers are told of rows, controls and placeholder`() async {
    let bench = ScreenBench(count: 3)
    let seen = Mutex<[String]>([])
    func observe(_ name: String, _ read: () -> Void) {
      withObservationTracking(read) { seen.withLock { $0.append(name) } }
    }
    observe("placeholder") { _ = bench.controller.placeholder }
    observe("rows") { _ = bench.controller.sections }
    bench.controller.refresh(silently: true)
    #expect(seen.withLock { $0 } == ["placeholder"])
    await bench.settle()
    #expect(seen.withLock { $0 } == ["placeholder", "rows"])
  }

  // MARK: - Placeholders

  @Test func `R-19 XY-05 CX-23 a first page that is empty shows so, and not before it came`() async
  {
    let bench = ScreenBench(count: 0)
    #expect(bench.controller.placeholder == nil)
    bench.controller.appeared()
    #expect(bench.controller.placeholder?.reason == .loadingFirst)
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .empty)
    #expect(bench.view.placeholders.map { $0?.reason } == [nil, .loadingFirst, .empty])
    #expect(bench.controller.footer == .hidden)
  }

  @Test func `R-20 CX-22 two sections that are both empty are empty`() async {
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

  @Test func `R-21 CX-24 XT-15 a first load that fails shows so, and its action tries again`() async
  {
    let bench = ScreenBench(count: 2)
    var actions: [PlaceholderAction.Kind] = []
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

  @Test func `R-22 CX-17 a refresh that fails ends its header and hides no rows`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.view.told = []
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.told == ["begin", "end failed"])
    #expect(bench.view.rows == [["0", "1"]] && bench.controller.placeholder == nil)
    #expect(bench.controller.footer == .noMore(.complete))
  }

  @Test func `XY-15 rows that are filtered out are another reason than none`() async {
    let bench = ScreenBench(count: 2) { $0.filter = { _ in false } }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.placeholder?.reason == .filteredEmpty)
    bench.controller.settings.filter = nil
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

  @Test func `the action of rows that are filtered out looks further, and again at the end`() async
  {
    let bench = ScreenBench(count: 5) { $0.filter = { $0.id > 90 } }
    _ = await bench.model.refresh().outcome
    #expect(parts(bench.view.placeholder)?.action?.kind == .loadMore)
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(bench.asked == ["0", "1"] && bench.controller.placeholder?.reason == .filteredEmpty)
    bench.server.rows.withLock { $0 = [Row(id: 91)] }
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(bench.asked == ["0", "1", "0"] && bench.view.rows == [["91"]])
  }

  @Test func `offline is a reason of its own, with the age of what is known, and hides no rows`()
    async
  {
    let bench = ScreenBench(count: 0)
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .offline(asOf: nil))
    bench.controller.performPlaceholderAction()
    await bench.settle()
    #expect(bench.controller.placeholder?.reason == .empty)
    bench.clock.advance(by: .seconds(600))
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(
      parts(bench.view.placeholder)?.message == "You are offline. What is known is from 22:13")
    bench.server.rows.withLock { $0 = [Row(id: 0), Row(id: 1)] }
    bench.controller.performPlaceholderAction()
    await bench.settle()
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.controller.placeholder == nil && bench.view.rows == [["0", "1"]])
  }

  @Test func `XY-06 CX-20 a placeholder changes with its reason and its plan, and only then`() async
  {
    let bench = ScreenBench(count: 0)
    _ = await bench.model.refresh().outcome
    let told = bench.view.placeholders.count
    _ = await bench.model.refresh().outcome
    #expect(bench.view.placeholders.count == told)
    bench.controller.settings.placeholders.texts.empty = "No books"
    #expect(parts(bench.view.placeholder)?.message == "No books")
    bench.controller.settings.placeholders = .none
    #expect(bench.view.placeholder == nil && bench.controller.placeholder == nil)
  }

  @Test func `CX-21 an edit that takes the last row out shows the placeholder`() async throws {
    let bench = ScreenBench(count: 1)
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.remove(0))
    for await step in bench.model.events { if case .didChange = step.event { break } }
    #expect(bench.controller.placeholder?.reason == .empty)
    bench.model.rollback(edit)
    for await step in bench.model.events { if case .didChange = step.event { break } }
    #expect(bench.controller.placeholder == nil)
  }

  @Test func `a list that begins anew shows nothing until it is asked`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.model.reset()
    for await step in bench.model.events { if step.event == .didReset { break } }
    #expect(bench.controller.placeholder == nil && bench.view.rows == [[]])
    #expect(bench.controller.footer == .hidden)
  }

  // MARK: - Refreshing

  @Test func `REF-02 REF-05 a pull refreshes, and its header ends with the load`() async {
    let bench = ScreenBench(count: 2)
    _ = await bench.model.refresh().outcome
    bench.view.told = []
    bench.controller.didScroll(ScrollGeometry(offset: -30, viewport: 100, content: 50))
    #expect(bench.view.header == .pulling(0.5))
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    #expect(bench.view.header == .loading && bench.view.refreshing == 1)
    await bench.settle()
    #expect(bench.view.told == ["begin", "end"] && bench.view.header == .idle)
  }

  @Test func `REF-08 a refresh by program, one of the list and a pull are one request`() async {
    let bench = ScreenBench(count: 2)
    bench.model.refresh()
    bench.controller.refresh(silently: true)
    bench.controller.refresh()
    bench.controller.didPullDown(80)
    bench.controller.didRelease()
    await bench.settle()
    #expect(bench.asked == ["0"])
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test func `a controller made while its list is refreshed waits for that`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    let refresh = bench.model.refresh()
    let controller = ListController(bench.model)
    let view = RecordingListView()
    view.controller = controller
    controller.attach(view)
    controller.loadMore()
    controller.refresh()
    #expect(bench.model.state(of: .next) == .idle && view.refreshing == 1)
    _ = await refresh.outcome
    #expect(view.refreshing == 0 && bench.asked == ["0", "0"])
    controller.loadMore()
    #expect(controller.footer == .loading)
    await bench.settle()
    #expect(view.rows == [["0", "1", "2", "3", "4", "5"]] && view.mismatches.isEmpty)
  }

  @Test func `a header whose refresh is cancelled ends`() async {
    let bench = ScreenBench(count: 2)
    let gate = Gate()
    bench.transport.enqueue(page([], more: false).held(by: gate))
    bench.controller.refresh()
    await gate.reached()
    bench.model.cancel()
    for await step in bench.model.events { if step.event == .didFinish(.first) { break } }
    #expect(bench.view.told.suffix(2) == ["begin", "end cancelled"])
    #expect(bench.controller.placeholder == nil)
  }

  @Test func `a refresh asked for right after a cancel is made`() async {
    let bench = ScreenBench(count: 2)
    bench.controller.refresh()
    bench.model.cancel()
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.rows == [["0", "1"]])
    #expect(
      bench.view.told.filter { $0.contains("e") && !$0.contains("section") } == [
        "begin", "end cancelled", "begin", "end",
      ])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a header ends with the list that takes another one's place`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    bench.view.told = []
    bench.controller.refresh()
    _ = await bench.model.loadPage(2).outcome
    #expect(bench.view.told.first == "begin" && bench.view.told.last == "end")
    #expect(bench.view.refreshing == 0 && bench.view.rows == [["6", "7", "8"]])
  }

  @Test func `a header that shows ends when its controller goes`() async {
    let bench = ScreenBench(count: 2)
    let view = RecordingListView()
    var controller: ListController<Row>? = ListController(bench.model)
    view.controller = controller
    controller?.attach(view)
    controller?.refresh()
    #expect(view.refreshing == 1)
    weak let gone = controller
    controller = nil
    #expect(gone == nil && view.refreshing == 0)
    await bench.settle()
    #expect(bench.view.rows == [["0", "1"]])
  }

  @Test func `R-26 XT-14 a refresh of the program's own ends once, by its token or without it`()
    async
  {
    let bench = ScreenBench(count: 2)
    var tokens: [RefreshToken] = []
    bench.controller.settings.refreshHandler = { tokens.append($0) }
    bench.controller.refresh()
    bench.controller.refresh()
    #expect(tokens.count == 1 && bench.view.refreshing == 1)
    // What the list does meanwhile does not end it.
    _ = await bench.model.refresh().outcome
    #expect(bench.view.refreshing == 1)
    tokens[0].end(.succeeded)
    tokens[0].end(.cancelled)
    #expect(bench.view.refreshing == 0 && bench.view.told.last == "end")
    bench.controller.refresh()
    tokens[0].end(.succeeded)
    #expect(tokens.count == 2 && bench.view.refreshing == 1)
    tokens = []
    #expect(bench.view.refreshing == 0 && bench.view.told.last == "end cancelled")
    bench.controller.settings.refreshHandler = { _ in }
    bench.controller.refresh()
    #expect(bench.view.refreshing == 0 && bench.view.mismatches.isEmpty)
  }

  @Test func `a refresh that its token leaves to the list goes on as one of the list`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    bench.controller.settings.refreshHandler = { [model = bench.model] token in
      model.refresh()
      token.end(.succeeded)
    }
    bench.controller.refresh()
    bench.controller.loadMore()
    #expect(bench.model.state(of: .next) == .idle)
    await bench.settle()
    bench.controller.loadMore()
    #expect(bench.model.state(of: .next) == .loading)
    await bench.settle()
  }

  @Test func `CX-13 what is old enough is refreshed when it appears`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .ifOlderThan(.seconds(60)) }
    bench.controller.appeared()
    await bench.settle()
    bench.clock.advance(by: .seconds(59))
    bench.controller.appeared()
    bench.controller.disappeared()
    bench.controller.appeared()
    #expect(bench.asked == ["0"] && bench.model.refreshState == .idle)
    bench.clock.advance(by: .seconds(1))
    bench.controller.disappeared()
    bench.controller.appeared()
    await bench.settle()
    #expect(bench.asked == ["0", "0"])
    bench.transport.enqueue(.failure(.connectRefused))
    bench.clock.advance(by: .seconds(60))
    for asked in 3...4 {
      // A refresh that failed makes rows no younger.
      bench.controller.disappeared()
      bench.controller.appeared()
      await bench.settle()
      #expect(bench.asked.count == asked)
    }
  }

  @Test func `CX-13 what a refresh of the program's own brought is as old as that refresh`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .ifOlderThan(.seconds(60)) }
    _ = await bench.model.refresh().outcome
    var refreshes = 0
    bench.controller.settings.refreshHandler = { token in
      refreshes += 1
      token.end(.succeeded)
    }
    bench.clock.advance(by: .seconds(60))
    for _ in 0..<2 {
      bench.controller.appeared()
      bench.controller.disappeared()
    }
    #expect(refreshes == 1)
    bench.clock.advance(by: .seconds(60))
    bench.controller.appeared()
    #expect(refreshes == 2)
  }

  @Test func `what was kept is no refresh: who wants one does not join it`() async {
    let bench = ScreenBench(count: 2) { $0.refresh.autoRefresh = .first }
    let restore = bench.model.restore()
    bench.controller.appeared()
    #expect(await restore.outcome == .notNeeded)
    await bench.settle()
    #expect(bench.asked == ["0"] && bench.view.rows == [["0", "1"]])
    #expect(bench.view.refreshing == 0 && bench.view.header == .idle)
  }

  // MARK: - Further pages

  @Test func `REF-06 R-07 the end is shown, and found out anew by a refresh`() async {
    let bench = ScreenBench(count: 5)
    await bench.model.loadAll()
    #expect(bench.view.footer == .noMore(.complete))
    bench.controller.loadMore()
    bench.server.rows.withLock { $0 += [Row(id: 5), Row(id: 6)] }
    bench.controller.refresh()
    #expect(bench.view.footer == .noMore(.complete))
    await bench.settle()
    #expect(bench.view.footer == .idle)
    await bench.model.loadAll()
    #expect(bench.view.rows == [["0", "1", "2", "3", "4", "5", "6"]])
  }

  @Test func `R-01 a next page that failed shows in the footer, and a tap loads that page`() async {
    let bench = ScreenBench(count: 5)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    bench.controller.loadMore()
    #expect(bench.view.footer == .loading)
    await bench.settle()
    guard case .failed = bench.view.footer else {
      Issue.record("\(bench.view.footer)")
      return
    }
    #expect(bench.view.rows == [["0", "1", "2"]] && bench.controller.placeholder == nil)
    bench.controller.loadMore()
    await bench.settle()
    #expect(bench.asked == ["0", "1", "1"] && bench.view.rows == [["0", "1", "2", "3", "4"]])
  }

  @Test func `the next page is loaded when the last rows come near`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.prefetchDistance = 1 }
    _ = await bench.model.refresh().outcome
    bench.controller.willShow(visible(0, 0))
    #expect(bench.model.state(of: .next) == .idle)
    bench.controller.willShow(visible(0, 1))
    #expect(bench.model.state(of: .next) == .loading)
    await bench.settle()
    #expect(bench.asked == ["0", "1"])
    bench.controller.willShow(
      VisibleRows(RowPosition(row: 7)...RowPosition(row: 9), fillsView: true))
    #expect(bench.model.state(of: .next) == .idle)
  }

  private func visible(_ first: Int, _ last: Int, fills: Bool = true) -> VisibleRows {
    VisibleRows(RowPosition(row: first)...RowPosition(row: last), fillsView: fills)
  }

  @Test func `the list does not look ahead by itself where the footer is turned off`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.pullsUp = false }
    _ = await bench.model.refresh().outcome
    bench.controller.willShow(visible(0, 2))
    _ = await bench.model.refresh().outcome
    #expect(bench.model.state(of: .next) == .idle && bench.asked == ["0", "0"])
  }

  @Test func `rows that do not fill the view have some more pages loaded`() async {
    let bench = ScreenBench(count: 60) { $0.refresh.unaskedPages = 3 }
    bench.view.visibleRows = VisibleRows(nil, fillsView: false)
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.told.contains("end") && bench.view.told.contains("section 0: inserted 0…2"))
    #expect(bench.asked == ["0", "1", "2", "3"])
    #expect(bench.view.footer == .idle)
  }

  @Test func `rows given up to save memory come back when they are in sight`() async {
    let bench = ScreenBench(
      rows: (0..<30).map { Row(id: $0) }, { $0.refresh.pullsUp = false },
      model: { $0.window = .rows(6) })
    await bench.model.loadAll()
    #expect(bench.view.rows[0].contains("…") && bench.view.rows[0].count == 30)
    bench.controller.willShow(visible(0, 1))
    for await step in bench.model.events { if case .didFinish = step.event { break } }
    #expect(bench.view.rows[0].first == "0")
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `pages before the first one are loaded when the first rows come near`() async {
    let bench = ScreenBench(count: 30) { $0.refresh.prefetchDistance = 0 }
    _ = await bench.model.loadPage(4).outcome
    bench.controller.willShow(visible(1, 1))
    #expect(bench.model.state(of: .previous) == .idle)
    bench.controller.willShow(visible(0, 0))
    #expect(bench.model.state(of: .previous) == .loading)
    _ = await bench.model.loadPreviousPage().outcome
    #expect(bench.view.rows == [["9", "10", "11", "12", "13", "14"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  // MARK: - Cells

  @Test func `kinds, contents and cells go by provider, item, kind and default`() async {
    final class Cell { var text = "" }
    var kinds = CellKinds<Row>()
    kinds.add("row", for: Row.self) {
      $0.content = { RowContent("row \($0.id)", image: .address("https://test/\($0.id).png")) }
      $0.configure(Cell.self) { cell, row, position in cell.text = "\(row) at \(position)" }
    }
    kinds.add("special", for: Row.self) { $0.content = { _ in RowContent("special") } }
    let bench = ScreenBench(rows: [Row(id: 0), Row(id: 1)], kinds: kinds) {
      $0.kind = { $0.id == 0 ? "row" : "" }
    }
    _ = await bench.model.refresh().outcome
    let (first, second) = (RowPosition(row: 0), RowPosition(row: 1))
    #expect(bench.controller.kind(at: first) == "row")
    #expect(bench.controller.kind(at: second) == "special")
    #expect(bench.controller.kind(at: RowPosition(row: 2)) == nil)
    #expect(bench.controller.content(at: first)?.title == "row 0")
    #expect(bench.controller.content(at: second)?.title == "special")
    #expect(bench.controller.content(at: RowPosition(row: 2)) == nil)
    bench.controller.settings.content = { $0.id == 0 ? RowContent("provided") : nil }
    #expect(bench.controller.content(at: first)?.title == "provided")
    let cell = Cell()
    #expect(bench.controller.configure(cell, at: first) && cell.text == "0 at 0/0")
    #expect(!bench.controller.configure("no cell", at: first))
    #expect(!bench.controller.configure(cell, at: second))
    #expect(!bench.controller.configure(cell, at: RowPosition(row: 2)))
  }

  @Test func `TBL-07 a row that changed is measured again, and the view is told of other heights`()
    async
  {
    var kinds = CellKinds<Row>()
    kinds.addStandard { $0.height = { row, width in width + Double(row.text.count) } }
    let bench = ScreenBench(rows: [Row(id: 0), Row(id: 1)], kinds: kinds)
    _ = await bench.model.refresh().outcome
    bench.controller.widthChanged(to: 100)
    let first = RowPosition(row: 0)
    #expect(bench.controller.height(at: first) == 100)
    bench.server.rows.withLock { $0[0].text = "abc" }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.height(at: first) == 103)
    #expect(bench.controller.height(at: RowPosition(row: 5)) == 0)
    bench.view.told = []
    bench.controller.widthChanged(to: 100)
    bench.controller.widthChanged(to: .nan)
    #expect(bench.view.told.isEmpty)
    bench.controller.widthChanged(to: 200)
    #expect(bench.controller.height(at: first) == 203)
    bench.controller.invalidateHeight(of: 0)
    bench.controller.invalidateHeights(of: .standard)
    bench.controller.invalidateHeights()
    #expect(bench.view.told == ["heights", "heights", "heights", "heights"])
  }

  @Test func `a row is brought into sight by its id`() async {
    let bench = ScreenBench(count: 3) { $0.section = { SectionLabel($0.id) } }
    _ = await bench.model.refresh().outcome
    #expect(bench.controller.scroll(to: 2) && bench.view.told.last == "scroll 2/0")
    #expect(!bench.controller.scroll(to: 7))
  }

  @Test func `R-24 a screen that goes takes its list along`() async {
    let transport = MockTransport { _ in page([Row(id: 0)], more: false) }
    var controller: ListController<Row>? = ListController(
      ListModel<Row>(
        Server("https://test", transport: transport), "/rows", items: "rows", paging: .single))
    weak let model = controller?.model
    controller?.refresh()
    controller = nil
    #expect(model == nil)
  }
}
