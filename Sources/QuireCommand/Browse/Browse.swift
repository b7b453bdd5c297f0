internal import Quire
internal import TerminalList

/// The list of any API in the terminal. How it is paged is found out.
@MainActor struct Browse {
  private let view: TerminalListView<JSONAny>

  init(_ arguments: some Sequence<String>) throws {
    let options = try BrowseOptions(arguments)
    let url = try WebURL(options.url)
    let server = Server(url.origin.description) {
      for header in options.headers { $0.headers.add(header.name, header.value) }
    }
    self.init(
      server, "\(url)", title: "\(url)", row: BrowseRow(title: options.title), items: options.items)
  }

  init(
    _ server: Server, _ address: String, title: String, row: BrowseRow = BrowseRow(),
    items: JSONPath? = nil
  ) {
    let list = ListModel<JSONAny>(
      server, address, items: items, paging: .automatic,
      identity: .by { BrowseRow.identity(of: $0) })
    view = TerminalListView(
      ListController(list) { $0.content = { row.content(of: $0) } }, title: title)
    view.detail = { $0.text(isPretty: true) }
    view.controller.settings.placeholders.texts.clockOffset = view.clockOffset
  }

  func run() async throws { try await view.run() }
}
