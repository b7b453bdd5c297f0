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
        completion: .file)
    ] + RoundOptions.options)

  private static let rows = OptionGroup(
    title: "rows",
    options: ListOptions.rows + [RoundOptions.option("select")])

  private static let request = OptionGroup(
    title: "request", options: ListOptions.request + [RoundOptions.option("parallel")])

  /// Runs the command and returns its exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    await spec.run(words) { arguments, console throws(UsageError) in
      guard let file = arguments["state"] else {
        throw UsageError("--state is missing; name a file that keeps what is known of the list: --state FILE")
      }
      let options = try RoundOptions(arguments, of: spec.name, from: file)
      let feed = try FeedStore(file, options, console)
      let job = RoundsRun.Job(spec.name, options, feed)
      return try await RoundsTurns.run(.init(lists: [(job, options, [])]), console)
    }
  }
}
