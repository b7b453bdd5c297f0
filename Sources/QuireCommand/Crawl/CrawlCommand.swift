internal import Foundation
internal import Quire

/// `quire crawl`: every row of a paginated API on standard output.
enum CrawlCommand {
  static let spec = CommandSpec(
    name: "crawl",
    summary: "every row of a paginated API to standard output, each once, page by page",
    operands: [
      OperandSpec(name: "URL", help: "where the list is; https:// is added where no scheme stands")
    ],
    groups: [finding, paging, request, output],
    notes: [
      .init(
        title: "PATH, SOURCE and PLACE",
        lines: [
          "PATH    a place in JSON: data.items, $['a.b'][0] or /data/items",
          "SOURCE  a PATH in the answer, header:NAME, header:NAME#PATH for JSON in a",
          "        header, or rel:NAME@PATH for the link of that relation in an array",
          "PLACE   query:NAME (or NAME alone), body:PATH, header:NAME or path:NAME",
        ]),
      .init(
        title: "exit status",
        lines: [
          "0    the list is complete", "1    the command line can't be meant",
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

  private static let finding = OptionGroup(
    title: "which rows",
    options: [
      OptionSpec("items", "PATH", "where the rows are; without it they are looked for"),
      OptionSpec(
        "id", "PATH|none",
        "where in a row its id is, by which rows that come again are dropped; without it, it is"
          + " looked for"),
      OptionSpec(
        "select", "[NAME=]PATH,…", "only these members of each row, under these names",
        repeats: true),
      OptionSpec("where", "FILTER", "only rows for which this holds, as '@.price < 10 && @.stock'"),
    ])

  private static let paging = OptionGroup(
    title: "how pages are asked for",
    options: [
      OptionSpec(
        "paging", nil, "the way; auto, the default, finds it out", choices: PagingChoice.names),
      OptionSpec("page-param", "PLACE", "where the number of the page goes; page by default"),
      OptionSpec("first-page", "N", "the number of the first page; 1 by default"),
      OptionSpec("pages", "SOURCE", "where the number of pages is"),
      OptionSpec("next-page", "SOURCE", "where the number of the next page is"),
      OptionSpec("last-page", "SOURCE", "where the number of the last page is"),
      OptionSpec(
        "offset-param", "PLACE", "where the number of rows before goes; offset by default"),
      OptionSpec("first-offset", "N", "the number of the first row, 0 or 1; 0 by default"),
      OptionSpec("limit-param", "PLACE|none", "where the size of a page goes; limit by default"),
      OptionSpec(
        "size-param", "PLACE|none",
        "the same for numbered pages, per_page by default, and for any other way"),
      OptionSpec("size", "N", "how many rows a page is asked to have"),
      OptionSpec("cursor", "SOURCE", "where the cursor of the next page is"),
      OptionSpec("cursor-into", "PLACE", "where it goes; query:cursor by default"),
      OptionSpec("next", "SOURCE", "where the address of the next page is"),
      OptionSpec("next-base", "URL", "what such an address counts from, if not from its answer"),
      OptionSpec("keyset", "PATH=PLACE,…", "values of the last row and where they go"),
      OptionSpec("connection", "PATH", "the Relay connection; without it, what --items is in"),
      OptionSpec("unit", "NAME", "what a Range header counts; items by default"),
      OptionSpec("has-next", "SOURCE", "where it says whether there is a next page"),
      OptionSpec("end-status", "N", "the error status of a page behind the last one, as 404"),
      OptionSpec("total", "SOURCE", "where the number of all rows is"),
      OptionSpec("allow-other-origin", nil, "follow links that lead to another origin"),
    ])

  private static let request = OptionGroup(
    title: "the request",
    options: [
      OptionSpec("method", "METHOD", "GET by default, POST with --body"),
      OptionSpec("body", "JSON", "what to send; @FILE reads it from there", completion: .file),
      OptionSpec("header", "'NAME: VALUE'", "a header of every request", repeats: true),
      OptionSpec("cacert", "FILE", "who may vouch for the server, as PEM", completion: .file),
      OptionSpec("cert", "FILE", "the certificate to show, as PEM", completion: .file),
      OptionSpec("key", "FILE", "its key, if not in the same file", completion: .file),
      OptionSpec("http1", nil, "don't offer HTTP/2"),
      OptionSpec(
        "timeout", "SECONDS", "how long a page may take with all its tries; 60 by default"),
      OptionSpec("retries", "N", "how often a page is tried again; 2 by default"),
      OptionSpec("rate", "N/s", "how many requests are made at most, per s, min or h"),
      OptionSpec("parallel", "N", "how many pages are asked for at once, where that can be known"),
      OptionSpec("cache", "DIR", "keep answers there and use them again", completion: .folder),
      OptionSpec("offline", nil, "use the cache and not the network"),
    ])

  private static let output = OptionGroup(
    title: "what comes out",
    options: [
      OptionSpec(
        "format", nil, "ndjson, the default, writes a row as it came, on one line",
        choices: RowFormat.allCases.map(\.rawValue)),
      OptionSpec(
        "progress", nil, "a line on standard error; auto shows it on a terminal",
        choices: ["auto", "always", "never"]),
      OptionSpec("stats", nil, "numbers at the end, as JSON on standard error"),
      OptionSpec("explain", nil, "say what was recognised, why, and how to write it as options"),
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
    do throws(UsageError) {
      let arguments = try Arguments(words, for: spec)
      if arguments.wantsHelp {
        console.print(spec.helpText)
        return 0
      }
      let options = try CrawlOptions(arguments)
      let crawl = try Crawl(options, console)
      let work = Task { await crawl.run() }
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
