import ListModel
import ListPresentation
import Observation
import QuireTesting
import ServerAPI
import Testing

/// A controller of rows that the program has itself.
@MainActor struct LocalRowsTests {
  /// A list of the program, its controller, and a view.
  @MainActor private final class Bench {
    let list: LocalList<Row>
    let controller: ListController<Row>
    let view = RecordingListView()

    init(
      _ list: LocalList<Row>, kinds: CellKinds<Row> = CellKinds(),
      _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
    ) {
      self.list = list
      controller = ListController(list, kinds: kinds, configure: configure)
      view.controller = controller
      controller.attach(view)
    }

    convenience init(
      count: Int, kinds: CellKinds<Row> = CellKinds(),
      _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
    ) {
      self.init(LocalList((0..<count).map { Row(id: $0) }), kinds: kinds, configure)
    }

    var isInStep: Bool { view.mismatches.isEmpty && view.structure.isEmpty }
  }

  @Test func `XT-02 an array is shown with kinds, heights, actions and no load controls`() async {
    var selected: [Int] = []
    let kinds = CellKinds<Row> {
      $0.height = { row, _ in Double(row.id * 10) }
      $0.content = { RowContent("Row \($0.id)") }
      $0.select = { [weak log = Log.shared] row, _ in log?.ids.append(row.id) }
    }
    Log.shared.ids = []
    let bench = Bench(count: 3, kinds: kinds)
    bench.controller.appeared()
    let second = RowPosition(row: 1)
    #expect(bench.view.rows == [["0", "1", "2"]])
    #expect(bench.controller.height(at: second) == 10)
    #expect(bench.controller.content(at: second) == RowContent("Row 1"))
    #expect(bench.controller.select(second) == .handled(by: "kind standard"))
    selected = Log.shared.ids
    #expect(selected == [1] && bench.controller.position(of: 2) == RowPosition(row: 2))
    // Nothing can be loaded, so there is nothing to pull or to promise.
    #expect(bench.controller.header == .hidden && bench.controller.footer == .hidden)
    bench.controller.refresh()
    bench.controller.loadMore()
    #expect(bench.view.refreshing == 0 && bench.isInStep && bench.controller.model == nil)
  }

  @MainActor private final class Log {
    static let shared = Log()
    var ids: [Int] = []
  }

  @Test func `XT-02 a controller without rules uses the defaults`() {
    let bench = Bench(count: 1)
    let row = RowPosition(row: 0)
    #expect(bench.controller.height(at: row) == 44 && bench.controller.content(at: row) == nil)
    #expect(bench.controller.select(row) == .unhandled)
    #expect(bench.controller.height(at: RowPosition(row: 1)) == 0)
    #expect(bench.controller.select(RowPosition(section: 4, row: -1)) == .noRow)
  }

  @Test func `XT-04 rows that are added one by one reach the view exactly`() async throws {
    let bench = Bench(count: 2)
    for id in 2..<5 { bench.list.append(Row(id: id)) }
    try bench.list.edit(.remove(0))
    try bench.list.edit(.update(1, Row(id: 1, text: "!")))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["1!", "2", "3", "4"]] && bench.isInStep)
    #expect(bench.view.calls.filter { $0 == "all" }.count == 1)
    bench.list.items = [Row(id: 4), Row(id: 9)]
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["4", "9"]] && bench.isInStep)
  }

  @Observable @MainActor final class Store {
    var rows = [Row(id: 1)]
  }

  @Test func `XT-04 a screen follows an observable store`() async {
    let store = Store()
    let list = LocalList { store.rows }
    let bench = Bench(list)
    let changed = AsyncStream.makeStream(of: Void.self)
    bench.view.onApply = { changed.continuation.yield() }
    store.rows.append(Row(id: 2))
    for await _ in changed.stream { break }
    #expect(bench.view.rows == [["1", "2"]] && bench.isInStep)
  }

  @Test func `rows with equal ids are shown once`() {
    let bench = Bench(LocalList([Row(id: 1), Row(id: 1, text: "again"), Row(id: 2)]))
    #expect(bench.view.rows == [["1", "2"]] && bench.list.repeatedIDs == [1])
  }

  @Test func `heights that are no numbers are replaced by the standard height`() {
    let kinds = CellKinds<Row> {
      $0.height = { row, _ in [.nan, -1, .infinity, -.infinity][row.id] }
    }
    let bench = Bench(count: 4, kinds: kinds) {
      $0.rows.section = {
        SectionLabel($0.id, header: "\($0.id)", headerHeight: .nan, footerHeight: -3)
      }
    }
    for section in 0..<4 {
      #expect(bench.controller.height(at: RowPosition(section: section, row: 0)) == 44)
      #expect(bench.controller.sections.sections[section].headerHeight == nil)
      #expect(bench.controller.sections.sections[section].footerHeight == 0)
    }
  }

  // MARK: - Placeholders

  @Test func `an empty list shows a placeholder without an action that is impossible`() async {
    let bench = Bench(count: 0)
    #expect(bench.controller.placeholder?.reason == .empty)
    #expect(action(of: bench.controller.placeholder) == nil)
    bench.controller.settings.refreshHandler = { $0.end(.succeeded) }
    #expect(action(of: bench.controller.placeholder) == .refresh)
    bench.list.append(Row(id: 1))
    await bench.list.eventsDelivered()
    #expect(bench.controller.placeholder == nil)
  }

  private func action(of placeholder: Placeholder?) -> Placeholder.Action.Kind? {
    guard case .parts(let parts)? = placeholder?.body else { return nil }
    return parts.action?.kind
  }

  @Test func `a list that is not loaded is loaded by the handler when it appears`() async {
    let list = LocalList<Row>()
    var tokens: [LoadToken] = []
    let bench = Bench(list) { $0.refreshHandler = { tokens.append($0) } }
    #expect(bench.controller.placeholder == nil)
    bench.controller.appeared()
    #expect(tokens.count == 1 && bench.controller.placeholder?.reason == .loadingFirst)
    tokens[0].fail(LoadError.custom("no"))
    await bench.controller.eventsDelivered()
    #expect(bench.controller.placeholder?.reason == .failed(.custom("no")))
    bench.controller.performPlaceholderAction()
    #expect(tokens.count == 2 && bench.controller.placeholder?.reason == .loadingFirst)
    list.items = [Row(id: 1)]
    tokens[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.placeholder == nil && bench.view.rows == [["1"]] && bench.isInStep)
  }

  // MARK: - Handlers

  @Test func `a handler that ends its token at once doesn't re-enter the list`() async {
    var log: [String] = []
    let list = LocalList((0..<3).map { Row(id: $0) })
    let bench = Bench(list) {
      $0.refreshHandler = { token in
        log.append("handler")
        list.append(Row(id: 3))
        token.end(.succeeded)
        log.append("handled")
      }
    }
    bench.view.onCall = { log.append(bench.view.calls.last ?? "") }
    bench.controller.refresh()
    #expect(log.contains(["handler", "handled"]) && !log.contains("end"))
    #expect(bench.view.refreshing == 1 && bench.view.rows == [["0", "1", "2"]])
    await bench.controller.eventsDelivered()
    #expect(log.last == "end" && bench.view.refreshing == 0)
    #expect(bench.view.rows == [["0", "1", "2", "3"]] && bench.isInStep)
  }

  @Test func `tokens end in the order of their calls, and after the rows before them`() async {
    var tokens: [LoadToken] = []
    let bench = Bench(count: 1) {
      $0.refreshHandler = { tokens.append($0) }
      $0.loadMoreHandler = { tokens.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    bench.list.append(Row(id: 1))
    tokens[0].fail(LoadError.custom("no"))
    #expect(tokens[0].hasEnded && bench.controller.footer == .loading)
    // A refresh doesn't supersede a load that has ended, and a page is loaded after both.
    bench.controller.refresh()
    #expect(tokens.count == 1)
    await bench.controller.eventsDelivered()
    #expect(tokens.count == 2 && bench.controller.footer == .failed(.custom("no")))
    bench.list.items = [Row(id: 5)]
    #expect(tokens[1].end(.succeeded) && !tokens[1].end(.cancelled))
    bench.controller.refresh()
    bench.controller.refresh()
    #expect(tokens.count == 2 && bench.view.refreshing == 1)
    await bench.controller.eventsDelivered()
    #expect(tokens.count == 3 && bench.view.refreshing == 1 && bench.view.rows == [["5"]])
    tokens[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.isInStep)
  }

  @Test func `XT-14 own handlers for pulling down and up end exactly once`() async {
    var (refreshes, loads): ([LoadToken], [LoadToken]) = ([], [])
    let bench = Bench(count: 3) {
      $0.refreshHandler = { refreshes.append($0) }
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    #expect(bench.controller.header == .idle && bench.controller.footer == .idle)
    bench.controller.didPullDown(100)
    bench.controller.didRelease()
    #expect(refreshes.count == 1 && bench.view.refreshing == 1)
    // One load at a time.
    bench.controller.loadMore()
    #expect(loads.isEmpty)
    #expect(refreshes[0].end(.succeeded) && !refreshes[0].end(.succeeded))
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0)

    bench.controller.didPullUp(100)
    bench.controller.didRelease()
    #expect(loads.count == 1 && bench.controller.footer == .loading)
    bench.controller.loadMore()
    #expect(loads.count == 1)
    loads[0].fail(LoadError.custom("no"))
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .failed(.custom("no")))
    bench.controller.loadMore()
    bench.list.append(Row(id: 3))
    loads[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.rows == [["0", "1", "2", "3"]] && bench.controller.footer == .idle)
    bench.controller.loadMore()
    loads[2].end(.succeeded, hasMore: false)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .noMore(.complete))
    bench.controller.loadMore()
    #expect(loads.count == 3 && bench.isInStep)
    // A refresh finds out again whether there are more rows.
    bench.controller.refresh()
    refreshes[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle)
  }

  @Test func `XT-14 a refresh supersedes a load of further rows`() async {
    var (refreshes, loads): ([LoadToken], [LoadToken]) = ([], [])
    let bench = Bench(count: 3) {
      $0.refreshHandler = { refreshes.append($0) }
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    #expect(!loads[0].hasEnded)
    bench.controller.refresh()
    #expect(loads[0].hasEnded && bench.controller.footer == .idle)
    #expect(!loads[0].end(.failed(.custom("late"))) && bench.controller.footer == .idle)
    refreshes[0].end(.succeeded)
    bench.controller.loadMore()
    await bench.controller.eventsDelivered()
    #expect(loads.count == 2 && bench.controller.footer == .loading)
  }

  @Test func `a reset drops a load of further rows, and there may be more again`() async {
    var loads: [LoadToken] = []
    let bench = Bench(count: 3) {
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    loads[0].end(.succeeded, hasMore: false)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .noMore(.complete))
    bench.list.reset(to: [Row(id: 7), Row(id: 8)])
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["7", "8"]])
    bench.controller.loadMore()
    bench.list.reset()
    #expect(loads[1].hasEnded && !loads[1].end(.succeeded, hasMore: false))
    // A load that begins before the reset was delivered goes on.
    bench.controller.loadMore()
    #expect(loads.count == 3 && !loads[2].hasEnded)
    await bench.controller.eventsDelivered()
    #expect(!loads[2].hasEnded && bench.view.rows.joined().isEmpty)
    bench.list.append(Row(id: 1))
    loads[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["1"]] && bench.isInStep)
    // An end that has not taken effect yet is dropped too.
    bench.controller.loadMore()
    loads[3].end(.succeeded, hasMore: false)
    bench.list.reset(to: [Row(id: 2)])
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["2"]] && bench.isInStep)
  }

  @Test func `a reset drops a refresh, whose header closes once`() async {
    var tokens: [LoadToken] = []
    let list = LocalList<Row>()
    let bench = Bench(list) { $0.refreshHandler = { tokens.append($0) } }
    bench.controller.appeared()
    list.items = [Row(id: 1)]
    tokens[0].end(.succeeded)
    await bench.controller.eventsDelivered()
    bench.controller.refresh()
    #expect(bench.view.refreshing == 1)
    list.reset()
    #expect(tokens[1].hasEnded)
    // The program reloads the new list at once.
    bench.controller.refresh()
    #expect(tokens.count == 3 && !tokens[2].hasEnded && bench.view.refreshing == 1)
    tokens[1].end(.failed(.custom("late")))
    await bench.controller.eventsDelivered()
    #expect(!tokens[2].hasEnded && bench.controller.placeholder?.reason == .loadingFirst)
    list.items = [Row(id: 2)]
    tokens[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.rows == [["2"]] && bench.view.refreshing == 0 && bench.isInStep)
    bench.controller.refresh()
    list.reset()
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.controller.placeholder == nil)
  }

  @Test func `XT-14 a token that outlives its screen ends nothing`() {
    var tokens: [LoadToken] = []
    do {
      let bench = Bench(count: 3) { $0.loadMoreHandler = { tokens.append($0) } }
      bench.controller.loadMore()
    }
    #expect(tokens[0].hasEnded && !tokens[0].end(.succeeded))
  }

  @Test func `XT-14 coming near the end calls the handler once a page`() async {
    var calls = 0
    let list = LocalList((0..<3).map { Row(id: $0) })
    let bench = Bench(list) {
      $0.refresh.prefetchDistance = 1
      $0.loadMoreHandler = { token in
        calls += 1
        list.append(contentsOf: (0..<3).map { Row(id: list.items.count + $0) })
        token.end(.succeeded, hasMore: calls < 4)
      }
    }
    for last in [0, 1, 2, 2, 5, 8, 11, 14] {
      bench.controller.rowWillAppear(at: RowPosition(row: last))
      await bench.controller.eventsDelivered()
    }
    #expect(calls == 4 && list.items.count == 15 && bench.isInStep)
    #expect(bench.controller.footer == .noMore(.complete))
  }

  @Test func `a list of a server can load further rows with a handler`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    var tokens: [LoadToken] = []
    bench.controller.settings.loadMoreHandler = { tokens.append($0) }
    bench.controller.loadMore()
    #expect(
      tokens.count == 1 && bench.controller.footer == .loading && bench.requestedPages == ["0"])
    _ = await bench.model.loadNextPage().outcome
    tokens[0].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.mismatches.isEmpty)
    bench.controller.loadMore()
    _ = await bench.model.refresh().outcome
    #expect(tokens[1].hasEnded && bench.controller.footer == .idle)
  }

  // MARK: - Sections

  private func grouped(_ groups: String, from first: Int = 0) -> [Row] {
    groups.enumerated().map { Row(id: first + $0, group: $1.wholeNumberValue ?? 0) }
  }

  @Test func `XT-08 labels have titles, heights and kinds`() throws {
    let bench = Bench(LocalList(grouped("112"))) {
      $0.rows.section = {
        SectionLabel(
          $0.group, header: "Group \($0.group)", footer: "end", headerHeight: 30,
          footerHeight: $0.group == 1 ? 0 : nil, headerKind: "banner",
          footerKind: $0.group == 1 ? nil : "line")
      }
    }
    let sections = bench.controller.sections.sections
    #expect(sections.map(\.header) == ["Group 1", "Group 2"])
    #expect(sections.map(\.headerHeight) == [30, 30] && sections.map(\.footerHeight) == [0, nil])
    #expect(sections.map(\.headerKind) == ["banner", "banner"])
    #expect(sections.map(\.footerKind) == [nil, "line"])
  }

  @Test func `XT-08 a header can have a kind and a height without a title`() {
    let bench = Bench(LocalList(grouped("1"))) {
      $0.rows.section = { SectionLabel($0.group, headerHeight: 12, headerKind: "line") }
    }
    let section = bench.controller.sections.sections[0]
    #expect(section.header == nil && section.headerHeight == 12 && section.footerHeight == 0)
  }

  @Test func `XT-09 kinds handle selection and deselection, after the delegate`() {
    final class Delegate: ListControllerDelegate {
      func handle(_ event: RowEvent<Row>) -> Bool { event.item?.id == 0 }
    }
    Log.shared.ids = []
    let kinds = CellKinds<Row> {
      $0.select = { row, position in Log.shared.ids.append(row.id * 10 + position.row) }
      $0.deselect = { row, _ in Log.shared.ids.append(-row.id) }
    }
    let bench = Bench(count: 3, kinds: kinds)
    let delegate = Delegate()
    bench.controller.delegate = delegate
    bench.controller.actions.add("last") { _ in true }
    #expect(bench.controller.select(RowPosition(row: 0)) == .handled(by: "delegate"))
    #expect(bench.controller.select(RowPosition(row: 2)) == .handled(by: "kind standard"))
    #expect(bench.controller.deselect(RowPosition(row: 1)) == .handled(by: "kind standard"))
    #expect(bench.controller.act(.delete, at: RowPosition(row: 1)) == .handled(by: "last"))
    #expect(Log.shared.ids == [22, -1])
  }

  @Test func `equal labels start new sections, or are merged where asked`() async {
    let bench = Bench(LocalList(grouped("1121"))) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
    }
    #expect(bench.view.rows == [["0", "1"], ["2"], ["3"]])
    bench.controller.settings.rows.mergesSections = true
    #expect(bench.view.rows == [["0", "1", "3"], ["2"]])
    bench.list.append(contentsOf: grouped("231", from: 4))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["0", "1", "3", "6"], ["2", "4"], ["5"]] && bench.isInStep)
    #expect(bench.controller.sections.sections.map(\.header) == ["1", "2", "3"])
    #expect(
      bench.view.changes.last?.description == "sections: inserted 2; section 0: inserted 3; "
        + "section 1: inserted 1")
  }

  @Test func `merged sections keep header, footer, separators and filter of the plan`() async {
    let bench = Bench(LocalList(grouped("1212"))) {
      $0.rows.section = { SectionLabel($0.group) }
      $0.rows.mergesSections = true
      $0.rows.header = { _ in Row(id: -1, text: "top") }
      $0.rows.footer = { Row(id: -2, text: "\($0.shownRows)") }
      $0.rows.filter = { $0.id != 1 }
    }
    #expect(bench.view.rows == [["-1top", "0", "2"], ["3", "-23"]])
    bench.list.append(contentsOf: grouped("1", from: 4))
    await bench.list.eventsDelivered()
    #expect(bench.view.rows == [["-1top", "0", "2", "4"], ["3", "-24"]] && bench.isInStep)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(20, full: 500)))
  func `merged sections follow random changes`(random: SeededGenerator) async throws {
    var random = random
    let bench = Bench(LocalList(grouped("1213"))) {
      $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") }
      $0.rows.mergesSections = true
    }
    for step in 0..<60 {
      let rows = bench.list.items
      let new = Row(id: 100 + step, group: Int.random(in: 0..<4, using: &random))
      switch (Int.random(in: 0..<6, using: &random), rows.randomElement(using: &random)) {
      case (0, let row?): try bench.list.edit(.remove(RowID(row.id)))
      case (1, let row?):
        var row = row
        row.group = new.group
        try bench.list.edit(.update(RowID(row.id), row))
      case (2, let row?): try bench.list.edit(.move(RowID(row.id), to: .start))
      case (3, _): bench.list.items = rows.shuffled(using: &random)
      case (4, _): bench.controller.settings.rows.mergesSections = Bool.random(using: &random)
      default: bench.list.append(new)
      }
      if Bool.random(using: &random) { await bench.list.eventsDelivered() }
    }
    bench.controller.settings.rows.mergesSections = true
    await bench.list.eventsDelivered()
    var expected: [(group: Int, rows: [String])] = []
    for row in bench.list.items {
      if let place = expected.firstIndex(where: { $0.group == row.group }) {
        expected[place].rows.append("\(row)")
      } else {
        expected.append((row.group, ["\(row)"]))
      }
    }
    #expect(bench.view.rows == expected.map(\.rows) && bench.isInStep)
  }

  @Test func `a section that vanishes while a row is dragged traps nothing`() async throws {
    final class Delegate: ListControllerDelegate {
      let list: LocalList<Row>
      init(_ list: LocalList<Row>) { self.list = list }
      func canMove(_ item: Row?, at position: RowPosition) -> Bool { true }
      func handle(_ event: RowEvent<Row>) -> Bool {
        guard case .move = event.action, let row = event.item else { return false }
        return (try? list.edit(.move(RowID(row.id), to: .end))) != nil
      }
    }
    let bench = Bench(LocalList(grouped("1123"))) {
      $0.rows.section = { SectionLabel($0.group) }
    }
    let delegate = Delegate(bench.list)
    bench.controller.delegate = delegate
    #expect(bench.controller.canMove(RowPosition(section: 0, row: 0)))
    // The user holds the row while its target and then its own section go away.
    bench.list.items = grouped("11")
    await bench.list.eventsDelivered()
    let target = RowPosition(section: 2, row: 0)
    #expect(bench.controller.move(from: RowPosition(section: 0, row: 0), to: target) == .noRow)
    bench.list.items = []
    await bench.list.eventsDelivered()
    let home = RowPosition(section: 0, row: 0)
    #expect(bench.controller.move(from: home, to: home) == .noRow)
    #expect(bench.view.rows == [[]] || bench.view.rows.isEmpty)
    #expect(bench.isInStep)
  }
}
