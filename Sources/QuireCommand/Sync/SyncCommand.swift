internal import ListSync
internal import Quire

/// `quire sync`: what changes in a paginated API, round by round.
enum SyncCommand {
  static let spec = CommandSpec(
    name: "sync",
    summary: "write what has changed in a paginated API since the last time",
    operands: [ListOptions.url],
    groups: [rounds, rows, request, ListOptions.paging],
    notes: [
      ListOptions.syntax,
      .init(
        title: "output",
        lines: [
          #"{"op":"insert","round":1,"id":7,"row":{…}}  or update; delete has no row"#,
          #"{"op":"round","round":1,"claim":"whole","requests":51,"held_back":0, …}"#,
          "A delete is written only if the round proves it; others are held back.",
          "With --newest-first or --since-param, only full rounds write deletes.",
          "After a kill, a file has each line once, a pipe may get lines again.",
        ]),
      .init(
        title: "exit status",
        lines: [
          "0    the round read the list to its end, or down to the last mark, and nothing",
          "     is held back",
          "1    invalid arguments, a path of yours that is in no response, ids of another",
          "     type, or an unusable state file or cache",
          "2    the network or the server failed, or it sent what is no list",
          "3    there may be more rows, deletes are held back, or the output was closed",
          "130  interrupted",
          "The same command goes on where it stopped, whatever the status was.",
        ]),
      .init(
        title: "examples",
        lines: [
          "quire sync api.example.com/books --state books.state >> changes.ndjson",
          "quire sync api.example.com/books --state books.state --every 30s | ./apply",
          "quire sync api.example.com/books --state books.state --cache pages",
          "quire sync api.example.com/books --state books.state --newest-first updated_at",
        ]),
    ])

  private static let rounds = OptionGroup(
    title: "rounds",
    options: [
      OptionSpec(
        "state", "FILE", "keep the ids of the rows and marks of their content in this file; needed",
        completion: .file),
      OptionSpec(
        "every", "SECONDS",
        "read the list again and again, with this time from the beginning of a round to that of the next one: 30s; one"
          + " round by default"),
      OptionSpec(
        "max-deletes", "N|all",
        "hold back all deletes of a round if there are more than N; by default the larger of 10 rows and a tenth of them"
      ),
      OptionSpec(
        "newest-first", "PATH",
        "the list is sorted by the value at this path of its rows, newest first: read it only down to the last mark, and"
          + " as far below it as rows came late"),
      OptionSpec(
        "since-param", "NAME=PATH",
        "the server returns what has changed since the value of this parameter: send the last mark, the highest value at"
          + " this path of the rows, as updated_after=updated_at"),
      OptionSpec(
        "full", "N",
        "with one of these two, read the whole list in each Nth round, which shows deletes and what the other rounds"
          + " missed; \(SyncWatermark.usualFullEvery) by default"),
      consistency,
      option("distrust"),
      OptionSpec(
        "version-at", "SOURCE",
        "read the version of the whole list from here, as header:ETag; a round ends with its first page if it is that of"
          + " the last proven round"),
      option("max-empty"), option("quiet"),
    ])

  /// The options that a crawl has, too.
  private static func option(_ name: String) -> OptionSpec {
    CrawlCommand.spec.option(name) ?? OptionSpec(name, nil, "")
  }

  private static let consistency = OptionSpec(
    "consistency", nil,
    "set how many requests are sent to be sure of the rows, as for crawl. Deletes are written if the claim is whole or"
      + " exact; with seams, the default, it is where pages overlap",
    choices: Consistency.Level.allCases.map(\.rawValue))

  private static let rows = OptionGroup(
    title: "rows",
    options: ListOptions.rows + [option("select")])

  private static let request = OptionGroup(title: "request", options: ListOptions.request + [option("parallel")])

  /// Runs the command and returns its exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    let console = Console()
    guard console.reserveStandardDescriptors() else {
      console.printError("quire sync: standard output is closed")
      return CrawlStatus.failed.rawValue
    }
    do throws(UsageError) {
      let arguments = try Arguments(words, for: spec)
      if arguments.wantsHelp {
        console.print(spec.helpText)
        return 0
      }
      let options = try SyncOptions(arguments)
      returnMemoryOfPages()
      let run = try SyncRun(options, console)
      try await run.server.openCache()
      let interrupts = InterruptHandler()
      let server = run.server
      let task = Task(executorPreference: server.executor(parallel: options.crawl.parallel)) {
        await run.run { await interrupts.begin() }
      }
      interrupts.cancelOnInterrupt(task)
      let status = await task.value
      await server.cache?.store.flush()
      return status.rawValue
    } catch {
      console.printError("quire sync: \(error)\nSee quire sync --help.")
      return CrawlStatus.usage.rawValue
    }
  }
}
