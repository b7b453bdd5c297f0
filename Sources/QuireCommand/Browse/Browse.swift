internal import Quire
internal import TerminalList

/// The list of any API in the terminal, each row as the server sent it.
@MainActor struct Browse {
  private let view: TerminalListView<JSONView>

  init(_ options: BrowseOptions) async throws(UsageError) {
    let list = options.list
    let address = (try? WebURL(list.call.address)).map { Redaction().url($0) }
    let server = list.server()
    try await server.openCache()
    let model = ListModel(
      server, list.call, reading: .items(at: list.items), paging: list.paging,
      identity: BrowseRow.identity(by: list.identity)
    ) { settings in
      settings.allowsOtherOrigins = list.allowsOtherOrigins
      guard let filter = list.filter else { return }
      // A row that would take too long to judge is better shown than lost.
      settings.filter = { (try? filter.holds(for: $0)) ?? true }
    }
    let row = BrowseRow(title: options.title)
    view = TerminalListView(
      ListController(model, kinds: CellKinds { $0.content = { row.content(of: $0) } }),
      title: address ?? list.call.address)
    view.detail = { JSONAny($0, keepingDigits: true).text(isPretty: true) }
    view.controller.settings.placeholders.texts.clockOffset = view.clockOffset
  }

  func run() async throws(TerminalError) {
    try await view.run()
    await view.controller.model.server.cache?.store.flush()
  }
}
