internal import Quire
internal import QuireTesting
internal import TerminalList

/// `quire demo`: in a terminal a list that changes while you read it, otherwise a transcript of a list.
@MainActor enum Demo {
  static func run() async throws {
    let terminal = Terminal()
    if terminal.isInteractive {
      try await DemoScreen().run(in: terminal)
    } else {
      var transcript = try DemoTranscript()
      try await transcript.run()
    }
  }
}

/// A list of books in a terminal. The server inserts books at the start and removes others all the time.
@MainActor struct DemoScreen {
  /// The time between two changes of the list.
  private static let interval = Duration.seconds(2)

  private let shop: Bookshop
  private let view: TerminalListView<Book>

  init() throws {
    // The first page fills the screen of any terminal.
    shop = try Bookshop(books: 480, onPage: 100)
    let server = Server(shop.loopback.baseURL) { $0.content = .json }
    let books = ListModel<Book>(
      server, "/books", items: "data.list", paging: .pageNumber(endsBy: .total("total")))
    view = TerminalListView(ListController(books))
    view.detail = { "\($0.title)\n\($0.rowContent?.subtitle ?? "")" }
    showTitle()
  }

  func run(in terminal: Terminal) async throws {
    let changes = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: Self.interval)
        shop.change()
        update()
      }
    }
    defer { changes.cancel() }
    try await view.run(in: terminal)
    print(
      """
      Books on the server: \(shop.changes). Duplicate rows dropped: \
      \(view.controller.model?.duplicateCount ?? 0). Requests: \(shop.loopback.requestCount).
      Run quire demo | cat to see what a list does, step by step.
      """)
  }

  /// Refreshes the list if its top is visible. Further down the rows stay as they are, and the pages that
  /// load there have moved on the server.
  private func update() {
    showTitle()
    guard let rows = view.visibleRows?.rows else { return }
    let isAtTop = rows.lowerBound.row == 0 || rows.upperBound.row < shop.pageSize
    if isAtTop { view.controller.refresh(silently: true) }
  }

  private func showTitle() { view.title = "Books · \(shop.changes)" }
}
