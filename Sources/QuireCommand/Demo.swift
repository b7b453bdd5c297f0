internal import Quire
internal import QuireTesting
internal import TerminalList

/// `quire demo`: in a terminal a list that changes while you read it, otherwise or with `--steps` a transcript of a list.
@MainActor enum Demo {
  static func run(showsSteps: Bool) async throws {
    let terminal = Terminal()
    if terminal.isInteractive, !showsSteps {
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
      server, "/books", items: "data.list", paging: .pageNumber(endsBy: .total("total"))
    ) { $0.probe = Self.interval }
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
      Run quire demo --steps to see what a list does, step by step.
      """)
  }

  /// Refreshes the list if its top is visible. Further down the rows stay as they are, the last line says how many are
  /// new above them, and the pages that load there have moved on the server.
  private func update() {
    showTitle()
    guard let rows = view.visibleRows?.rows else { return }
    let isAtTop = rows.lowerBound.row == 0 || rows.upperBound.row < shop.pageSize
    if isAtTop { view.controller.refresh(silently: true) }
  }

  private func showTitle() {
    let books = view.controller.model
    view.title =
      "Books · \(shop.changes) · \(books?.duplicateCount ?? 0) found again"
      + (books.map { " · \($0.consistency.claim.phrase)" } ?? "")
  }
}

/// Prints step by step what can happen to a list, with a real client and a real server in this program.
@MainActor struct DemoTranscript {
  private let shop: Bookshop
  private let server: Server
  private let books: ListModel<Book>
  private var steps: ListEvents<Book>.Iterator

  init() throws {
    shop = try Bookshop(books: 22, onPage: 6)
    server = Server(shop.loopback.baseURL) { $0.content = .json }
    books = ListModel<Book>(
      server, "/books", items: "data.list", paging: .pageNumber(endsBy: .pageCount("pages"))
    ) { $0.prefetchDistance = 1 }
    steps = books.events.makeAsyncIterator()
  }

  mutating func run() async throws {
    print(
      "\(shop.bookCount) books at \(shop.loopback.baseURL)/books, \(shop.pageSize) per page")
    await loadPages()
    await failAndRetry()
    await reachEnd()
    await refresh()
    await startAgain()
    try await undoRejectedEdit()
    await fillGap()
    await detectPaging()
    let (requests, connections) = (shop.loopback.requestCount, shop.loopback.acceptedConnections)
    print(
      "\nTotal: \(requests) requests over \(connections) \(connections == 1 ? "connection" : "connections"), all made by libcurl."
    )
  }

  private mutating func loadPages() async {
    title("Load the first page", "refresh()")
    books.refresh()
    await printEvents(until: .didFinish(.first))
    for book in books.rows.items { print("    \(book.row)") }

    title("The last rows become visible, so the next page loads", "rowsWillAppear(3..<6)")
    books.rowsWillAppear(3..<6)
    await printEvents(until: .didFinish(.next))

    shop.insert(2)
    title(
      "Two books are added at the top, so the next page starts with known rows", "loadNextPage()")
    books.loadNextPage()
    await printEvents(until: .didFinish(.next))
  }

  private mutating func failAndRetry() async {
    shop.loopback.enqueue(.status(500))
    title("The server fails", "loadNextPage()")
    books.loadNextPage()
    await printEvents(until: .didFinish(.next))

    title("The server works again", "retry()")
    books.retry()
    await printEvents(until: .didFinish(.next))
  }

  private mutating func reachEnd() async {
    let requests = shop.loopback.requestCount
    title("The list is complete, so the next load sends no request", "loadNextPage()")
    books.loadNextPage()
    await printEvents(until: .didFinish(.next))
    let sent = shop.loopback.requestCount - requests
    print(sent == 0 ? "  no request was sent" : "  requests sent: \(sent)")
    print("  rows found again and dropped: \(books.duplicateCount); how sure: \(books.consistency)")
  }

  private mutating func refresh() async {
    shop.insert(2)
    title("Two more books make four above the list. A probe counts them, and changes no row", "checkForNewRows()")
    let new = try? await books.checkForNewRows()
    await printEvents { if case .didUpdateNewRows = $0 { true } else { false } }
    print("  \(new?.description ?? "nothing is new"); \(books.count) rows")
    title("One request shows them, and all other pages stay", "refresh(.splice)")
    books.refresh(.splice)
    await printEvents(until: .didFinish(.refresh))
  }

  private mutating func fillGap() async {
    shop.insert(10)
    title(
      "Ten more books are added, so that the first page has no known row: a gap stands below it",
      "refresh(.splice)")
    books.refresh(.splice)
    await printEvents(until: .didFinish(.refresh))
    print("  how sure: \(books.consistency)")
    while let gap = books.gaps.first {
      title("A page of the gap is loaded, below the rows above it", "loadGap(gap.id, from: .above)")
      books.loadGap(gap.id, from: .above)
      await printEvents(until: .didFinish(.gap(gap.id)))
      if books.state(ofGap: gap.id) != .idle || gap.unavailable != nil { break }
    }
    print("  gaps left: \(books.gaps.count)")
  }

  private mutating func startAgain() async {
    title("A plain refresh starts again with the first page", "refresh()")
    books.refresh()
    await printEvents(until: .didFinish(.refresh))
    for book in books.rows.items { print("    \(book.row)") }
  }

  private mutating func undoRejectedEdit() async throws {
    title("Remove a row at once; the server refuses, so the row returns", "edit(.remove(2))")
    let edit = try books.edit(.remove(2))
    await printChange()
    do throws(RequestError) {
      _ = try await server.send(Call("/books/2", method: .delete))
      books.confirm(edit)
    } catch {
      print("  DELETE /books/2: \(error.kind.explanation.fact)")
      books.rollback(edit)
      await printChange()
    }
  }

  private func detectPaging() async {
    let found = ListModel<Book>(server, "/books", paging: .automatic)
    title("Detect how the server pages", "loadAll() with .automatic paging")
    await found.loadAll()
    guard let recognized = found.recognized else { return print("  nothing was detected") }
    print("  \(recognized.reason); in code:\n    \(recognized)\n  \(found.count) rows")
  }
}

extension DemoTranscript {
  private func title(_ text: String, _ code: String) { print("\n\(text): \(code)") }

  /// Prints the events of the list up to one event, and the state of the list then.
  private mutating func printEvents(until last: ListEvent) async {
    let before = books.page
    await printEvents { $0 == last }
    guard let page = books.page, page !== before else { return print("  \(books.count) rows") }
    let tenths = (page.timings.total / .milliseconds(1) * 10).rounded()
    print("  \(books.count) rows; the page loaded in \(tenths / 10) ms")
  }

  private mutating func printChange() async {
    await printEvents { if case .didChange = $0 { true } else { false } }
  }

  private mutating func printEvents(until isLast: (ListEvent) -> Bool) async {
    var line = " "
    while let step = await steps.next() {
      let event = " \(step.event)" + (isLast(step.event) ? "" : " →")
      if line.count + event.count > 110 {
        print(line)
        line = " "
      }
      line += event
      if isLast(step.event) { break }
    }
    print(line)
  }
}

extension Consistency.Claim {
  /// What is known of the rows, in a few words.
  fileprivate var phrase: String {
    switch self {
    case .mayLack(let count?): "\(count) rows may be missing"
    case .mayLack(nil): "rows may be missing"
    case .unproven: "no sign that rows are missing"
    case .whole: "no row that stayed is missing"
    case .exact: "no row is missing"
    }
  }
}
