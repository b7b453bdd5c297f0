internal import ListReading
public import ListSync
public import ServerAPI

/// Reads lists into a database, round by round: each row once, and no row deleted that is still there.
///
/// ```swift
/// let sink = try SQLiteSink("books.db")
/// let plan = CollectPlan([CollectList("books", Call("/books"))])
/// let collector = Collector(server, plan, into: sink)
/// for outcome in try await collector.run() {
///   print(outcome)    // books: 1,204 rows, no row that stayed in the list is missing
/// }
/// ```
///
/// - Stops: rows and the place in the list are stored in one transaction. A run that was killed goes on there.
/// - Deletes: a row is deleted only if the round proves that it is gone. Others are held back, and the receipt says why.
/// - Failures: a list that can't be read doesn't stop the others. The next run goes on with it.
public final class Collector {
  /// Called with the name of a list after each batch of it is stored.
  public var onBatch: ((_ list: String, _ rows: Int) -> Void)?

  private let server: Server
  private let plan: CollectPlan
  private let sink: any RowSink
  private var rounds: [String: ListRounds] = [:]

  /// Creates a collector. Sends no request.
  public init(_ server: Server, _ plan: CollectPlan, into sink: some RowSink) {
    (self.server, self.plan, self.sink) = (server, plan, sink)
  }

  /// What became of a list in a run.
  public struct Outcome: Sendable {
    /// The name of the list.
    public let list: String
    /// What is known of its round, or why it was not read.
    public let result: Result<SyncReceipt, any Error>
  }

  /// Reads one round of each list.
  ///
  /// - Throws: What is wrong with the plan or the database; the run ends there.
  public func run() async throws -> [Outcome] {
    try plan.check()
    // All tables are opened before the first request.
    for list in plan.lists where rounds[list.name] == nil {
      rounds[list.name] = try await ListRounds(server, list, sink)
    }
    var outcomes: [Outcome] = []
    for list in plan.lists {
      guard let rounds = rounds[list.name] else { continue }
      do {
        let receipt = try await rounds.run { [onBatch] rows in onBatch?(list.name, rows) }
        outcomes.append(Outcome(list: list.name, result: .success(receipt)))
      } catch let error as LoadError {
        if case .request(let failure) = error, case .cancelled = failure.kind { throw CancellationError() }
        outcomes.append(Outcome(list: list.name, result: .failure(error)))
      } catch let error as SyncError {
        outcomes.append(Outcome(list: list.name, result: .failure(error)))
      } catch {
        // The database is asked again for what it has.
        self.rounds = [:]
        throw error
      }
    }
    return outcomes
  }

  /// Reads rounds of each list until the task is cancelled.
  ///
  /// - Parameters:
  ///   - pause: The time from the beginning of a run to that of the next one.
  ///   - body: Called with what became of each list.
  public func run(every pause: Duration, _ body: ([Outcome]) async throws -> Void) async throws {
    while true {
      let begin = server.time.now()
      try await body(try await run())
      let rest = pause - (server.time.now() - begin)
      if rest > .zero { try await server.time.sleep(rest) }
      try Task.checkCancellation()
    }
  }
}

extension Collector.Outcome: CustomStringConvertible {
  /// The name of the list, its rows, and what is known of them.
  public var description: String {
    switch result {
    case .success(let receipt): "\(list): \(receipt.rows) rows, \(receipt.consistency)"
    case .failure(let error): "\(list): \(error)"
    }
  }
}

/// The rounds of one list.
private final class ListRounds {
  private let store: SinkStore
  private let walk: SyncWalk

  init(_ server: Server, _ list: CollectList, _ sink: any RowSink) async throws {
    let source: ListSource
    do throws(RequestError) { source = try ListSource(server, list) } catch {
      throw CollectError.plan("the list “\(list.name)”: \(error)")
    }
    store = try await SinkStore(list, source, sink, server.time)
    let call = list.call.validated(on: server)
    walk = SyncWalk(store.takeState(), list.options, time: server.time) { identity, checkpoint, known, filter in
      PageWalk(
        server, call.adding(filter), items: list.items, paging: list.paging, identity: identity,
        allowsOtherOrigins: list.allowsOtherOrigins, parallel: list.parallel, consistency: list.consistency,
        version: list.version, from: checkpoint, knownIDs: known)
    }
  }

  /// Reads one round, or the rest of one.
  func run(_ stored: (Int) -> Void) async throws -> SyncReceipt {
    let receipt = try await walk.round { step in
      try await store.store(&step)
      stored(step.rows.count)
    }
    try await store.shorten(walk)
    return receipt
  }
}
