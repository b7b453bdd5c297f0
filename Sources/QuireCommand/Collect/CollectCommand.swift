internal import ListSync
internal import Quire
internal import QuireCollect

/// `quire collect`: a paginated API in a table of a database.
enum CollectCommand {
  static let spec = CommandSpec(
    name: "collect",
    summary: "store the rows of a paginated API in a database, and keep them up to date",
    operands: [
      OperandSpec(
        name: "URL|PLAN",
        help:
          "the address of the list; https:// is added if it has no scheme. Or a plan with several lists: a file whose"
          + " name ends with .yaml or .yml")
    ],
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
          "_quire_failures lists of rows that could not be read, and why",
          "Rows and the place in the list are stored together, so after a kill each row",
          "is there once. Drop a table to collect it from the start.",
        ]),
      .init(
        title: "plan",
        lines: [
          "server: api.example.com             below it are addresses without a scheme",
          "every: 15m",
          "defaults:                           options of all lists, without dashes",
          "  header: {Authorization: 'Bearer ${env:TOKEN}'}",
          "lists:",
          "  books: {url: /books, newest-first: updated_at}",
          "  authors:",
          "    url: /authors",
          "    children:                       a list for each row of this one",
          "      prizes: {url: '/authors/{id}/prizes'}",
          "A list has the options of this command, and the name of its table. Its options",
          "replace those of the defaults; null takes one away. A flag is true or false.",
          "${env:NAME}, ${file:PATH} and ${command:TEXT} are secrets, which are masked;",
          "$${ is a ${ of the text.",
          "In the url of a child, {id} or {owner.login} is a member of the row, and {{ is",
          "a brace. Its rows have one table, with the row's id in _quire_parent.",
        ]),
      .init(
        title: "exit status",
        lines: [
          "0    the round read the list to its end, or down to the last mark, and nothing",
          "     is held back, or deletes are off",
          "1    invalid arguments, a path of yours that is in no response, ids of another",
          "     type, or a database or table that can't be used",
          "2    the network, server or database failed, or it sent what is no list",
          "3    there may be more rows, some could not be stored, or the list of a row",
          "     could not be read",
          "4    deletes are held back",
          "130  interrupted",
          "The same command goes on where it stopped, whatever the status was. With a",
          "plan it is the worst of its lists: 1 is worse than 2, 2 than 3, and 3 than 4.",
        ]),
      .init(
        title: "examples",
        lines: [
          "quire collect api.example.com/books --into books.db",
          "quire collect api.example.com/books --into books.db --every 15m --summary json",
          "quire collect api.example.com/books --into books.db --newest-first updated_at",
          "quire collect api.example.com/books --into books.db --deletes hard",
          "quire collect plan.yaml --into books.db --every 15m",
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
      OptionSpec("only", "NAME,…", "read only these lists of the plan, and those of their rows"),
      OptionSpec(
        "limit", "N",
        "to try lists, stop each one after the page with its Nth row; the next run goes on from there. Lists of rows are"
          + " left out"),
      OptionSpec(
        "fail-on", "WORD,…",
        "end with a status above 0 only for these: failed, incomplete, held-back; for all three by default"),
      OptionSpec(
        "metrics", "FILE",
        "write what is stored to this file in the text format of Prometheus, after each round and once a second",
        completion: .file),
      OptionSpec(
        "check", nil,
        "check the arguments or the plan, print what would be collected, and send no request; commands for"
          + " secrets are not run"),
      OptionSpec(
        "probe", nil,
        "read the first page of each list, print what is recognized and what its table has, and store no rows"),
      OptionSpec(
        "write-plan", "FILE",
        "read the first page of the list, write these options to a new plan, with what was recognized as comments, and"
          + " collect nothing",
        completion: .file),
      OptionSpec("plan-schema", nil, "print the JSON Schema of plans"),
    ])

  /// Whether a run stores rows, and needs a database.
  static func stores(_ arguments: Arguments) -> Bool {
    !["check", "probe", "write-plan"].contains { arguments.has($0) }
  }

  /// Runs the command and returns its exit status.
  static func run(_ words: some Sequence<String>) async -> Int32 {
    // Like help, it needs no address.
    if words.prefix(while: { $0 != "--" }).contains("--plan-schema") {
      Console().print(PlanSchema.text)
      return CrawlStatus.complete.rawValue
    }
    return await spec.run(words) { arguments, console async throws(UsageError) in
      if let path = arguments["write-plan"] {
        var writing = try PlanWriting(arguments, to: path)
        return try await writing.run(console)
      }
      let run = try await CollectRun(arguments)
      guard !arguments.has("check") else {
        console.print(run.description)
        return .complete
      }
      return try await arguments.has("probe") ? run.probe(console) : run.run(console)
    }
  }
}
