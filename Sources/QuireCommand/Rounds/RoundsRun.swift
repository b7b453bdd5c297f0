internal import ListSync
internal import Quire

/// Reads a list round by round, and writes its changes.
final class SyncRun {
  let server: Server
  private let options: SyncOptions
  private let console: Console
  private let file: SyncFile
  private let monitor = ListMonitor()
  private let walk: SyncWalk
  private let time = TimeSource.system
  /// The paths of options that no response had so far.
  private var declared: DeclaredPaths
  private var hasBegun = false
  /// A name that is like the path of the stamp, where rows lack that.
  private var stampHint: String?

  /// Opens the state file. Sends no request.
  init(_ options: SyncOptions, _ console: Console) throws(UsageError) {
    (self.options, self.console) = (options, console)
    let (crawl, list) = (options.crawl, options.crawl.list)
    server = list.server(parallel: crawl.parallel, monitors: [monitor], sharing: MemoryBudget(list.memory))
    file = try SyncFile(options.stateFile, console.output, crawl.signature)
    declared = DeclaredPaths(nil)
    let call = list.call.validated(on: server)
    walk = SyncWalk(file.takeState(), SyncWalk.Options(), time: time) { [server] identity, checkpoint, known, filter in
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
    if !file.changedCredentials.isEmpty {
      report("continuing with changed credentials: \(file.changedCredentials.joined(separator: ", "))")
    }
  }

  private func report(_ text: String) {
    if !options.crawl.isQuiet { console.printError("quire sync: \(text)") }
  }

  /// Reads rounds until the last one, an error or an interrupt. `prepare` is called before the first line is written.
  func run(prepare: @escaping () async -> Void) async -> CrawlStatus {
    let monitor = monitor
    walk.options.requests = { monitor.counts.requests }
    walk.options.content = { [crawl = options.crawl] row in try Self.content(of: row, crawl) }
    walk.options.received = { [unowned self] walk, page in try check(walk, page) }
    walk.options.doubts = { [unowned self] in
      // The last response has no page if the walk only needed what it says.
      if declared.isOpen { declared.look(in: self.monitor.lastResponse) }
      return declared.doubt != nil
    }
    var status = CrawlStatus.complete
    do throws(EarlyExit) {
      repeat {
        let begin = time.now()
        status = try await round(from: begin, prepare)
        guard let pause = options.pause else { break }
        let rest = pause - (time.now() - begin)
        do { try await time.sleep(max(.zero, rest)) } catch { throw EarlyExit(.interrupted, nil) }
      } while true
    } catch {
      status = error.status
      if let message = error.message { console.printError("quire sync: \(message)") }
    }
    do throws(EarlyExit) { try file.end() } catch {
      status = error.status
      if let message = error.message { console.printError("quire sync: \(message)") }
    }
    return status
  }

  /// Reads one round. With further rounds to come, one that fails goes on at the next time.
  private func round(from begin: Duration, _ prepare: () async -> Void) async throws(EarlyExit) -> CrawlStatus {
    // A round that goes on may have seen them before.
    declared = DeclaredPaths(walk.state.isInsideRound ? nil : options.crawl)
    do {
      let receipt = try await walk.round { step in
        if !hasBegun { await prepare() }
        hasBegun = true
        try file.write(lines(of: step), recording: step.record)
      }
      try file.shorten(walk)
      for note in SyncLines.notes(receipt, took: time.now() - begin, every: options.pause) { report(note) }
      if let problem = receipt.problem { console.printError("quire sync: round \(receipt.round): \(problem)") }
      if let text = declared.error, !receipt.isSameVersion {
        if receipt.round == 1 { throw EarlyExit(.usage, text) }
        report("round \(receipt.round): \(text)")
      }
      if let doubt = declared.doubt { report("round \(receipt.round): \(doubt)") }
      return receipt.isComplete && receipt.heldBack == 0 ? .complete : .incomplete
    } catch let error as LoadError {
      return try wait(after: error)
    } catch let error as EarlyExit {
      throw error
    } catch is CancellationError {
      throw EarlyExit(.interrupted, nil)
    } catch let error as SyncError {
      throw EarlyExit(.usage, "\(advice(error))")
    } catch {
      throw EarlyExit(.failed, "can't go on: \(error)")
    }
  }

  private func lines(of step: SyncWalk.Step) -> [UInt8] {
    let bytes = SyncLines.bytes(of: step, options.crawl.selection)
    guard console.output.isTerminal else { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).terminalJSON.utf8)
  }

  /// Returns if the next time may succeed.
  private func wait(after error: LoadError) throws(EarlyExit) -> CrawlStatus {
    if case .request(let failure) = error, case .cancelled = failure.kind { throw EarlyExit(.interrupted, nil) }
    let isFirst = walk.state.round <= 1 && walk.state.rowCount == 0
    let exit = CrawlDiagnostics.end(
      of: error,
      .init(number: (walk.walk?.pages ?? 0) + 1, isFirst: isFirst, response: monitor.lastResponse), options.crawl)
    guard options.pause != nil, !isFirst, exit.status == .failed else { throw exit }
    console.printError(
      "quire sync: round \(walk.state.round): \(exit.message ?? "\(error)"); it goes on at the next time")
    return .failed
  }

  private func advice(_ error: SyncError) -> String {
    switch error {
    case .noIDs:
      "can't tell which rows are new: they have no id that could be found; name it with --id PATH"
    case .repeatedID(let path):
      "can't tell which rows are new: “\(path)” is no id, since different rows have the same one; name the id with"
        + " --id PATH and use another state file"
    case .noStamps(let path):
      "--\(options.watermarkOption): no row of the first page has \(OptionSyntax.text(path));"
        + " \(stampHint ?? "check the path")"
    case .otherIDType, .damagedRecord, .otherFormat:
      "\(error): another --state, or none of the old one"
    }
  }

  private func check(_ walk: PageWalk, _ page: PageWalk.Page) throws {
    if walk.pages == 1, self.walk.state.round == 1 {
      let unusual = try CrawlDiagnostics.check(
        page, response: monitor.lastResponse, end: walk.end, options: options.crawl)
      for text in unusual { report(text) }
    }
    if let path = options.watermark?.stamp, page.number == 0, let row = page.rows.first, row[path] == nil {
      stampHint = CrawlDiagnostics.hint(for: path, in: row)
    }
    declared.look(at: page.rows, of: monitor.lastResponse, isEnveloped: true)
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
