internal import ListSync
internal import Quire
internal import QuireCollect

/// Reads a list round by round, into a feed or a table.
final class RoundsRun {
  /// What the rounds are of.
  struct Job {
    /// The name of the command.
    var name: String
    /// The name of the list, if the command reads several ones.
    var list: String?
    /// Hides secrets in what is printed.
    var masked: (String) -> String = { $0 }
    /// The server that the list is read from.
    var server: Server
    /// Counts the requests of the server.
    var monitor: ListMonitor
    /// What keeps the rounds; `nil` if each list of the job has one of its own.
    var store: (any RoundStore)?
    /// The status of a round that was read to its end and holds deletes back.
    var heldBack = CrawlStatus.incomplete
    /// Whether rows that are gone are meant to stay.
    var allowsStaleRows = false
    /// What is said of rows that could not be read, after their number.
    var unread = "without an id are left out; name it with --id PATH"
    /// What to do to forget what is known of the list.
    var startingOver = "use another --state file"
    /// The number of rows after whose page a list stops; `nil` to read it to its end.
    var limit: Int?
    /// The statuses that don't fail the command.
    var tolerated: Set<CrawlStatus> = []
    /// Called at the end of each round.
    var ended: (SyncReceipt) -> Void = { _ in }
    /// Called with the cause if a round could not be read, and the status for that.
    var failed: (String, CrawlStatus) -> Void = { _, _ in }
    /// Called with the number of rows of each step.
    var stepped: (SyncWalk, SyncWalk.Step) -> Void = { _, _ in }

    /// A line about the list, without secrets.
    func line(_ text: String) -> String { masked("quire \(name): \(list.map { "\($0): " } ?? "")\(text)") }

    /// The status of the command for that of a list.
    func status(_ status: CrawlStatus) -> CrawlStatus { tolerated.contains(status) ? .complete : status }

    init(_ name: String, _ options: RoundOptions, _ store: (any RoundStore)?) {
      (self.name, self.store) = (name, store)
      let (crawl, monitor) = (options.crawl, ListMonitor())
      self.monitor = monitor
      server = crawl.list.server(
        parallel: crawl.parallel, monitors: [monitor], sharing: MemoryBudget(crawl.list.memory))
    }
  }

  private let job: Job
  private let options: RoundOptions
  private let console: Console
  private let walk: SyncWalk
  private let time = TimeSource.system
  /// The paths of options that no response had so far.
  private var declared = DeclaredPaths(nil)
  /// The number of rows that were received.
  private var received = 0
  /// Why a list can't be read on.
  private(set) var end: EarlyExit?
  /// A name that is like the path of the stamp, where rows lack that.
  private var stampHint: String?

  /// Sends no request.
  init(_ job: Job, _ options: RoundOptions, _ console: Console) {
    (self.job, self.options, self.console) = (job, options, console)
    let (crawl, list, server) = (options.crawl, options.crawl.list, job.server)
    let call = list.call.validated(on: server)
    walk = SyncWalk(job.store?.takeState() ?? SyncState(), SyncWalk.Options(), time: time) {
      identity, checkpoint, known, filter in
      let walk = PageWalk(
        server, call.adding(filter), items: list.items, paging: list.paging, identity: identity,
        allowsOtherOrigins: list.allowsOtherOrigins, parallel: crawl.parallel, consistency: crawl.consistency,
        version: crawl.version, from: checkpoint, knownIDs: known)
      walk.failures = list.failures
      if let maxEmpty = crawl.maxEmpty { walk.maximumEmptyPages = maxEmpty }
      return walk
    }
    walk.options.identity = list.identity
    (walk.options.distrusted, walk.options.deleteLimit) = (crawl.distrusted, options.deleteLimit)
    (walk.options.watermark, walk.options.plan) = (options.watermark, options.watermark?.plan(of: list.call) ?? 0)
    walk.options.masked = job.masked
    walk.options.requests = { [monitor = job.monitor] in monitor.counts.requests }
    walk.options.content = { [crawl] row in try Self.content(of: row, crawl) }
    walk.options.received = { [unowned self] walk, page in try check(walk, page) }
    walk.options.doubts = { [unowned self] in
      // The last response has no page if the walk only needed what it says.
      if declared.isOpen { declared.look(in: self.job.monitor.lastResponse) }
      return declared.doubt != nil
    }
  }

  private func report(_ text: String) {
    if !options.crawl.isQuiet { printError(text) }
  }

  private func printError(_ text: String) {
    console.printError(job.line(text))
  }

  private func printFailure(_ text: String, _ status: CrawlStatus) {
    printError(text)
    job.failed(job.masked(text), status)
  }

  /// Reads one round, unless an error has ended the list. `prepare` is called before anything is stored.
  func turn(_ prepare: () async -> Void) async -> CrawlStatus {
    if let end {
      if let message = end.message { job.failed(job.masked(message), end.status) }
      return job.status(end.status)
    }
    do throws(EarlyExit) { return job.status(try await round(from: time.now(), prepare)) } catch {
      end = error
      if let message = error.message { printFailure(message, error.status) }
      return job.status(error.status)
    }
  }

  /// Ends what keeps the rounds. Returns whether that is possible.
  func close() async -> Bool {
    do { try await job.store?.end() } catch {
      if let message = (error as? EarlyExit)?.message { printError(message) }
      return false
    }
    return true
  }

  /// Reads one round, and says nothing of its end.
  func read(_ prepare: () async -> Void) async throws -> SyncReceipt {
    // A round that goes on may have seen them before.
    declared = DeclaredPaths(walk.state.isInsideRound ? nil : options.crawl)
    let receipt = try await walk.round { step in
      await prepare()
      try await job.store?.store(&step)
      job.stepped(walk, step)
      if let limit = job.limit, received >= limit, let pages = walk.walk, pages.end == nil {
        throw EarlyExit(.incomplete, "stopped after \(received.grouped) rows, as --limit says; the next run goes on")
      }
    }
    try await job.store?.shorten(walk)
    return receipt
  }

  /// Reads one round. With further rounds to come, one that fails goes on at the next time.
  private func round(from begin: Duration, _ prepare: () async -> Void) async throws(EarlyExit) -> CrawlStatus {
    do {
      let receipt = try await read(prepare)
      job.ended(receipt)
      var noted = receipt
      if job.allowsStaleRows { noted.reason = nil }
      for note in RoundNotes.of(
        noted, took: time.now() - begin, every: options.pause, unread: job.unread, level: options.crawl.consistency)
      {
        report(note)
      }
      if let problem = receipt.problem { printError("round \(receipt.round): \(problem)") }
      if let text = declared.error, !receipt.isSameVersion {
        if receipt.round == 1 { throw EarlyExit(.usage, text) }
        report("round \(receipt.round): \(text)")
      }
      if let doubt = declared.doubt { report("round \(receipt.round): \(doubt)") }
      return !receipt.isComplete || receipt.unreadable > 0
        ? .incomplete : receipt.heldBack == 0 || job.allowsStaleRows ? .complete : job.heldBack
    } catch let error as LoadError {
      return try wait(after: error)
    } catch let error as EarlyExit {
      throw error
    } catch is CancellationError {
      throw EarlyExit(.interrupted, nil)
    } catch let error as SyncError {
      throw EarlyExit(.usage, "\(advice(error))")
    } catch let error as CollectError {
      // Another program may have locked the database.
      guard options.pause != nil, case .database = error else { throw EarlyExit(.failed, "\(error)") }
      printFailure("round \(walk.state.round): \(error); it goes on at the next time", .failed)
      return .failed
    } catch {
      throw EarlyExit(.failed, "can't go on: \(error)")
    }
  }

  /// Returns if the next time may succeed.
  private func wait(after error: LoadError) throws(EarlyExit) -> CrawlStatus {
    if case .request(let failure) = error, case .cancelled = failure.kind { throw EarlyExit(.interrupted, nil) }
    let exit = exit(after: error)
    guard options.pause != nil, !isFirst || job.list != nil, exit.status == .failed else { throw exit }
    printFailure("round \(walk.state.round): \(exit.message ?? "\(error)"); it goes on at the next time", .failed)
    return .failed
  }

  private var isFirst: Bool { walk.state.round <= 1 && walk.state.rowCount == 0 }

  /// Returns how a list ends that could not be read.
  func exit(after error: LoadError) -> EarlyExit {
    CrawlDiagnostics.end(
      of: error,
      .init(number: (walk.walk?.pages ?? 0) + 1, isFirst: isFirst, response: job.monitor.lastResponse), options.crawl)
  }

  private func advice(_ error: SyncError) -> String {
    switch error {
    case .noIDs:
      "can't tell which rows are new: they have no id that could be found; name it with --id PATH"
    case .repeatedID(let path):
      "can't tell which rows are new: “\(path)” is no id, since different rows have the same one; name the id with"
        + " --id PATH, and \(job.startingOver)"
    case .noStamps(let path):
      "--\(options.watermarkOption): no row of the first page has \(OptionSyntax.text(path));"
        + " \(stampHint ?? "check the path")"
    case .otherIDType, .damagedRecord, .otherFormat:
      "\(error); that is, \(job.startingOver)"
    }
  }

  private func check(_ walk: PageWalk, _ page: PageWalk.Page) throws {
    received += page.rows.count
    if walk.pages == 1, self.walk.state.round == 1 {
      let unusual = try CrawlDiagnostics.check(
        page, response: job.monitor.lastResponse, end: walk.end, options: options.crawl)
      for text in unusual { report(text) }
    }
    if let path = options.watermark?.stamp, page.number == 0, let row = page.rows.first, row[path] == nil {
      stampHint = CrawlDiagnostics.hint(for: path, in: row)
    }
    declared.look(at: page.rows, of: job.monitor.lastResponse, isEnveloped: true)
  }

  private static func content(of row: JSONView, _ options: CrawlOptions) throws -> ReceivedRow.Content {
    if let filter = options.list.filter {
      do throws(JSONQuery.LimitExceeded) {
        guard try filter.holds(for: row) else { return .left }
      } catch {
        throw EarlyExit(.failed, "--where: \(error)")
      }
    }
    return .mark(ContentMark.of(options.selection?.text(of: row) ?? row.text))
  }
}
