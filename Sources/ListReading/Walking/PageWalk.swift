public import ItemMapping
internal import ServerAPI

/// Reads a server's pages one after the other, for lists that are too long to keep.
///
/// ```swift
/// let walk = PageWalk(server, "/events", paging: .automatic)
/// while let page = try await walk.next() {
///   for row in page.rows { print(row) }
/// }
/// if case .incomplete(let reason) = walk.end { print("there may be more: \(reason)") }
/// ```
///
/// Rows are read in place, without a copy. Of earlier rows only the ids are kept, so that a repeated row is
/// noticed. An error leaves the walk where it is: the next call of ``next()`` requests the same
/// page again. A ``checkpoint`` lets another walk continue from there, also in another process.
///
/// Rows may move to a page that was already read. Where the paging can, pages overlap by a row, which shows that, and
/// the walk reads the missed rows further back; see ``Consistency/Level``. Elsewhere it requests the page before again
/// if the server's total falls. If the rows can't be found, the list ends as incomplete, and so it does if it has
/// fewer rows than the lowest total that the server reported, or if an empty page contradicts the server's numbers.
public final class PageWalk {
  private let call: Call
  private var source: PageSource<JSONView>
  private var brain: WalkBrain
  /// The rows that are not complete yet.
  private var batch: RowBatch?
  private var refused = RefusedPlace()

  /// Creates a walk over the pages of a loader.
  init(
    _ loader: PageLoader<JSONView>, _ call: Call, _ paging: Paging, _ identity: PageWalk.Identity,
    merging: JSONPath? = nil, parallel: Int, _ consistency: Consistency.Level,
    from checkpoint: PageWalk.Checkpoint?, knownIDs ids: some Sequence<RowID>
  ) {
    precondition(parallel > 0, "at least one page is loaded at a time, not \(parallel)")
    let server = loader.server
    self.call = call.read(from: server)
    if let merging {
      var idPath: JSONPath?
      if case .by(let path) = identity { idPath = path }
      batch = RowBatch(flag: merging, idPath: idPath)
    }
    source = PageSource(loader, paging)
    source.loader.remembers = false
    source.parallel = merging == nil ? parallel : 1
    brain = WalkBrain(
      paging,
      WalkedRows(identity, delivered: ids, keepsSightings: consistency == .exact),
      checking: merging == nil ? consistency : .any, from: checkpoint)
    // A cache has the bodies and their validators, and a program that sends conditions of its own handles them.
    if consistency == .exact, checkpoint == nil, server.cache == nil, call.method == .get,
      call.headers["If-None-Match"] == nil, call.headers["If-Modified-Since"] == nil
    {
      brain.validated = ValidatedPages()
    }
  }

  /// What ``Paging/automatic`` recognized; `nil` for other pagings, and until it is known.
  public var recognized: RecognizedPaging? { brain.traits.recognized }
  /// The requests that ``Paging/automatic`` tried, in order.
  package private(set) var trials: [TrialAttempt] = []
  /// The member that ends the list, where ``Paging/automatic`` recognized its meaning by its name.
  package var endMember: String? { brain.endMember }
  /// The path of the id in a row; `nil` where rows are not told apart, and before the first page.
  public var idPath: JSONPath? { brain.rows.idPath }
  /// The version of the list that all responses so far have, where the program declared its place.
  package var version: String? { brain.reading.record.version.text }
  /// What can be claimed of the rows, although the list may change while it is read.
  public var consistency: Consistency { brain.consistency }
  /// What can be claimed of the rows between the first and the last one that were read, whatever is after them.
  package var consistencyOfPages: Consistency { brain.reading.consistency(at: nil) }
  /// What could be claimed if the rows that the server's total counts, and that the walk lacks, were found elsewhere.
  package var consistencyOfFoundRows: Consistency { brain.reading.consistency(at: .complete) }
  /// The delivered rows that were not in the list at the instant of an ``Consistency/Claim/exact`` claim: they had
  /// gone, or had not come yet. Empty without such a claim.
  public var goneIDs: [RowID] {
    brain.consistency.claim == .exact ? brain.rows.idsOutsideProof : []
  }
  /// How many pages in a row may have no new row before the walk ends as incomplete, so that an endless list of empty
  /// pages ends. The default is 20.
  public var maximumEmptyPages: Int {
    get { brain.reading.maximumEmptyPages }
    set { brain.reading.maximumEmptyPages = newValue }
  }
  static let usualEmptyPages = 20
  /// What says that a response failed or has some of the rows only, although its status is one of success. A change
  /// applies to the pages that are requested after it.
  public var failures: FailureWords {
    get { source.loader.failures }
    set { source.loader.failures = newValue }
  }
  /// The number of pages read, including those before the checkpoint.
  public var pages: Int { brain.pages }
  /// The total number of rows that the server reported last, if any.
  public var total: Int? { brain.total }
  /// How the list ended; `nil` while there is a page to request.
  public var end: ListEnd? { brain.end }
  /// The position of the walk; `nil` where the list has ended.
  public var checkpoint: PageWalk.Checkpoint? { batch?.start ?? brain.checkpoint }

  /// Returns the next page; `nil` where the list has ended, see ``end``.
  public func next() async throws(LoadError) -> PageWalk.Page? {
    var turn = Turn(step: brain.next(), start: batch?.start)
    while case .request(let key) = turn.step {
      do throws(LoadError) {
        let page = try await page(at: key)
        // The ids of a large page take a while.
        guard !Task.isCancelled else { throw .request(RequestError(.cancelled(.byCaller))) }
        try receive(page, &turn)
      } catch {
        turn.step = try step(after: error, at: key)
      }
    }
    prepareNext()
    return delivered(by: turn)
  }

  /// The requests that lead to one page.
  private struct Turn {
    var step: WalkBrain.Step
    /// Where the rows that are not complete yet begin.
    let start: PageWalk.Checkpoint?
    var work = Duration.zero
  }

  // The following are not inlined, since that would enlarge the frame of `next()`.

  @inline(never)
  private func receive(_ page: LoadedPage<JSONView>, _ turn: inout Turn) throws(LoadError) {
    var page = page
    let time = source.loader.server.time
    let start = time.now()
    turn.work += page.page.timings.decode
    trials += page.trials
    if case .reading = brain.purpose { try batch?.take(&page, at: brain.checkpoint) }
    turn.step = brain.receive(page)
    turn.work += time.now() - start
  }

  @inline(never)
  private func step(after error: LoadError, at key: PageKey) throws(LoadError) -> WalkBrain.Step {
    if let other = brain.refused(error) { return other }
    return try goBack(after: error, at: key)
  }

  @inline(never)
  private func delivered(by turn: Turn) -> PageWalk.Page? {
    guard case .deliver(var page) = turn.step else { return nil }
    if let start = turn.start { page.checkpoint = start }
    page.work = turn.work
    refused.deliver(page)
    return page
  }

  /// How often the walk went back, because the server refused a cursor or link that it had sent.
  package var returns: Int { refused.count }

  /// Goes back to the last place that works, and returns the next step there. Throws the error if there is none.
  private func goBack(
    after error: LoadError, at key: PageKey
  ) throws(LoadError) -> WalkBrain.Step {
    // Without ids, rows that come again can't be told apart.
    guard brain.canGoBack, let way = refused.way(back: error, from: key) else { throw error }
    source.dropAhead()
    switch way {
    case .checkpoint(let checkpoint): brain = brain.restarted(at: checkpoint)
    case .start: brain = brain.restarted(at: nil)
    }
    return brain.next()
  }

  /// Requests the next page while the program handles this one, if pages may be in flight meanwhile. Drops those that
  /// were requested for other places.
  @inline(never)
  private func prepareNext() {
    // For a second walk it has to be known which response is older.
    guard source.parallel > 1, brain.reading.level < .exact else { return }
    guard case .page(let next) = brain.reading.link else { return source.dropAhead() }
    let key = brain.reading.overlap(before: next)?.key ?? next
    guard !source.hasAhead(key) else { return }
    source.dropAhead()
    // A trial is several requests.
    if case .trial = key.place { return }
    source.loadAhead(request(key), atOnce: true)
  }

  /// Records rows that an ``ItemWalk`` could not read.
  func dropUnreadable(_ count: Int, _ reason: String?) { brain.dropUnreadable(count, reason) }

  private func page(at key: PageKey) async throws(LoadError) -> LoadedPage<JSONView> {
    let early = source.takeAhead(key)
    requestAhead(of: key)
    do throws(LoadError) {
      if let early { return try await early.page() }
      return try await source.loader.load(request(key))
    } catch {
      guard error.exceedsMemory, source.parallel > 1 else { throw error }
      // Alone it may have the room that it lacked beside the others.
      for other in source.takeAllAhead() { await other.stop() }
      // Cancelled requests give their memory back a moment later. What the program keeps of earlier pages stays taken.
      let server = source.loader.server
      await server.memory?.waitUntilHalfIsFree(atMost: .seconds(1), server.time)
      return try await source.loader.load(request(key))
    }
  }

  @inline(never)
  private func requestAhead(of key: PageKey) {
    // Pages are only requested ahead of the next page, not of an earlier one that the walk reads again.
    guard source.parallel > 1, brain.isReadingOn else { return }
    let keys = source.keysAhead(
      of: key, total: brain.total, pageCount: brain.pageCount, brain.traits
    ) { brain.reading.overlap(before: $0) }
    for key in keys { source.loadAhead(request(key), atOnce: true) }
  }

  @inline(never)
  private func request(_ key: PageKey) -> PageLoader<JSONView>.Request {
    var call = call
    if brain.reading.level == .exact { call.cache = source.loader.server.validatingMode(of: call) }
    var request = source.request(
      key, of: call, brain.traits, isFirst: key == source.paging.strategy.first)
    if brain.validated != nil { request.validator = brain.validator }
    return request
  }
}

extension Call {
  /// Returns the call with the retries of a walk.
  fileprivate func read(from server: Server) -> Call {
    var call = self
    call.retry = (retry ?? server.configuration.retry).ofWalks
    return call
  }
}
