import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support

/// A server whose rows change, with a total, and with stored responses that are stale at once.
final class LifeServer: Sendable {
  private final class State: Sendable {
    let rows: Lock<[Row]>
    /// The responses that come in place of pages.
    let failures = Lock<[MockResponse]>([])

    init(_ rows: [Row]) { self.rows = Lock(rows) }
  }

  private let state: State
  let transport: MockTransport

  init(_ rows: [Row]) {
    let state = State(rows)
    self.state = state
    transport = MockTransport { request in
      let failure = state.failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let failure { return failure }
      let all = Self.matches(of: request.query["q"], in: state.rows.withLock { $0 })
      let start =
        request.query["offset"].flatMap { Int($0) }
        ?? (request.query["page"].flatMap { Int($0) } ?? 0) * 3
      let found = all.dropFirst(max(0, start)).prefix(
        request.query["limit"].flatMap { Int($0) } ?? 3)
      let json = found.map(\.json).joined(separator: ",")
      return .json(#"{"rows":[\#(json)],"total":\#(all.count)}"#)
        .headers(["Cache-Control": "max-age=0"])
    }
  }

  var rows: [Row] { state.rows.withLock { $0 } }

  /// The rows that a search for a word finds.
  static func matches(of query: String?, in rows: [Row]) -> [Row] {
    query == nil ? rows : rows.filter { !$0.id.isMultiple(of: 2) }
  }

  /// Sends this in place of a page, once.
  func fail(with response: MockResponse) { state.failures.withLock { $0.append(response) } }

  /// Fails no more.
  func recover() { state.failures.withLock { $0 = [] } }

  /// Inserts rows on top.
  func grow(_ ids: ClosedRange<Int>) {
    state.rows.withLock { $0.insert(contentsOf: ids.reversed().map { Row(id: $0) }, at: 0) }
  }

  /// Inserts, removes, moves or changes a row.
  func change(_ random: inout SeededGenerator, fresh: Int) {
    state.rows.withLock { $0.change(&random, fresh: fresh) }
  }
}

extension [Row] {
  /// Inserts, removes, moves or changes a row.
  mutating func change(_ random: inout SeededGenerator, fresh: Int) {
    let at = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: insert(Row(id: fresh), at: at)
    case 1: if at < count, count > 4 { remove(at: at) }
    case 2: if at < count { insert(remove(at: at), at: 0) }
    default: if at < count { self[at].text += "!" }
    }
  }
}

/// A delegate that knows a list by its events alone, and checks the contract.
@MainActor final class LifeObserver: ListModelDelegate {
  /// The rows as the changes describe them; `nil` is a placeholder.
  private var rows: [Row?] = []
  private var running: [LoadKind] = []
  private var newRows: NewRows?
  private(set) var events = 0
  private(set) var problem: String?
  /// Called on each event.
  var onEvent: (() -> Void)?

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds, problem == nil { problem = what() }
  }

  func listModel(_ model: ListModel<Row>, didUpdateNewRows newRows: NewRows?) {
    check(newRows != self.newRows, "\(newRows?.description ?? "none") new rows are no change")
    self.newRows = newRows
    note(model)
  }

  private func note(_ model: ListModel<Row>) {
    events += 1
    check(model.newRows == newRows, "new rows without an event")
    let now = Self.rows(of: model)
    check(now == rows, "\(rows) is not \(now)")
    let ids = now.compactMap { $0?.id }
    check(Set(ids).count == ids.count, "a row is there twice: \(ids)")
    onEvent?()
  }

  static func rows(of model: ListModel<Row>) -> [Row?] {
    (0..<model.count).map { model.rows[$0] }
  }

  func listModel(_ model: ListModel<Row>, didStart kind: LoadKind) {
    check(!running.contains(kind), "\(kind) started twice")
    running.append(kind)
    note(model)
  }

  func listModel(_ model: ListModel<Row>, didChange change: ListChange) {
    let now = Self.rows(of: model)
    if let changed = change.applied(to: rows, new: { now[$0] }) {
      rows = changed
    } else {
      check(false, "\(change) does not fit \(rows)")
    }
    note(model)
  }

  func listModel(_ model: ListModel<Row>, refreshDidSucceed kind: LoadKind) { ends(kind, model) }
  func listModel(_ model: ListModel<Row>, loadDidSucceed kind: LoadKind) { ends(kind, model) }
  func listModel(_ model: ListModel<Row>, didReachEnd end: ListEnd) { note(model) }

  func listModel(_ model: ListModel<Row>, didFail kind: LoadKind, error: LoadError) {
    ends(kind, model)
  }

  func listModel(
    _ model: ListModel<Row>, didCancel kind: LoadKind, reason: RequestError.CancelReason
  ) {
    ends(kind, model)
  }

  private func ends(_ kind: LoadKind, _ model: ListModel<Row>) {
    check(running.contains(kind), "\(kind) ended without a start")
    note(model)
  }

  func listModel(_ model: ListModel<Row>, didFinish kind: LoadKind) {
    // A load beyond an end finishes without a start.
    running.removeAll { $0 == kind }
    note(model)
  }

  func listModelDidReset(_ model: ListModel<Row>) {
    check(rows.isEmpty, "rows survived a reset")
    check(running.isEmpty, "\(running) survived a reset")
    note(model)
  }

  /// Checks a list that is idle.
  func checkIdle() { check(running.isEmpty, "\(running) never finished") }
}
