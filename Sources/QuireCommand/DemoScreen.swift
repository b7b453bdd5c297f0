internal import Quire
internal import QuireTesting
internal import TerminalList

/// `quire demo`: a list that changes while it is read, where somebody reads it; else what became of one.
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

/// The list of a shop in a terminal. Books come in on top and others are sold while somebody reads it.
@MainActor struct DemoScreen {
  /// How long the shop is as it is.
  private static let pause = Duration.seconds(2)

  private let shop: Bookshop
  private let view: TerminalListView<Book>

  init() throws {
    // Pages larger than terminals, so that the first one fills the screen.
    shop = try Bookshop(books: 480, onPage: 100)
    let server = Server(shop.loopback.baseURL) { $0.content = .json }
    let books = ListModel<Book>(
      server, "/books", items: "data.list", paging: .pageNumber(endsBy: .total("total")))
    view = TerminalListView(ListController(books))
    view.detail = { "\($0.title)\n\($0.rowContent?.subtitle ?? "")" }
    showTitle()
  }

  func run(in terminal: Terminal) async throws {
    let trade = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: Self.pause)
        shop.trade()
        look()
      }
    }
    defer { trade.cancel() }
    try await view.run(in: terminal)
    print(
      """
      While you were there: \(shop.tally). Rows that came twice and were shown once: \
      \(view.controller.model.duplicateCount). Requests: \(shop.loopback.requestCount).
      What a list does, step by step: quire demo | cat
      """)
  }

  /// Who is at the top wants the newest. Further down the rows stay as they are, and the pages that come
  /// there have moved.
  private func look() {
    showTitle()
    guard let rows = view.visibleRows?.rows else { return }
    let isAtTop = rows.lowerBound.row == 0 || rows.upperBound.row < shop.pageSize
    if isAtTop { view.controller.refresh(silently: true) }
  }

  private func showTitle() { view.title = "Books · \(shop.tally)" }
}
