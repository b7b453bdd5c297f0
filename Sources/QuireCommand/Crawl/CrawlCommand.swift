internal import Dispatch
internal import Foundation
internal import Quire

/// `quire crawl`: every row of a paginated API on standard output.
enum CrawlCommand {
  static let spec = CommandSpec(
    name: "crawl",
    summary: "every row of a paginated API to standard output, each once, page by page",
    operands: [ListOptions.url],
    groups: [finding, ListOptions.asking, request, output],
    notes: [
      ListOptions.places,
      .init(
        title: "exit status",
        lines: [
          "0    the list is complete",
          "1    the command line has a mistake, or a resume file can't be used",
          "2    the network or the server failed",
          "3    there may be more: a limit, a circle, or rows that moved and were lost",
          "130  interrupted",
          "With 2, 3 and 130 the rows so far were written; --resume goes on behind them.",
        ]),
      .init(
        title: "examples",
        lines: [
          "quire crawl https://api.github.com/repos/swiftlang/swift/tags --max-items 50",
          "quire crawl api.example.com/books --select id,name=book.title --format csv",
          "quire crawl api.example.com/events --resume events.state >> events.ndjson",
        ]),
    ])

  static let finding = OptionGroup(
    title: "which rows",
    options: ListOptions.finding + [
      OptionSpec(
        "select", "[NAME=]PATH,…", "only these members of each row, under these names",
        repeats: true)
    ])

  private static let request = OptionGroup(
    title: "the request",
    options: ListOptions.request + [
      OptionSpec("parallel", "N", "how many pages are asked for at once, where that can be known")
    ])

  private static let output = OptionGroup(
    title: "what comes out",
    options: [
      OptionSpec(
        "format", nil, "ndjson, the default, writes a row as it came, on one line",
        choices: RowFormat.allCases.map(\.rawValue)),
      OptionSpec(
        "safe-csv", nil,
        "put an apostrophe before texts of csv that spreadsheets take for formulas: those that begin"
          + " with = + - @, a tab or a line break; numbers stay"),
      OptionSpec(
        "progress", nil, "a line on standard error; auto shows it on a terminal",
        choices: ["auto", "always", "never"]),
      OptionSpec("stats", nil, "numbers at the end, as JSON on standard error"),
      OptionSpec("explain", nil, "say what was recognized, why, and how to write it as options"),
      OptionSpec("quiet", nil, "say nothing but errors"),
      OptionSpec("max-pages", "N", "end after so many pages"),
      OptionSpec("max-items", "N", "end after so many rows"),
      OptionSpec(
        "resume", "FILE",
        "keep there how far the rows were written, and go on from there; append with >>",
        completion: .file),
    ])

  /// Runs it, and gives the exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    let console = Console()
    guard console.keepPlaces() else {
      console.complain("quire crawl: the output is closed")
      return CrawlStatus.failed.rawValue
    }
    do throws(UsageError) {
      let arguments = try Arguments(words, for: spec)
      if arguments.wantsHelp {
        console.print(spec.helpText)
        return 0
      }
      let options = try CrawlOptions(arguments)
      let crawl = try Crawl(options, console)
      try await crawl.server.openCache()
      let work = Task {
        var crawl = crawl
        return await crawl.run()
      }
      let interrupts = Interrupts { work.cancel() }
      defer { interrupts.end() }
      return await work.value.rawValue
    } catch {
      console.complain("quire crawl: \(error)\nSee quire crawl --help.")
      return CrawlStatus.usage.rawValue
    }
  }
}

/// How a crawl ended.
enum CrawlStatus: Int32, Sendable {
  case complete = 0
  case usage = 1
  case failed = 2
  case incomplete = 3
  case interrupted = 130
}

/// Why a crawl ends before the list does.
struct CrawlEnd: Error {
  var status: CrawlStatus
  /// What to say, if anything.
  var text: String?

  init(_ status: CrawlStatus, _ text: String?) { (self.status, self.text) = (status, text) }
}

/// Ends work on the first interrupt, and the program on the second one.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []

  init(_ interrupted: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "quire.interrupts")
    // Only touched on the queue.
    nonisolated(unsafe) var isSecond = false
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if isSecond { _exit(CrawlStatus.interrupted.rawValue) }
        isSecond = true
        interrupted()
      }
      source.resume()
      sources.append(source)
    }
  }

  func end() { for source in sources { source.cancel() } }
}
