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
