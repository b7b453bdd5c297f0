import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support

/// A row in a group, with a text that may change.
struct Row: Decodable, Identifiable, Hashable, CustomStringConvertible, Sendable {
  let id: Int
  var group = 0
  var text = ""

  var description: String { "\(id)\(text)" }
  var json: String { #"{"id":\#(id),"group":\#(group),"text":"\#(text)"}"# }
}

/// A page of JSON.
func page(_ rows: some Sequence<Row>, more: Bool) -> MockResponse {
  .json(#"{"rows":[\#(rows.map(\.json).joined(separator: ","))],"more":\#(more)}"#)
}

/// A list over a mock transport, its controller, and a view.
@MainActor final class ScreenBench {
  /// The rows of the server, three per page.
  let server: Shelf
  let transport: MockTransport
  let clock = ManualClock()
  let model: ListModel<Row>
  let controller: ListController<Row>
  let view = RecordingListView()

  final class Shelf: Sendable {
    let rows: Lock<[Row]>
    private let failure = Lock<Int?>(nil)

    init(_ rows: [Row]) { self.rows = Lock(rows) }

    /// Responds to the next request with this status.
    func fail(_ status: Int) { failure.withLock { $0 = status } }

    func page(_ number: Int) -> MockResponse {
      if let status = failure.withLock({ $0.take() }) { return .status(status) }
      let rows = rows.withLock { $0 }
      return ListPresentationTests.page(
        rows.dropFirst(number * 3).prefix(3), more: rows.count > number * 3 + 3)
    }
  }

  init(
    rows: [Row], kinds: CellKinds<Row> = CellKinds(),
    _ configure: (inout ListController<Row>.Settings) -> Void = { _ in },
    model configureModel: (inout ListSettings<Row>) -> Void = { _ in }
  ) {
    let shelf = Shelf(rows)
    server = shelf
    let transport = MockTransport { request in
      shelf.page(request.query["page"].flatMap { Int($0) } ?? 0)
    }
    self.transport = transport
    let clock = clock
    model = ListModel(
      Server("https://test", transport: transport) {
        $0.retry = .never
        $0.time = clock.timeSource
      }, "/rows", items: "rows",
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")), configure: configureModel)
    controller = ListController(model, kinds: kinds, time: clock.timeSource, configure: configure)
    view.controller = controller
    controller.attach(view)
  }

  /// Creates rows with ids from 0 on.
  convenience init(
    count: Int, _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
  ) {
    self.init(rows: (0..<count).map { Row(id: $0) }, configure)
  }

  var requestedPages: [String] { transport.requests.map { $0.query["page"] ?? "-" } }

  /// Waits until all events so far are reported, such as a cancellation.
  func flush() async {
    let load = model.refresh()
    model.cancel()
    _ = await load.outcome
  }

  /// Waits until the list is idle, by joining its loads.
  func settle() async {
    while true {
      if model.refreshState == .loading {
        _ = await model.refresh().outcome
      } else if model.state(of: .next) == .loading {
        _ = await model.loadNextPage().outcome
      } else if model.state(of: .previous) == .loading {
        _ = await model.loadPreviousPage().outcome
      } else {
        return
      }
    }
  }
}
