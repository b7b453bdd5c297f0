import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Views, delegates and closures that call back during a notification.
@MainActor struct ControllerReentryTests {
  @Test func `settings changed by a closure during division take effect`() async {
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

  @Test func `a view attached while another applies rows gets them too`() async {
    let bench = ScreenBench(count: 5)
    let second = RecordingListView()
    second.controller = bench.controller
    bench.view.onApply = { [weak controller = bench.controller] in controller?.attach(second) }
    _ = await bench.model.refresh().outcome
    #expect(second.rows == [["0", "1", "2"]])
    _ = await bench.model.loadNextPage().outcome
    #expect(second.rows == [["0", "1", "2", "3", "4"]] && second.mismatches.isEmpty)
  }

  /// Changes the controller when a first placeholder disappears.
  private final class Meddler: ListView {
    var header = RefreshHeader.State.hidden
    var footer = FooterState.hidden
    var calls: [String] = []
    var onPlaceholder: ((Placeholder?) -> Void)?
    var onEnd: (() -> Void)?

    func replaceAll(commit: () -> Void) {}
    func show(_ header: RefreshHeader.State) { self.header = header }
    func show(_ footer: FooterState) { self.footer = footer }
    func show(_ placeholder: Placeholder?) { onPlaceholder?(placeholder) }
    func beginRefreshing() { calls.append("begin") }
    func endRefreshing(_ outcome: LoadToken.Outcome) {
      calls.append("end")
      onEnd?()
    }
  }

  @Test func `the last shown state is current even if the view calls back`() async {
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

  @Test func `a refresh started at the end of another waits for its effects`() async {
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
    bench.controller.rowsWillAppear(RowPosition(row: 0)...RowPosition(row: 2), fillsView: true)
    for await step in bench.model.events { if step.event == .didFinish(.refresh) { break } }
    #expect(view.calls == ["begin", "end", "begin"])
    // The requested page is dropped for the refresh, and nothing waits after that.
    #expect(bench.model.refreshState == .loading && bench.model.state(of: .next) == .idle)
    await bench.settle()
    #expect(view.calls == ["begin", "end", "begin", "end"])
  }

  private final class Delegate: ListModelDelegate {
    var onChange: (() -> Void)?
    var onFailure: (() -> Void)?
    func listModel(_ model: ListModel<Row>, didChange change: ListChange) { onChange?() }
    func listModel(_ model: ListModel<Row>, didFail kind: LoadKind, error: LoadError) {
      onFailure?()
    }
  }

  enum Call: CaseIterable {
    case pull, see, refresh, loadMore, leave
  }

  @Test(arguments: Call.allCases)
  func `a refresh succeeds whatever its delegate does meanwhile`(call: Call) async {
    let bench = ScreenBench(count: 5)
    let delegate = Delegate()
    bench.model.delegate = delegate
    delegate.onChange = { [weak controller = bench.controller, weak delegate] in
      delegate?.onChange = nil
      switch call {
      case .pull: controller?.didPullDown(10)
      case .see:
        let first = RowPosition(row: 0)
        controller?.rowsWillAppear(first...first, fillsView: true)
      case .refresh: controller?.refresh()
      case .loadMore: controller?.loadMore()
      case .leave: controller?.disappeared()
      }
    }
    bench.controller.refresh()
    await bench.settle()
    #expect(bench.view.calls.prefix(4) == ["all", "begin", "section 0: inserted 0…2", "end"])
    #expect(bench.view.mismatches.isEmpty)
    // The requests made meanwhile are carried out.
    let requested: [Call: [String]] = [
      .see: ["0", "1"], .refresh: ["0", "0"], .loadMore: ["0", "1"],
    ]
    #expect(bench.requestedPages == requested[call] ?? ["0"])
    if call == .pull { #expect(bench.view.header != .idle) }
  }

  @Test func `a delegate can start a refresh when one fails`() async {
    let bench = ScreenBench(count: 5)
    let delegate = Delegate()
    bench.model.delegate = delegate
    delegate.onFailure = { [weak controller = bench.controller] in controller?.refresh() }
    bench.transport.enqueue(.status(500))
    bench.controller.refresh()
    await bench.settle()
    #expect(
      bench.view.calls == [
        "all", "begin", "end failed", "begin", "section 0: inserted 0…2", "end",
      ])
    #expect(bench.view.mismatches.isEmpty)
  }
}
