public import ServerAPI
internal import Support

/// One run of a ``ServedList``: responds to a client, changes the list as its churn says, and judges what the client
/// has read.
public final class ServedRun: Sendable {
  /// A transport that responds without a network.
  public let transport: MockTransport
  private let service: ServedService

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - time: The clock of changes by time and of slow responses.
  public init(_ list: ServedList, time: TimeSource = .system) {
    let service = ServedService(list, time: time)
    self.service = service
    transport = MockTransport(time: time) { request in
      service.respond(to: ServedRequest(request)).mock
    }
  }

  /// The list as it was declared.
  public var list: ServedList { service.list }

  /// Starts a server that sends the same bytes.
  public func loopback() throws(LoopbackError) -> LoopbackServer {
    try LoopbackServer { [service] in service.respond(to: ServedRequest($0)).loopback }
  }

  /// The number of requests so far.
  public var requestCount: Int { service.state.withLock { $0.requests } }

  /// The ids of the rows at this moment.
  public var ids: [Int] { service.state.withLock { $0.rows.rows.map(\.id) } }

  /// Changes the list now.
  public func change(_ changes: ServedList.Change...) {
    service.state.withLock { $0.apply(changes, before: $0.requests + 1) }
  }

  /// Starts a new reading: the client reads the list from its start again, as for a refresh.
  public func beginReading() { service.state.withLock { $0.rows.begin() } }

  /// The list with the changes that have happened as its script, so that they can be repeated.
  public var history: ServedList {
    var list = list
    list.churn = ServedList.Churn(service.state.withLock { $0.steps })
    return list
  }

  /// Judges what a client has read.
  ///
  /// - Parameters:
  ///   - ids: The ids of the rows that it has, in its order.
  ///   - claim: What it claims of them.
  public func verdict(ids: [Int], claim: ServedList.Claim) -> ServedList.Verdict {
    service.verdict(ids: ids, claim: claim)
  }
}

/// Responds to the requests of a run, and keeps what happened in it.
final class ServedService: Sendable {
  struct State {
    var rows: ServedRows
    var random = SeededGenerator(seed: 0)
    /// The number of requests.
    var requests = 0
    /// The steps so far.
    var steps: [ServedList.Step] = []
    /// The number of rows at the request before.
    var lateTotal: Int?
    /// When the first request came.
    var start: Duration?
    /// How often the list has changed by the clock.
    var ticks = 0
    var snapshots: [Int: [ServedRows.Row]] = [:]
    var broken: Set<ServedList.Assumption> = []
  }

  let list: ServedList
  private let time: TimeSource
  let state: Lock<State>

  init(_ list: ServedList, time: TimeSource) {
    self.list = list
    self.time = time
    var state = State(rows: ServedRows(count: list.rows))
    if case .random(let seed, _, _) = list.churn.kind {
      state.random = SeededGenerator(seed: seed)
    }
    self.state = Lock(state)
  }

  func respond(to request: ServedRequest) -> ServedResponse {
    let now = time.now()
    return state.withLock { state in
      state.requests += 1
      let number = state.requests
      changeByChurn(&state, at: now)
      if number == 1 { state.rows.begin() }
      let fault = list.faults[number]
      let count = state.rows.rows.count
      defer { state.lateTotal = count }
      if case .status(let status) = fault {
        return ServedResponse(
          status: status, headers: [("Retry-After", "0")], body: #"{"error":"by intent"}"#)
      }
      if let fault { state.broken.formUnion(fault.breaks) }
      let total: Int? =
        switch list.total {
        case .absent: nil
        case .exact: count
        case .late: state.lateTotal ?? count
        case .estimated: (count + 9) / 10 * 10
        }
      var page = ServedPage(list: list, rows: state.rows.rows, total: total, fault: fault)
      if list.way == .snapshots {
        let version = request.text("cursor").flatMap { Int($0.dropFirst().prefix { $0 != "." }) }
        page.version = version ?? number
        page.rows = state.snapshots[page.version] ?? page.rows
        if list.total == .exact { page.total = page.rows.count }
        state.snapshots[page.version] = page.rows
      }
      return page.response(to: request)
    }
  }

  private func changeByChurn(_ state: inout State, at now: Duration) {
    let number = state.requests
    switch list.churn.kind {
    case .script(let steps):
      for step in steps where step.request == number {
        state.apply(step.changes, before: number)
      }
    case .random(_, let rates, let pace):
      var times = number > 1 ? 1 : 0
      if case .every(let period) = pace, period > .zero {
        let start = state.start ?? now
        state.start = start
        let ticks = Int((now - start) / period)
        (times, state.ticks) = (ticks - state.ticks, ticks)
      }
      for _ in 0..<times {
        let changes = rates.draw(state.rows.rows.count, using: &state.random)
        state.apply(changes, before: number)
      }
    }
  }
}

extension ServedService.State {
  mutating func apply(_ changes: [ServedList.Change], before number: Int) {
    guard !changes.isEmpty else { return }
    for change in changes { rows.apply(change) }
    if steps.last?.request == number {
      steps[steps.count - 1].changes += changes
    } else {
      steps.append(ServedList.Step(request: number, changes: changes))
    }
  }
}

extension ServedService {
  func verdict(ids: [Int], claim: ServedList.Claim) -> ServedList.Verdict {
    state.withLock { state in
      let known = Set(ids)
      let now = Set(state.rows.rows.map(\.id))
      var seen: Set<Int> = []
      var broken = state.broken.union(list.way.breaks).union(list.total.breaks)
      if state.rows.hasMoved { broken.insert(.order) }
      if state.rows.hasReturned { broken.insert(.absence) }
      return ServedList.Verdict(
        claim: claim, doubled: ids.filter { !seen.insert($0).inserted },
        lost: state.rows.stayers.subtracting(known).sorted(),
        ghosts: known.subtracting(now).sorted(),
        instant: state.rows.instants.firstIndex {
          $0.count == known.count && known.isSuperset(of: $0)
        },
        broken: broken)
    }
  }
}
