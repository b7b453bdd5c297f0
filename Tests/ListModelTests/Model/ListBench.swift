import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport

/// A list over a mock transport, and its recorded events.
@MainActor final class ListBench {
  let transport: MockTransport
  let model: ListModel<Row>
  let delegate = RecordingDelegate()

  init(
    paging: Paging = .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")),
    _ transport: MockTransport,
    configure: (inout ListSettings<Row>) -> Void = { _ in },
    server: (inout Server.Configuration) -> Void = { _ in }
  ) {
    self.transport = transport
    model = ListModel(
      Server("https://test", transport: transport) {
        $0.retry = .never
        server(&$0)
      }, "/rows",
      items: "rows", paging: paging, configure: configure)
    model.delegate = delegate
  }

  /// A list of this number of full pages of three rows.
  convenience init(
    pages: Int, configure: (inout ListSettings<Row>) -> Void = { _ in }
  ) {
    self.init(
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(ListBench.page(number, of: pages))
      }, configure: configure)
  }

  /// A full page of three rows, by its number.
  nonisolated static func page(_ number: Int, of pages: Int) -> String {
    TestSupport.page(number * 3..<number * 3 + 3, #""more":\#(number < pages - 1)"#)
  }

  var ids: [Int] { model.rows.items.map(\.id) }
  var requestedPages: [String] { transport.requests.map { $0.query["page"] ?? "-" } }
}

/// A delegate that records events, and applies every change to its own rows.
@MainActor final class RecordingDelegate: ListModelDelegate {
  var texts: [String] = []
  var rows: [Int] = []
  var reports: [PageReport] = []
  /// Changes that did not fit the rows.
  var mismatches: [String] = []
  var onEvent: ((String) -> Void)?
  /// Whether changes of freshness are recorded.
  var notesFreshness = false

  func forget() { texts = [] }

  /// The ids of all rows, -1 for a placeholder.
  private static func ids(of model: ListModel<Row>) -> [Int] {
    (0..<model.count).map { model.rows[$0]?.id ?? -1 }
  }

  private func note(_ text: String, _ model: ListModel<Row>) {
    texts.append(text)
    let now = Self.ids(of: model)
    if now != rows { mismatches.append("\(text): \(rows) is not \(now)") }
    onEvent?(text)
  }

  func listModel(_ model: ListModel<Row>, didStart kind: LoadKind) {
    note("start \(kind)", model)
  }
  func listModel(_ model: ListModel<Row>, didChange change: ListChange) {
    let now = Self.ids(of: model)
    if let changed = change.applied(to: rows, new: { now[$0] }) {
      rows = changed
    } else {
      mismatches.append("\(change) does not fit \(rows)")
    }
    note("change", model)
  }
  func listModel(_ model: ListModel<Row>, didReport report: PageReport) {
    reports.append(report)
    note("report", model)
  }
  func listModel(_ model: ListModel<Row>, didUpdateFreshness freshness: Freshness) {
    if freshness != model.freshness { mismatches.append("\(freshness) is not notified in time") }
    let word = "\(freshness)".split(separator: " ").first ?? ""
    if notesFreshness { note("fresh \(word)", model) }
  }
  func listModelDidReset(_ model: ListModel<Row>) {
    if notesFreshness { note("reset", model) }
  }
  func listModel(_ model: ListModel<Row>, isSearching kind: LoadKind, pages: Int) {
    note("searching \(pages)", model)
  }
  func listModel(_ model: ListModel<Row>, refreshDidSucceed kind: LoadKind) {
    note("refreshed \(kind)", model)
  }
  func listModel(_ model: ListModel<Row>, loadDidSucceed kind: LoadKind) {
    note("loaded \(kind)", model)
  }
  func listModel(_ model: ListModel<Row>, didReachStart end: ListEnd) {
    note("first page", model)
  }
  func listModel(_ model: ListModel<Row>, didReachEnd end: ListEnd) {
    note("last page", model)
  }
  func listModel(_ model: ListModel<Row>, didFail kind: LoadKind, error: LoadError) {
    note("fail \(kind)", model)
  }
  func listModel(
    _ model: ListModel<Row>, didCancel kind: LoadKind, reason: RequestError.CancelReason
  ) {
    note("cancel \(kind) \(reason)", model)
  }
  func listModel(_ model: ListModel<Row>, didFinish kind: LoadKind) {
    note("finish \(kind)", model)
  }
}

extension ListBench {
  /// Loads the list to its end and returns how it ended.
  func end() async -> ListEnd? {
    _ = await model.refresh().outcome
    for _ in 0..<50 {
      if case .reachedEnd(let end) = model.state(of: .next) { return end }
      _ = await model.loadNextPage().outcome
    }
    return nil
  }
}
