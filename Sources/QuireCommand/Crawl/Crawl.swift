internal import Foundation
internal import Quire

/// One crawl: pages in, rows out.
///
/// It walks from page to page by a `PageWalk`, which keeps of rows that are gone no more than their ids;
/// each page is written as soon as it is there. The order is: rows to the output, then a line to the
/// resume file, then the next page.
struct Crawl {
  let server: Server
  private let options: CrawlOptions
  private let console: Console
  private let monitor = CrawlMonitor()
  private let file: ResumeFile?
  private let walk: PageWalk
  private var writer: RowWriter
  private var progress = CrawlProgress()
  private var stats = CrawlStats()
  private var board: ProgressBoard
  private var told: Set<String> = []
  private var isExplained: Bool
  private let time = TimeSource.system
  private let start: Duration

  /// Opens what is needed; nothing is asked for yet.
  init(_ options: CrawlOptions, _ console: Console) throws(UsageError) {
    (self.options, self.console) = (options, console)
    let list = options.list
    server = list.server(parallel: options.parallel, monitors: [monitor])
    file = try options.resumeFile.map { path throws(UsageError) in try ResumeFile(path) }
    let others = try file?.mend(console.output, for: options.signature) ?? []
    let known = file?.state
    walk = PageWalk(
      server, list.call, items: list.items, paging: list.paging, identity: list.identity,
      allowsOtherOrigins: list.allowsOtherOrigins, parallel: options.parallel,
      from: known?.checkpoint,
      knownIDs: known?.ids ?? [])
    writer = RowWriter(options.format, options.selection, columns: known?.columns)
    writer.isSafe = options.isSafeCSV
    writer.isShown = console.output.isTerminal
    progress.before = known?.rows ?? 0
    board = ProgressBoard(console, options)
    isExplained = !options.explains
    start = time.now()
    if !others.isEmpty {
      say("continuing with changed credentials: \(others.joined(separator: ", "))")
    }
  }

  mutating func run() async -> CrawlStatus {
    if let known = file?.state, known.isComplete || known.checkpoint == nil && known.rows > 0 {
      say("the crawl of \(file?.path ?? "") had ended; remove the file to begin anew")
      return known.isComplete ? .complete : .incomplete
    }
    var status: CrawlStatus
    do throws(CrawlEnd) {
      try write([]) { [file, options, console] () throws(Output.Failure) in
        try file?.begin(options.signature, console.output.place)
      }
      status = try await pages()
    } catch {
      status = error.status
      board.clear()
      if let text = error.text { console.complain("quire crawl: \(text)") }
    }
    if status != .usage {
      do throws(CrawlEnd) { try write(writer.end()) {} } catch { status = error.status }
    }
    finish(status)
    await server.cache?.store.flush()
    return status
  }

  private func say(_ text: String) {
    if !options.isQuiet { console.complain("quire crawl: \(text)") }
  }

  private mutating func pages() async throws(CrawlEnd) -> CrawlStatus {
    var isFirst = true
    while stats.pages < options.maxPages, stats.rows < options.maxItems {
      guard let page = try await next(isFirst: isFirst) else { break }
      if isFirst { try check(page) }
      isFirst = false
      try take(page)
    }
    switch walk.end {
    case _ where stats.isCut:
      return .incomplete
    case .complete?: return .complete
    case .incomplete(let error)?:
      board.clear()
      console.complain("quire crawl: " + Diagnosis.incomplete(error, walk))
      return .incomplete
    case nil:
      return .incomplete
    }
  }

  private func next(isFirst: Bool) async throws(CrawlEnd) -> PageWalk.Page? {
    do throws(LoadError) {
      if Task.isCancelled { throw LoadError.request(RequestError(.cancelled(.byCaller))) }
      return try await walk.next()
    } catch {
      if case .request(let failure) = error, case .cancelled = failure.kind {
        throw CrawlEnd(.interrupted, nil)
      }
      let isBeginning = isFirst && progress.before == 0
      throw Diagnosis.end(of: error, monitor.lastResponse, isFirst: isBeginning, options)
    }
  }

  /// Writes the rows of a page, and notes that.
  private mutating func take(_ page: PageWalk.Page) throws(CrawlEnd) {
    let wanted = try selected(page)
    let (rows, taken) = wanted
    let isCut = taken < page.rows.count
    var rest = rows[...]
    while !rest.isEmpty { try write(try piece(of: &rest)) {} }
    stats.rows += rows.count
    // What was tried in vain is no page.
    if page.url != nil { stats.pages += 1 }
    stats.duplicates += page.duplicates
    stats.seams = walk.seams
    stats.isCut = isCut
    var checkpoint = walk.checkpoint
    if isCut {
      checkpoint = page.checkpoint
      checkpoint?.rowsToSkip += taken
    }
    let isComplete = !isCut && walk.end == .complete
    if let file {
      let ids = page.ids.prefix(taken).compactMap(\.self)
      let entry = ResumeEntry(
        rows: taken, ids: ids, checkpoint: checkpoint, isComplete: isComplete,
        columns: writer.columns,
        place: console.output.place)
      try write([]) { () throws(Output.Failure) in try file.add(entry) }
    }
    tell(page)
    progress.rows += taken
    progress.pages = stats.pages
    progress.total = page.facts.total ?? progress.total
    progress.seconds = (time.now() - start) / .seconds(1)
    board.show(progress, at: time.now())
  }

  /// Removes the next thousand rows and returns their bytes. Few bytes of a row can make a long line of a
  /// table, so a large page must not become one text.
  private mutating func piece(of rest: inout ArraySlice<JSONView>) throws(CrawlEnd) -> [UInt8] {
    do throws(UsageError) {
      try writer.fit(to: rest)
      let bytes = try writer.bytes(of: rest.prefix(1_000))
      rest = rest.dropFirst(1_000)
      return bytes
    } catch {
      // Columns are chosen by the first rows, so nothing was written before.
      throw CrawlEnd(.usage, "\(error)")
    }
  }

  /// The rows to write, and how many of the page they are made of.
  private func selected(
    _ page: PageWalk.Page
  ) throws(CrawlEnd) -> (rows: [JSONView], taken: Int) {
    let room = options.maxItems - stats.rows
    guard let filter = options.list.filter else {
      let rows = Array(page.rows.prefix(room))
      return (rows, rows.count)
    }
    var rows: [JSONView] = []
    for (index, row) in page.rows.enumerated() {
      if rows.count == room { return (rows, index) }
      do throws(JSONQuery.LimitExceeded) {
        if try filter.holds(for: row) { rows.append(row) }
      } catch {
        throw CrawlEnd(.failed, "--where: \(error)")
      }
    }
    return (rows, page.rows.count)
  }

  /// Paths that lead nowhere on the first page and look like others that would.
  private func check(_ page: PageWalk.Page) throws(CrawlEnd) {
    guard progress.before == 0, let first = page.rows.first else { return }
    var paths = options.selection.map { $0.fields.map { ("select", $0.path) } } ?? []
    if case .by(let path) = options.list.identity { paths.append(("id", path)) }
    for (option, path) in paths where !page.rows.contains(where: { $0[path] != nil }) {
      let hint = Diagnosis.hint(for: path, in: first)
      guard hint != nil || option == "id" else {
        say("no row of the first page has \(Words.text(path)) of --\(option)")
        continue
      }
      throw CrawlEnd(
        .usage,
        "no row of the first page has \(Words.text(path)) of --\(option)"
          + (hint.map { "; \($0)" } ?? ""))
    }
    for (option, place) in Diagnosis.places(options.list.paging) {
      guard let lack = Diagnosis.lack(of: place, first, monitor.lastResponse) else {
        continue
      }
      let text = "the answer has no \(lack.what) of --\(option)"
      if let hint = lack.hint { throw CrawlEnd(.usage, "\(text); \(hint)") }
      // A list of one page may well leave it out.
      if ["cursor", "next"].contains(option) { say("\(text), so this is the only page") }
    }
  }

  private func write(
    _ bytes: [UInt8], _ also: () throws(Output.Failure) -> Void
  ) throws(CrawlEnd) {
    do throws(Output.Failure) {
      if !bytes.isEmpty { try console.output.write(bytes) }
    } catch {
      // Whoever has read enough is no reason to complain.
      throw error == .closed
        ? CrawlEnd(.incomplete, nil) : CrawlEnd(.failed, "the output can't be written: \(error)")
    }
    do throws(Output.Failure) {
      try also()
    } catch {
      throw CrawlEnd(.failed, "the resume file can't be written: \(error)")
    }
  }
}

// MARK: - What is told

extension Crawl {
  private mutating func tell(_ page: PageWalk.Page) {
    for problem in page.facts.problems
    where walk.end != .incomplete(problem) && told.insert("\(problem)").inserted {
      guard told.count < 10 else { break }
      board.clear()
      say("\(problem)")
    }
    // A paging that has to be tried is known with the second page.
    guard !isExplained, walk.recognized != nil || walk.end != nil || page.number > 0 else { return }
    isExplained = true
    board.clear()
    console.complain(Diagnosis.explanation(walk, page, options))
  }

  private mutating func finish(_ status: CrawlStatus) {
    stats.seconds = (time.now() - start) / .seconds(1)
    stats.isComplete = status == .complete
    board.end(progress)
    if !writer.leftOut.isEmpty {
      let names = writer.leftOut.sorted().prefix(8).joined(separator: ", ")
      say(
        "\(options.format) has the columns of the first page; left out are members of later rows:"
          + " \(names). Name the columns with --select.")
    }
    if options.showsStats { console.complain(stats.json(monitor.counts)) }
  }
}
