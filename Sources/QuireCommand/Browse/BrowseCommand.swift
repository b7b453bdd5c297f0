internal import Quire
internal import TerminalList

/// `quire browse`: the list of any API in the terminal.
enum BrowseCommand {
  static let spec = CommandSpec(
    name: "browse", summary: "show the list of any API in the terminal, loaded as you scroll",
    operands: [ListOptions.url],
    groups: [
      OptionGroup(
        title: "rows",
        options: ListOptions.rows + [
          OptionSpec("title", "PATH", "show this member as the title of a row; detected by default"),
          OptionSpec(
            "probe", "SECONDS",
            "look for new rows above the list this often: 60s; the last line says how many there are; never by default"),
        ]),
      OptionGroup(title: "request", options: ListOptions.request), ListOptions.paging,
    ],
    notes: [
      ListOptions.syntax,
      .init(
        title: "examples",
        lines: [
          "quire browse https://api.github.com/repos/swiftlang/swift/tags",
          "quire browse api.example.com/books --items data.list --title book.title",
        ]),
      .init(
        title: "keys",
        lines: [
          "Enter  show the row as JSON; ← and → fold and unfold a value",
          "/      search the loaded rows; n and N go to the next and previous match",
          "i      show how the list is loaded, and why it ended",
          "r      show new rows, retry a failed page, or refresh",
          "?      show all keys",
          "q      quit",
        ]),
    ])

  /// Runs the command and returns its exit status.
  @MainActor static func run(_ words: some Sequence<String>) async -> Int32 {
    let console = Console()
    do throws(UsageError) {
      let arguments = try Arguments(words, for: spec)
      if arguments.wantsHelp {
        console.print(spec.helpText)
        return 0
      }
      let browse = try await Browse(try BrowseOptions(arguments))
      do throws(TerminalError) {
        try await browse.run()
        return 0
      } catch {
        console.printError("quire browse: \(error)")
        return 1
      }
    } catch {
      console.printError("quire browse: \(error)\nSee quire browse --help.")
      return 1
    }
  }
}

/// The parsed options of `quire browse`.
struct BrowseOptions: Sendable {
  var list: ListOptions
  /// The path of the title in a row; `nil` to detect it.
  var title: JSONPath?
  /// The time between two looks for new rows; `nil` for none.
  var probe: Duration?

  init(_ arguments: Arguments) throws(UsageError) {
    list = try ListOptions(arguments)
    probe = try arguments.seconds("probe")
    title = try arguments["title"].map { text throws(UsageError) in
      try OptionSyntax.path(text, of: "title")
    }
  }
}

/// The list of any API in the terminal, with each row as the server sent it.
@MainActor struct Browse {
  private let view: TerminalListView<JSONView>

  init(_ options: BrowseOptions) async throws(UsageError) {
    let list = options.list
    let address = (try? WebURL(list.call.address)).map { Redaction().url($0) }
    let monitor = ListMonitor()
    let server = list.server(monitors: [monitor])
    let advice = FailureAdvice(.browse, list)
    func explanation(_ error: LoadError) -> FailureText {
      advice.text(of: error, monitor.lastResponse)
    }
    try await server.openCache()
    let model = ListModel(
      server, list.call, reading: .items(at: list.items), paging: list.paging,
      identity: BrowseIdentity.of(list.identity, at: list.items)
    ) { settings in
      settings.allowsOtherOrigins = list.allowsOtherOrigins
      settings.failures = list.failures
      settings.probe = options.probe
      guard let filter = list.filter else { return }
      // Show a row whose filter exceeds its limits rather than lose it.
      settings.filter = { (try? filter.holds(for: $0)) ?? true }
    }
    let row = BrowseRow(title: options.title)
    view = TerminalListView(
      ListController(model, kinds: CellKinds { $0.content = { row.content(of: $0) } }),
      title: address ?? list.call.address)
    view.tabulate = { rows in
      BrowseTable(of: rows, row: row).map { table in
        RowTable(table.columns, cells: table.cells(of:))
      }
    }
    view.outline = { JSONOutline.outline(of: $0) }
    view.facts = { [unowned view] in
      BrowseFacts(of: model, first: view.firstItem, list, explain: explanation).text
    }
    view.explain = { error in
      let text = explanation(error)
      return [text.line] + text.details
    }
    view.controller.settings.placeholders.texts.timeZone = view.timeZone
  }

  func run() async throws(TerminalError) {
    try await view.run()
    await view.controller.model?.server.cache?.store.flush()
  }
}
