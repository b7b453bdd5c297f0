package import ItemMapping
package import ListReading
package import ServerAPI

/// Reads a list round by round, and says which rows are new, changed or gone.
///
/// The ``SyncState`` decides; this reads pages for it. A step is recorded before the state changes: if the program fails
/// to store a step, the next round goes on as if it had not been.
package final class SyncWalk {
  /// How a list is read.
  package struct Options {
    package var identity = PageWalk.Identity.recognized
    package var distrusted: Set<ListAssumption> = []
    package var deleteLimit = DeleteLimit()
    /// How rounds between full ones read only what may have changed, and the digest of the list that it is of.
    package var watermark: SyncWatermark?
    package var plan: UInt64 = 0
    /// Returns what a row has. Without it, the mark is that of the whole row.
    package var content: ((JSONView) throws -> ReceivedRow.Content)?
    /// Returns the row that another one stands for; `nil` if it can't be read. Its content and its stamp are compared.
    package var represented: ((JSONView) -> JSONView?)?
    /// Makes something of rows that are new or changed, and returns which of them can be read.
    package var read: (([JSONView]) async throws -> [Bool])?
    /// Returns the number of requests that were sent so far. Without it, those of the walk are counted.
    package var requests: (() -> Int)?
    /// Returns whether something speaks against the claim of a round that was read to its end.
    package var doubts: (() -> Bool)?
    /// Masks what must not be stored in the problem of a round.
    package var masked: (String) -> String = { $0 }
    /// Called with each page of the walk, before its rows are compared.
    package var received: ((PageWalk, PageWalk.Page) throws -> Void)?

    package init() {}
  }

  /// Stores what a step reports, with its record. If it throws, the step is as if it had not been.
  package typealias Body = (inout Step) async throws -> Void

  /// Makes a walk that begins at a checkpoint, or at the start. Its requests have further parameters.
  package typealias Start = (PageWalk.Identity, PageWalk.Checkpoint?, [RowID], Params) -> PageWalk

  package private(set) var state: SyncState
  package var options: Options
  private let time: TimeSource
  let start: Start
  package private(set) var walk: PageWalk?
  /// The requests of the round before this walk, and the counter at its start.
  private var requestsBefore = (round: 0, counter: 0)
  /// The pages of the round before this walk; `nil` if the walk began at the start.
  private var pagesBefore: Int?
  /// Steps that the state has already taken, and that belong to the next record.
  private var unrecorded: [SyncDelta] = []

  package init(_ state: SyncState, _ options: Options, time: TimeSource, start: @escaping Start) {
    (self.state, self.options, self.time, self.start) = (state, options, time, start)
  }

  /// How many rows one step reports as gone.
  package static let deletesOfStep = 1_000

  /// Reads one round, or the rest of one, and returns its receipt.
  package func round(_ body: Body) async throws -> SyncReceipt {
    // A round that measures other stamps can't go on.
    if case .reading(let progress, _) = state.phase, (progress.stamps?.plan ?? 0) != plan { try begin() }
    if state.phase == .idle { try begin() }
    do {
      if case .reading = state.phase { try await readPages(body) }
      return try await finish(body)
    } catch let error as LoadError {
      if case .paging(.wrongCall) = error, let walk, walk.pages == pagesBefore {
        // The round stopped at a place of another paging, and another one begins.
        try begin()
        return try await round(body)
      }
      // The walk stays where it is.
      throw error
    } catch {
      walk = nil
      throw error
    }
  }

  private func begin() throws {
    let now = time.secondsSince1970()
    let stamps = options.watermark.map { RoundStamps($0, plan: plan, after: state.watermark(of: plan), at: now) }
    try take(.begin(at: now, stamps))
    walk = nil
  }

  /// Changes the state by a step that is recorded with the next one.
  private func take(_ step: SyncDelta) throws {
    try state.apply(step)
    unrecorded.append(step)
  }

  func commit(_ step: Step, _ body: Body) async throws {
    var step = step
    step.earlier = unrecorded
    step.idPath = step.idPath ?? state.idPath
    try await body(&step)
    unrecorded = []
    for delta in step.deltas() { try state.apply(delta) }
  }

  /// Replaces the records of the state by fewer ones.
  package func records() -> some Sequence<[UInt8]> { state.records() }
}

// MARK: - Reading

extension SyncWalk {
  private func readPages(_ body: Body) async throws {
    let walk = try walk ?? startWalk()
    self.walk = walk
    while state.stamps?.mayStop != true, let page = try await walk.next() {
      try options.received?(walk, page)
      if page.number == 0, let seal = sealOfSameVersion(walk) {
        return try await commit(Step(state.round, [seal]), body)
      }
      var step = try await read(page, walk, state.stamps)
      let stamps = step.page?.stamps
      let isLast = stamps?.mayStop == true || walk.end != nil
      guard isLast, !needsTop(walk, stamps) else {
        try await commit(step, body)
        continue
      }
      // The end and what it proves are recorded together with the last page.
      step.seal = { [self] page in seal(walk, after: page) }
      return try await commit(step, body)
    }
    if needsTop(walk, state.stamps) { return try await readTop(walk, body) }
    // The walk may have read more only to be sure.
    try await commit(Step(state.round, [seal(walk)]), body)
  }

  /// Returns what a page reports, and the step that records it.
  func read(
    _ page: PageWalk.Page, _ walk: PageWalk, _ stamps: RoundStamps?
  ) async throws -> Step {
    let shown = options.represented.map { page.rows.map($0) } ?? page.rows
    let found = self.stamps(of: shown)
    let (received, rows) = try compared(page, shown, walk, found)
    var (operations, delta) = try await decide(received, rows)
    delta.unreadable += page.rows.count - rows.count
    (delta.checkpoint, delta.idPath, delta.requests) = (walk.checkpoint?.text, walk.idPath, requests(walk))
    var step = Step(state.round)
    step.withoutID = page.rows.count == rows.count ? [] : Self.rowsWithoutID(page)
    for (place, operation) in operations.enumerated() {
      if let operation { step.append(operation, received[place].id.rowID, rows[place]) }
    }
    if var stamps {
      try measure(page, shown, found, received, operations, &stamps)
      delta.stamps = stamps
    }
    (step.page, step.idPath) = (delta, walk.idPath)
    return step
  }

  private static func rowsWithoutID(_ page: PageWalk.Page) -> [JSONView] {
    page.rows.indices.filter { page.ids.isEmpty || page.ids[$0] == nil }.map { page.rows[$0] }
  }

  /// Returns what happens to the rows of a page. Rows that can't be read are not reported.
  private func decide(
    _ received: [ReceivedRow], _ rows: [JSONView]
  ) async throws -> (operations: [SyncOperation?], page: SyncDelta.Page) {
    let decided = try state.decide(received)
    guard let read = options.read else { return decided }
    let reported = rows.indices.filter { decided.operations[$0] == .insert || decided.operations[$0] == .update }
    guard !reported.isEmpty else { return decided }
    let isReadable = try await read(reported.map { rows[$0] })
    guard isReadable.contains(false) else { return decided }
    var readable = received
    for (place, isReadable) in zip(reported, isReadable) where !isReadable { readable[place].content = .unreadable }
    return try state.decide(readable)
  }

  /// Starts a walk where the round stopped. Where that is not known any more, another round begins.
  private func startWalk() throws -> PageWalk {
    var checkpoint: PageWalk.Checkpoint?
    if case .reading(_, let text?) = state.phase {
      checkpoint = PageWalk.Checkpoint(text: text).flatMap { $0.hasPlace ? $0 : nil }
      if checkpoint == nil { try begin() }
    } else if case .reading(let progress, nil) = state.phase, progress.pages > 0 {
      try begin()
    }
    if case .reading(let progress, _) = state.phase {
      requestsBefore = (progress.requests, options.requests?() ?? 0)
    }
    var identity = options.identity
    // Until a round has read all rows, others may show that the member is no id.
    if identity == .recognized, state.lastEnd != nil, let path = state.idPath { identity = .by(path) }
    let walk = start(identity, checkpoint, checkpoint == nil ? [] : Array(state.seenIDs), filter)
    pagesBefore = checkpoint == nil ? nil : walk.pages
    return walk
  }

  /// Returns the rows of a page that have an id, and what is compared of them.
  private func compared(
    _ page: PageWalk.Page, _ shown: [JSONView?], _ walk: PageWalk, _ stamps: [Stamp?]
  ) throws -> (received: [ReceivedRow], rows: [JSONView]) {
    let ids = page.ids
    if ids.isEmpty, let path = state.idPath, walk.idPath == nil { throw SyncError.repeatedID(path) }
    var (received, rows): ([ReceivedRow], [JSONView]) = ([], [])
    for (place, row) in page.rows.enumerated() where !ids.isEmpty {
      guard let id = ids[place] else { continue }
      var content =
        try options.content?(row) ?? shown[place].map { .mark(ContentMark.of($0.text)) } ?? .unreadable
      if case .mark(let mark) = content, !stamps.isEmpty, let stamp = stamps[place] {
        content = .mark(ContentMark.adding(stamp.text, to: mark))
      }
      received.append(ReceivedRow(id, content))
      rows.append(row)
    }
    if received.isEmpty, !page.rows.isEmpty { throw SyncError.noIDs }
    return (received, rows)
  }

  func requests(_ walk: PageWalk) -> Int {
    guard let counter = options.requests else { return walk.pages + walk.consistency.checks + walk.trials.count }
    return requestsBefore.round + counter() - requestsBefore.counter
  }
}

// MARK: - Ending

extension SyncWalk {
  /// Returns the end of the round if the list has the version whose rows are known.
  private func sealOfSameVersion(_ walk: PageWalk) -> SyncDelta? {
    guard let version = walk.version, version == state.version, !options.distrusted.contains(.version) else {
      return nil
    }
    return .seal(
      state.seal(
        SyncState.Outcome(
          Consistency(.exact, on: [.ids, .version], moments: walk.consistency.moments), .complete,
          version: version, isSameVersion: true, requests: requests(walk)),
        atMost: options.deleteLimit))
  }

  /// Returns what the round has proven, after its last page.
  func seal(
    _ walk: PageWalk, after last: SyncDelta.Page = SyncDelta.Page(), foundOnTop found: Int? = nil
  ) -> SyncDelta {
    let stamps = last.stamps ?? state.stamps
    let isShort = stamps?.mayStop == true
    var end: ListEnd = walk.end ?? (isShort ? .complete : .incomplete(.custom("the walk stopped")))
    var consistency = walk.consistency
    if let found, let lacking = end.lackingRows, found >= lacking {
      (consistency, end) = (walk.consistencyOfFoundRows, .complete)
    }
    consistency = consistency.without(options.distrusted)
    // The rows of the round are more than those of that instant.
    if consistency.claim == .exact, !walk.goneIDs.isEmpty { consistency.claim = .whole }
    if options.doubts?() == true, consistency.claim > .unproven { consistency = consistency.unproven }
    // Rows that change move in such a list, and no seam shows where they were. What moves to the top gets a stamp above
    // the next mark.
    let isKept = consistency.without([.order])
    let pages = walk.consistencyOfPages.without(options.distrusted)
    let joins = stamps?.movesDown == true && !walk.isChained ? isKept.claim.isProven : pages.claim.isProven
    if stamps?.isInOrder == true, found == nil { consistency = isKept }
    var outcome = SyncState.Outcome(
      consistency, end, version: walk.goneIDs.isEmpty ? walk.version : nil,
      requests: last.stamps == nil ? requests(walk) : last.requests)
    outcome.isFull = walk.end != nil && !isFiltered
    outcome.joins = joins
    var seal = state.seal(outcome, after: last, atMost: options.deleteLimit)
    seal.problem = seal.problem.map(options.masked)
    return .seal(seal)
  }

  /// Reports the deletes of a round whose pages are read, and ends it.
  private func finish(_ body: Body) async throws -> SyncReceipt {
    walk = nil
    var next = 0
    while true {
      try Task.checkCancellation()
      let indices = state.nextDeletes(Self.deletesOfStep, from: next)
      guard let last = indices.last else { break }
      next = last + 1
      var step = Step(state.round, [.remove(indices)])
      step.deletes = indices.map { state.rows.id(at: $0).id }
      try await commit(step, body)
    }
    let end = time.secondsSince1970()
    guard let receipt = state.receipt(at: end) else { throw SyncError.Mismatch() }
    var step = Step(state.round, [.end(at: end)])
    step.receipt = receipt
    try await commit(step, body)
    return receipt
  }
}
