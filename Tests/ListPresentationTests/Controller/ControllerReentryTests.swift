import ItemMapping
import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

/// Views, delegates and closures that call back while they are being told.
@MainActor struct ControllerReentryTests {
  @Test func `settings that a closure changes while rows are divided hold in the end`() async {
    let bench = ScreenBench(count: 5)
    var isChanged = false
    bench.controller.settings.rows.section = { [weak controller = bench.controller] row in
      if row.id == 1, !isChanged {
        isChanged = true
        controller?.settings.rows.filter = { $0.id != 2 }
      }
      return SectionLabel(row.id / 2)
    }
    _ = await bench.model.refresh().outcome
    #expect(bench.view.rows == [["0", "1"]])
    #expect(RecordingListView.texts(bench.controller.sections) == [["0", "1"]])
    #expect(bench.view.mismatches.isEmpty)
  }

  @Test func `a view that comes while another one takes rows in has them too`() async {
    let bench = ScreenBench(count: 5)
    let second = RecordingListView()
    second.controller = bench.controller
    bench.view.onApply = { [weak controller = bench.controller] in controller?.attach(second) }
    _ = await bench.model.refresh().outcome
    #expect(second.rows == [["0", "1", "2"]])
    _ = await bench.model.loadNextPage().outcome
    #expect(second.rows == [["0", "1", "2", "3", "4"]] && second.mismatches.isEmpty)
  }

  /// Changes the controller when a first placeholder goes.
  private final class Meddler: ListView {
    var header = HeaderState.hidden
    var footer = FooterState.hidden
    var told: [String] = []
    var onPlaceholder: ((Placeholder?) -> Void)?
    var onEnd: (() -> Void)?

    func replaceAll(commit: () -> Void) {}
    func show(_ header: HeaderState) { self.header = header }
    func show(_ footer: FooterState) { self.footer = footer }
    func show(_ placeholder: Placeholder?) { onPlaceholder?(placeholder) }
    func beginRefreshing() { told.append("begin") }
    func endRefreshing(_ outcome: RefreshOutcome) {
      told.append("end")
      onEnd?()
    }
  }

  @Test func `what is shown last is what holds, whatever the view does when it is told`() async {
    let bench = ScreenBench(count: 7)
    let view = Meddler()
    bench.controller.attach(view)
    bench.controller.refresh()
    view.onPlaceholder = { [weak controller = bench.controller] in
      if $0 == nil { controller?.settings.refresh.pullsUp = false }
    }
    await bench.settle()
    #expect(bench.controller.footer == .hidden && view.footer == .hidden)
    #expect(view.header == bench.controller.header)
  }

  @Test func `a refresh that begins when the one before ends waits for what that one led to`() async
  {
    let bench = ScreenBench(count: 90)
    let view = Meddler()
    bench.controller.attach(view)
    _ = await bench.model.refresh().outcome
    var again = true
    view.onEnd = { [weak controller = bench.controller] in
      if again { controller?.refresh() }
      again = false
    }
    bench.controller.refresh()
    bench.controller.rowsWillAppear(
      VisibleRows(RowPosition(row: 0)...RowPosition(row: 2), fillsView: true))
    for await step in bench.model.events { if step.event == .didFinish(.refresh) { break } }
    #expect(view.told == ["begin", "end", "begin"])
    // The page that was wanted is given up for the refresh, and nothing waits behind that.
    #expect(bench.model.refreshState == .loading && bench.model.state(of: .next) == .idle)
    await bench.settle()
    #expect(view.told == ["begin", "end", "begin", "end"])
  }

  private final class Delegate: ListModelDelegate {
    var onChange: (() -> Void)?
    var onFailure: (() -> Void)?
    func listModel(_ model: any PagedList, didChange change: ListChange) { onChange?() }
    func listModel(_ model: any PagedList, didFail kind: LoadKind, error: LoadError) {
      onFailure?()
    }
  }

  enum Call: CaseIterable {
    case pull, see, refresh, loadMore, leave
  }

  @Test(arguments: Call.allCases)
  func `a refresh that succeeds ends so, whatever its delegate does meanwhile`(call: Call) async {
    let bench = ScreenBench(count: 5)
    let delegate = Delegate()
    bench.model.delegate = delegate
    delegate.onChange = { [weak controller = bench.controller, weak delegate] in
      delegate?.onChange = nil
      switch call {
      case .pull: controller?.didPullDown(10)
      case .see:
        let first = RowPosition(row: 0)
        controller?.rowsWillAppear(VisibleRows(first...first, fillsView: true))
      case .refresh: controller?.refresh()
      case .loadMore: controller?.loadMore()
      case .leave: controller?.disappeared()
      }
    }
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.told.prefix(4) == ["all", "begin", "section 0: inserted 0…2", "end"])
    #expect(bench.view.mismatches.isEmpty)
    // What was wanted meanwhile is done.
    let asked: [Call: [String]] = [
      .see: ["0", "1"], .refresh: ["0", "0"], .loadMore: ["0", "1"],
    ]
    #expect(bench.asked == asked[call] ?? ["0"])
    if call == .pull { #expect(bench.view.header != .idle) }
  }

  @Test func `a refresh that a delegate begins when one failed is made`() async {
    let bench = ScreenBench(count: 5)
    let delegate = Delegate()
    bench.model.delegate = delegate
    delegate.onFailure = { [weak controller = bench.controller] in controller?.refresh() }
    bench.transport.enqueue(.status(500))
    bench.controller.refresh()
    await bench.settle()
    #expect(
      bench.view.told == [
        "all", "begin", "end failed", "begin", "section 0: inserted 0…2", "end",
      ])
    #expect(bench.view.mismatches.isEmpty)
  }
}
