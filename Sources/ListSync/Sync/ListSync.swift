public import ItemMapping
public import ListReading
public import ServerAPI

/// Reads a list again and again, and reports what has changed since the last time.
///
/// ```swift
/// let sync = ListSync<Book>(server, Call("/books"), reading: .items(at: "books"))
/// try await sync.run(every: .seconds(30)) { step in
///   for change in step.changes {
///     switch change {
///     case .insert(let id, let book), .update(let id, let book): table[id] = book
///     case .delete(let id): table[id] = nil
///     }
///   }
///   if let receipt = step.receipt { print("round \(receipt.round): \(receipt.consistency)") }
/// }
/// ```
///
/// - Rounds: a round reads the list from its start to its end, page by page, and keeps no row: of each row it knows the
///   id and a mark of its JSON. New and changed rows are reported with their page.
/// - Deletes: a row is reported as gone only if the round proves that, by the claim ``Quire/Consistency/Claim/whole``
///   or ``Quire/Consistency/Claim/exact``. Otherwise it is held back, and the ``SyncReceipt`` says why.
/// - Stops: a round that is interrupted goes on where it stopped, also in another process. Store
///   ``SyncStep/record`` in the transaction that stores the changes, and every change is stored exactly once.
public final class ListSync<Item> {
  /// Assumptions about the server that no delete may rest on.
  public var distrusts: Set<ListAssumption> = []
  /// How many rows may be reported as gone in one round.
  public var deleteLimit = DeleteLimit()
  /// How rounds between full ones read only the rows that may have changed; `nil` to read the whole list each time.
  ///
  /// The first round of another watermark, and of another address or filter, is a full one.
  public var watermark: SyncWatermark?
  /// Called with a request that failed, if the list is read again and again. The round goes on at the next time.
  public var onFailure: ((LoadError) -> Void)?

  private let time: TimeSource
  /// Makes items from rows; `nil` for one that can't be read.
  private let read: ([JSONView]) async throws(LoadError) -> [Item?]
  /// The options of rounds that the program can't change.
  private let options: SyncWalk.Options
  private let call: Call
  private let walk: SyncWalk

  init(
    _ call: Call, _ options: SyncWalk.Options, _ time: TimeSource, from state: SyncState,
    read: @escaping ([JSONView]) async throws(LoadError) -> [Item?], start: @escaping SyncWalk.Start
  ) {
    (self.call, self.options, self.time, self.read) = (call, options, time, read)
    walk = SyncWalk(state, options, time: time, start: start)
  }

  /// Creates a sync of a list.
  ///
  /// - Parameters:
  ///   - server: The server to call. With a cache, pages are validated, and those that are as before have no body.
  ///   - call: The call for every page: address, parameters, method, headers, body.
  ///   - reader: Makes items from rows.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - id: The path of the id in a row; without it, it is recognized.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - version: Where each response has the version of the whole list. If it is that of the last proven round, the
  ///     round ends with its first page.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home.
  ///   - parallel: How many pages may be in flight at once.
  ///   - state: What earlier rounds have left.
  public convenience init(
    _ server: Server, _ call: Call, reading reader: PageReader<Item>, paging: Paging = .automatic,
    id: JSONPath? = nil, consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    allowsOtherOrigins: Bool = false, parallel: Int = 1, from state: SyncState = SyncState()
  ) {
    var options = SyncWalk.Options()
    options.identity = id.map { .by($0) } ?? .recognized
    let call = call.validated(on: server)
    self.init(call, options, server.time, from: state) { rows throws(LoadError) in
      try await Self.items(of: rows, by: reader)
    } start: { identity, checkpoint, known, filter in
      PageWalk(
        server, call.adding(filter), items: reader.declaredPath, paging: paging, identity: identity,
        allowsOtherOrigins: allowsOtherOrigins, parallel: parallel, consistency: consistency,
        version: version, from: checkpoint, knownIDs: known)
    }
  }

  /// What is known of the list.
  public var state: SyncState { walk.state }

  /// Reads one round, or with a pause the next ones until the task is cancelled.
  ///
  /// A round that takes longer than the pause is followed by the next one at once.
  ///
  /// - Parameters:
  ///   - pause: The time from the beginning of a round to that of the next one; `nil` to read one round.
  ///   - body: Stores what a step reports. If it throws, the step is as if it had not been.
  public func run(
    every pause: Duration? = nil, _ body: (SyncStep<Item>) async throws -> Void
  ) async throws {
    repeat {
      let begin = time.now()
      do {
        try await round(body)
      } catch let error as LoadError {
        guard pause != nil, state.round > 1 || state.rowCount > 0, error.mayPass else { throw error }
        onFailure?(error)
      }
      guard let pause else { return }
      let rest = pause - (time.now() - begin)
      if rest > .zero { try await time.sleep(rest) }
      try Task.checkCancellation()
    } while true
  }

  private func round(_ body: (SyncStep<Item>) async throws -> Void) async throws {
    var items: [Item?] = []
    var options = options
    (options.distrusted, options.deleteLimit, options.watermark) = (distrusts, deleteLimit, watermark)
    if options.represented != nil, case .since(let parameter)? = watermark?.way {
      preconditionFailure("a closure has no parameter “\(parameter)”; use .newestFirst(by:)")
    }
    options.plan = watermark?.plan(of: call) ?? 0
    options.read = { [read] rows in
      items = try await read(rows)
      return items.map { $0 != nil }
    }
    walk.options = options
    _ = try await walk.round { step in
      let found = items.compactMap(\.self)
      items = []
      try await body(SyncStep(&step, found))
    }
  }

  /// Returns the item of each row, `nil` for one that can't be read.
  private static func items(
    of rows: [JSONView], by reader: PageReader<Item>
  ) async throws(LoadError) -> [Item?] {
    let all = try await read(rows, by: reader)
    if let all, all.count == rows.count { return all.map { $0 } }
    var items: [Item?] = []
    for row in rows { items.append(try await read([row], by: reader)?.first) }
    return items
  }

  /// Maps rows; returns `nil` if the report can't say which of them are missing.
  @concurrent
  private static func read(
    _ rows: [JSONView], by reader: PageReader<Item>
  ) async throws(LoadError) -> sending [Item]? {
    let text = "[" + rows.map(\.text).joined(separator: ",") + "]"
    do throws(MappingError) {
      return try reader.items(in: PageBytes(Array(text.utf8)).document(), at: .root).value
    } catch {
      if rows.count > 1 { return nil }
      return []
    }
  }
}

extension LoadError {
  /// Whether the same request may succeed later.
  fileprivate var mayPass: Bool {
    switch self {
    case .request(let error):
      switch error.kind {
      case .cancelled, .invalidRequest: false
      default: true
      }
    case .paging(.wrongCall): false
    default: true
    }
  }
}

extension Call {
  /// Returns the call with further parameters.
  package func adding(_ params: Params) -> Call {
    var call = self
    call.params.merge(params)
    return call
  }

  /// Returns the call so that no stored response is used before the server has confirmed it.
  package func validated(on server: Server) -> Call {
    var call = self
    if server.cache != nil { call.cache = server.validatingMode(of: call) }
    return call
  }
}
