internal import Quire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads a list page by page and writes its rows.
///
/// A `PageWalk` loads the pages and keeps only the ids of earlier rows. The rows of a page are written and recorded, then
/// the next page is loaded.
struct Crawl {
  let server: Server
  let options: CrawlOptions
  let console: Console
  let monitor = ListMonitor()
  private var output: RecordedOutput
  let walk: PageWalk
  private(set) var writer: RowWriter
  private(set) var declared: DeclaredPaths
  /// Why the filter matches no row, as long as it matches none.
  private(set) var doubts: FilterDoubts?
  private(set) var progress = CrawlProgress()
  var stats = CrawlStats()
  var progressLine: ProgressLine
  /// The rows of the first page.
  private var pageSize: Int?
  var reportedProblems: Set<String> = []
  var isExplained: Bool
  /// The first page, as long as its paging is being looked for.
  var unexplained: PageWalk.Page?
  let time = TimeSource.system
  private var clock: PageClock
  let start: Duration

  /// Opens the resume file and prepares the output. Sends no request.
  init(_ options: CrawlOptions, _ console: Console) throws(UsageError) {
    (self.options, self.console) = (options, console)
    let list = options.list
    server = list.server(
      parallel: options.parallel, monitors: [monitor], sharing: MemoryBudget(list.memory))
    output = try RecordedOutput(console.output, options.resumeFile, options.signature)
    let resumed = output.start
    let ids = output.readIDs()
    walk = PageWalk(
      server, list.call, items: list.items, paging: list.paging, identity: list.identity,
      merging: options.merging, allowsOtherOrigins: list.allowsOtherOrigins,
      parallel: options.parallel, consistency: options.consistency, version: options.version,
      from: resumed?.checkpoint, knownIDs: ids)
    if let path = options.resumeFile, let failure = ids.failure {
      throw UsageError("can't use the resume file \(path): \(failure)")
    }
    walk.failures = list.failures
    if let maxEmpty = options.maxEmpty { walk.maximumEmptyPages = maxEmpty }
    declared = DeclaredPaths(resumed == nil ? options : nil)
    if resumed == nil { doubts = list.filter.map(FilterDoubts.init) }
    writer = RowWriter(
      options.format, options.selection, columns: resumed?.columns,
      omitting: resumed?.omitted ?? [])
    writer.isSafe = options.isSafeCSV
    writer.isTerminal = console.output.isTerminal
    progress.rowsBefore = resumed?.rows ?? 0
    progressLine = ProgressLine(console, options)
    isExplained = !options.explains
    clock = PageClock(options.list.timeout)
    start = time.now()
    if !output.changedCredentials.isEmpty {
      let names = output.changedCredentials.joined(separator: ", ")
      report("continuing with changed credentials: \(names)")
    }
  }

  /// Writes the rows of all pages. `prepare` is called once the first page is there, before any row is written.
  mutating func run(prepare: () async -> Void) async -> CrawlStatus {
    if let state = output.start, let path = options.resumeFile,
      state.isComplete || state.checkpoint == nil && state.rows > 0
    {
      report("nothing to do: the crawl recorded in \(path) is finished; remove it to start over")
      return state.isComplete ? .complete : .incomplete
    }
    var status: CrawlStatus
    do throws(EarlyExit) {
      status = try await writePages(prepare)
    } catch {
      status = error.status
      progressLine.clear()
      if let message = error.message { console.printError("quire crawl: \(message)") }
    }
    if status != .usage || stats.pages > 0 {
      do throws(EarlyExit) { try output.write(writer.end()) } catch { status = error.status }
    }
    do throws(EarlyExit) { status = try output.end(status) } catch {
      status = error.status
      if let message = error.message { console.printError("quire crawl: \(message)") }
    }
    finish(status)
    await server.cache?.store.flush()
    return status
  }

  /// Explains failures with the paging that was found.
  var advice: FailureAdvice {
    var advice = options.advice
    advice.paging = walk.recognized?.paging ?? advice.paging
    advice.pageSize = pageSize
    return advice
  }

  func report(_ text: String) {
    if !options.isQuiet { console.printError("quire crawl: \(text)") }
  }

  private mutating func writePages(
    _ prepare: () async -> Void
  ) async throws(EarlyExit) -> CrawlStatus {
    var isFirst = true
    while stats.pages < options.maxPages, stats.rows < options.maxItems {
      guard let page = try await next(isFirst: isFirst) else { break }
      if isFirst { await prepare() }
      if isFirst, progress.rowsBefore == 0 {
        let response = monitor.lastResponse
        let unusual = try CrawlDiagnostics.check(
          page, response: response, end: walk.end, options: options)
        for text in unusual { report(text) }
      }
      isFirst = false
      declared.look(
        at: page.rows, of: monitor.lastResponse, isEnveloped: options.merging == nil)
      try output.begin()
      try writeRows(of: page)
    }
    guard let end = walk.end, !stats.isTruncated else { return .incomplete }
    if case .incomplete(let error) = end {
      progressLine.clear()
      console.printError("quire crawl: \(advice.text(of: error).line)")
    }
    // The last response has no page if the walk only needed what it says.
    if declared.isOpen { declared.look(in: monitor.lastResponse) }
    if let text = declared.error { throw EarlyExit(.usage, text) }
    guard end == .complete else { return .incomplete }
    if let doubt = declared.doubt {
      report(doubt)
      if options.consistency >= .whole { return .incomplete }
    }
    if writer.losesValues { return .incomplete }
    try recordEnd()
    return .complete
  }

  private func next(isFirst: Bool) async throws(EarlyExit) -> PageWalk.Page? {
    do throws(LoadError) {
      if Task.isCancelled { throw LoadError.request(RequestError(.cancelled(.byCaller))) }
      return try await walk.next()
    } catch {
      if case .request(let failure) = error, case .cancelled = failure.kind {
        throw EarlyExit(.interrupted, nil)
      }
      let isStart = isFirst && progress.rowsBefore == 0
      throw CrawlDiagnostics.end(
        of: error,
        .init(number: walk.pages + 1, isFirst: isStart, response: monitor.lastResponse), options)
    }
  }

  /// Writes the rows of a page and records them; after an interrupt, those that are written.
  private mutating func writeRows(of page: PageWalk.Page) throws(EarlyExit) {
    try clock.begin(page.number + 1, after: page.work)
    let selected = try selected(page)
    if let row = page.rows.first { writer.count(row.document.repairs) }
    // The first rows choose the columns.
    if !selected.rows.isEmpty {
      clock.resume()
      try Self.format { () throws(UsageError) in try writer.fit(to: selected.rows) }
      try clock.pause()
    }
    var (written, consumed) = (0, 0)
    repeat {
      if written < selected.rows.count, Task.isCancelled { throw EarlyExit(.interrupted, nil) }
      // A short row can become a long line of a table, so a large page is never formatted at once.
      let end = min(written + 1_000, selected.rows.count)
      clock.resume()
      let rows = selected.rows[written..<end]
      let omitted = writer.omittedNames
      let bytes = try Self.format { () throws(UsageError) in try writer.bytes(of: rows) }
      try clock.pause()
      let done = selected.done(after: end)
      var entry = entry(for: consumed..<done, of: page, isLast: end == selected.rows.count)
      entry.omitted = writer.omittedNames.subtracting(omitted)
      try output.write(bytes, recording: entry)
      stats.rows += end - written
      progress.rows += done - consumed
      (written, consumed) = (end, done)
    } while written < selected.rows.count
    // A failed trial of a paging has no page.
    if page.url != nil { stats.pages += 1 }
    pageSize = pageSize ?? page.rows.count + page.duplicates
    stats.duplicates += page.duplicates
    stats.isTruncated = consumed < page.rows.count
    reportFacts(of: page)
    progress.pages = stats.pages
    progress.total = page.facts.total ?? progress.total
    progress.seconds = (time.now() - start) / .seconds(1)
    progressLine.show(progress, at: time.now())
  }

  /// Returns the line of the resume file for rows of a page.
  private func entry(
    for rows: Range<Int>, of page: PageWalk.Page, isLast: Bool
  ) -> ResumeEntry {
    let isTruncated = !isLast || rows.upperBound < page.rows.count
    var entry = ResumeEntry(
      rows: rows.count, ids: [],
      isComplete: !isTruncated && walk.end == .complete && declared.isSeen && !writer.losesValues,
      columns: writer.columns)
    guard output.isRecorded else { return entry }
    entry.checkpoint = walk.checkpoint
    if isTruncated {
      entry.checkpoint = page.checkpoint
      entry.checkpoint?.rowsToSkip += rows.upperBound
    }
    let ids = page.ids
    if !ids.isEmpty { entry.ids = ids[rows].compactMap(\.self) }
    return entry
  }

  /// Records in the resume file that the crawl is complete, if the list was read again since the last row.
  private mutating func recordEnd() throws(EarlyExit) {
    guard options.consistency == .exact else { return }
    try output.begin()
    try output.write(
      [], recording: ResumeEntry(rows: 0, ids: [], isComplete: true, columns: writer.columns))
  }

  /// Ends the crawl where the rows can't be written in this format.
  private static func format<T>(_ body: () throws(UsageError) -> T) throws(EarlyExit) -> T {
    do throws(UsageError) { return try body() } catch { throw EarlyExit(.usage, "\(error)") }
  }

  /// Returns the rows to write. Nothing of the page is written yet, so an interrupt leaves it for the next run.
  private mutating func selected(_ page: PageWalk.Page) throws(EarlyExit) -> SelectedRows {
    let room = options.maxItems - stats.rows
    guard let filter = options.list.filter else { return SelectedRows(page.rows, atMost: room) }
    clock.resume()
    var selected = SelectedRows()
    for row in page.rows where selected.rows.count < room {
      if selected.examined.isMultiple(of: 256) {
        if Task.isCancelled { throw EarlyExit(.interrupted, nil) }
        try clock.check()
      }
      do throws(JSONQuery.LimitExceeded) {
        selected.examine(row, holds: try filter.holds(for: row))
      } catch {
        throw EarlyExit(.failed, "--where: \(error)")
      }
    }
    if stats.rows > 0 || !selected.rows.isEmpty { doubts = nil }
    doubts?.look(at: page.rows)
    try clock.pause()
    return selected
  }
}
