public import ListReading
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
/// - Children: a list for each row of another one has a round and a receipt for each row. They are read one after the
///   other, so that memory has what is known of one of them. A run begins behind the row that was read last.
public final class Collector {
  /// Called with the name of a list after each batch of it is stored.
  public var onBatch: ((_ list: String, _ rows: Int) -> Void)?
  /// Called for each row of which a child list was read, or could not be.
  public var onChild: ((_ list: String, _ row: RowID, _ result: Result<SyncReceipt, any Error>) -> Void)?

  private let server: Server
  private let plan: CollectPlan
  private let sink: any RowSink
  private var rounds: [String: ListRounds] = [:]
  private var children: [String: ChildRounds] = [:]

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
    /// What became of its children.
    public var children: [ChildrenSummary] = []
  }

  /// Reads one round of each list, and after it the children of each of its rows, one after the other.
  ///
  /// - Throws: What is wrong with the plan or the database; the run ends there.
  public func run() async throws -> [Outcome] {
    try plan.check()
    do {
      // All tables are opened before the first request.
      for list in plan.lists { try await open(list) }
      var outcomes: [Outcome] = []
      for list in plan.lists {
        var outcome = Outcome(list: list.name, result: try await read(list))
        for child in list.children { outcome.children += try await readChildren(child) }
        outcomes.append(outcome)
      }
      return outcomes
    } catch let error as CancellationError {
      throw error
    } catch {
      // The database is asked again for what it has.
      (rounds, children) = ([:], [:])
      throw error
    }
  }

  private func open(_ list: CollectList) async throws {
    if rounds[list.name] == nil {
      let source = try Self.source(server, list)
      rounds[list.name] = ListRounds(server, list, try await SinkStore(list, source, sink, server.time))
    }
    for child in list.children where children[child.name] == nil {
      let source = try Self.source(server, child.belonging(to: list.name))
      children[child.name] = try await ChildRounds(child, of: list, source, sink, server.time)
    }
  }

  private static func source(_ server: Server, _ list: CollectList) throws(CollectError) -> ListSource {
    do throws(RequestError) { return try ListSource(server, list) } catch {
      throw CollectError.plan("the list “\(list.name)”: \(error)")
    }
  }

  private func read(_ list: CollectList) async throws -> Result<SyncReceipt, any Error> {
    guard let rounds = rounds[list.name] else { return .failure(CancellationError()) }
    do {
      return .success(try await rounds.run { [onBatch] rows in onBatch?(list.name, rows) })
    } catch {
      return .failure(try ChildRounds.failure(error))
    }
  }

  private func readChildren(_ child: CollectList) async throws -> [ChildrenSummary] {
    guard let rounds = children[child.name] else { return [] }
    let summary = try await rounds.run { [server, onBatch] list, store in
      try await ListRounds(server, list, store).run { rows in onBatch?(list.name, rows) }
    } observe: { [onChild] row, result in
      onChild?(child.name, row, result)
    }
    return [summary]
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

  init(_ server: Server, _ list: CollectList, _ store: SinkStore) {
    self.store = store
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
