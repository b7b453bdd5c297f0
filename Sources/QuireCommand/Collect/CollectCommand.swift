internal import ListSync
internal import Quire
internal import QuireCollect

/// `quire collect`: a paginated API in a table of a database.
enum CollectCommand {
  static let spec = CommandSpec(
    name: "collect",
    summary: "store the rows of a paginated API in a database, and keep them up to date",
    operands: [ListOptions.url],
    groups: [
      table,
      OptionGroup(title: "rounds", options: RoundOptions.options),
      OptionGroup(title: "rows", options: ListOptions.rows),
      OptionGroup(title: "request", options: ListOptions.request + [RoundOptions.option("parallel")]),
      ListOptions.paging,
    ],
    notes: [
      ListOptions.syntax,
      .init(
        title: "tables",
        lines: [
          "books           the rows: a column for each member, and one with the JSON",
          "books_live      those that are not gone, without the columns _quire_…",
          "_quire_rounds   what each round is known to be",
          "_quire_unread   rows that could not be stored, and why",
          "_quire_misfits  members with values that their column can't hold",
          "Rows and the place in the list are stored together, so after a kill each row",
          "is there once. Drop a table to collect it from the start.",
        ]),
      .init(
        title: "exit status",
        lines: [
          "0    the round read the list to its end, or down to the last mark, and nothing",
          "     is held back, or deletes are off",
          "1    invalid arguments, a path of yours that is in no response, ids of another",
          "     type, or a database or table that can't be used",
          "2    the network, server or database failed, or it sent what is no list",
          "3    there may be more rows, or some could not be stored",
          "4    deletes are held back",
          "130  interrupted",
          "The same command goes on where it stopped, whatever the status was.",
        ]),
      .init(
        title: "examples",
        lines: [
          "quire collect api.example.com/books --into books.db",
          "quire collect api.example.com/books --into books.db --every 15m --summary json",
          "quire collect api.example.com/books --into books.db --newest-first updated_at",
          "quire collect api.example.com/books --into books.db --deletes hard",
        ]),
    ])

  private static let table = OptionGroup(
    title: "table",
    options: [
      OptionSpec("into", "FILE", "store the rows in this database of SQLite; needed", completion: .file),
      OptionSpec("table", "NAME", "the name of the table; by default the last name in the path of the URL"),
      OptionSpec(
        "deletes", nil,
        "what happens to rows that are proven gone: soft, the default, notes the time in _quire_gone_at",
        choices: CollectList.Deletes.allCases.map(\.rawValue)),
      OptionSpec(
        "durable", nil,
        "put each page on the disk before the next one is read; without it, a loss of power may take back the last pages,"
          + " which are read again then"),
      OptionSpec(
        "summary", nil, "how a round is summed up on standard output; text by default", choices: ["text", "json"]),
    ])

  /// Runs the command and returns its exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    await RoundsRun.run(words, spec) { arguments, console async throws(UsageError) in
      let options = try CollectOptions(arguments)
      var job = RoundsRun.Job(spec.name, options.rounds, try await options.store())
      (job.heldBack, job.allowsStaleRows) = (.heldBack, options.list.deletes == .off)
      job.startingOver = "drop the table “\(options.list.name)”"
      job.unread = "could not be stored; see the table _quire_unread"
      let progress = CollectProgress(console, options.rounds.crawl)
      job.stepped = { walk, step in progress.add(walk, step) }
      job.ended = { receipt in
        progress.end()
        console.print(CollectSummary.text(of: receipt, options) + "\n")
      }
      return (job, options.rounds)
    }
  }
}
