internal import CAllocation
internal import Quire
internal import Support

/// `quire crawl`: every row of a paginated API on standard output.
enum CrawlCommand {
  static let spec = CommandSpec(
    name: "crawl",
    summary: "write every row of a paginated API to standard output, once each",
    operands: [ListOptions.url],
    groups: [rows, output, request, ListOptions.paging],
    notes: [
      ListOptions.syntax,
      .init(
        title: "exit status",
        lines: [
          "0    the list is complete",
          "1    invalid arguments, a path of yours that is in no response, too many",
          "     columns, or an unusable resume file or cache",
          "2    the network or the server failed, or it sent what is no list",
          "3    there may be more rows: a limit, a loop of pages, rows that were lost,",
          "     values that csv has no column for, or a reader that closed the output",
          "130  interrupted",
          "With 2, 3 and 130 the rows so far were written; --resume continues after them.",
          "With 1 they were written only if all pages of the list lack a path of yours.",
        ]),
      .init(
        title: "examples",
        lines: [
          "quire crawl https://api.github.com/repos/swiftlang/swift/tags --max-items 50",
          "quire crawl api.example.com/books --select id,name=book.title --format csv",
          "quire crawl api.example.com/books --where '@.price < 10 && @.stock'",
          "quire crawl api.example.com/events --resume events.state >> events.ndjson",
        ]),
    ])

  static let rows = OptionGroup(
    title: "rows",
    options: ListOptions.rows + [
      OptionSpec(
        "select", "[NAME=]PATH,…", "write only these members of each row, under these names",
        repeats: true),
      OptionSpec(
        "merge", "PATH",
        "merge rows that come in parts over several responses, by their ids, until this member of a"
          + " response says that they are complete"),
    ])

  private static let request = OptionGroup(
    title: "request",
    options: ListOptions.request + [
      OptionSpec(
        "parallel", "N",
        "request up to N pages at once, if their addresses are known in advance; otherwise the next"
          + " page while rows are written")
    ])

  private static let output = OptionGroup(
    title: "output",
    options: [
      OptionSpec(
        "format", nil,
        "write rows in this format; ndjson, the default, has one unchanged row per line",
        choices: RowFormat.allCases.map(\.rawValue)),
      OptionSpec("max-items", "N", "stop after N rows"),
      OptionSpec("max-pages", "N", "stop after N pages"),
      OptionSpec(
        "max-empty", "N",
        "end with status 3 after more than N pages in a row without a new row; 20 by default"),
      OptionSpec(
        "resume", "FILE",
        "save the position of the crawl in this file and continue from it; append the output with >>",
        completion: .file),
      OptionSpec(
        "explain", nil, "print what was detected, why, what was tried, and the equivalent options"),
      OptionSpec(
        "progress", nil, "show progress on standard error; auto, the default, only on a terminal",
        choices: ["auto", "always", "never"]),
      OptionSpec("stats", nil, "print statistics at the end, as JSON on standard error"),
      OptionSpec(
        "consistency", nil,
        "set how many requests are sent to be sure of the rows. any: only the pages. signs:"
          + " overlapping pages once something shows that rows move. seams, the default: pages that"
          + " overlap by a row, where that takes no further request. whole: as seams, and numbered pages too; end with status 3 if"
          + " rows that stayed may be missing. exact: read the list twice, and end with status 3"
          + " unless its rows are known to be those of one instant",
        choices: Consistency.Level.allCases.map(\.rawValue)),
      OptionSpec(
        "distrust", "WORDS",
        "don't rely on these assumptions about the server to say how sure the rows are: instants,"
          + " ids, order, positions, end, names, cursors, freshness, absence, version"),
      OptionSpec(
        "version-at", "SOURCE",
        "read the version of the whole list from here; if it is the same in every response, the rows"
          + " are those of one instant"),
      OptionSpec("quiet", nil, "print only errors"),
      OptionSpec(
        "safe-csv", nil,
        "with --format csv, put an apostrophe before texts that a spreadsheet would read as"
          + " formulas: those that begin with = + - @, a tab or a line break; numbers are unchanged"
      ),
    ])

  /// Runs the command and returns its exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    await spec.run(words) { arguments, console throws(UsageError) in
      let options = try CrawlOptions(arguments)
      returnMemoryOfPages()
      let crawl = try Crawl(options, console)
      try await crawl.server.openCache()
      let interrupts = InterruptHandler()
      let task = Task(executorPreference: crawl.server.executor(parallel: options.parallel)) {
        var crawl = crawl
        return await crawl.run { await interrupts.begin() }
      }
      interrupts.cancelOnInterrupt(task)
      return await task.value
    }
  }
}

/// Lets the allocator return the memory of a large page, which would stay taken after it.
func returnMemoryOfPages() { allocation_returns_blocks(1 << 20) }

/// The exit status of a crawl.
enum CrawlStatus: Int32, Sendable {
  case complete = 0
  case usage = 1
  case failed = 2
  case incomplete = 3
  case heldBack = 4
  case interrupted = 130
}

/// The reason why a crawl stops before the end of the list.
struct EarlyExit: Error {
  var status: CrawlStatus
  /// The error to print, if any.
  var message: String?

  init(_ status: CrawlStatus, _ message: String?) {
    (self.status, self.message) = (status, message)
  }
}
