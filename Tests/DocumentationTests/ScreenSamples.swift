import Quire
import QuireTesting
import Testing

/// The samples of “Binding a view” and “Placeholders and refresh controls”, in their order.
@MainActor @Suite struct ScreenSamples {
  struct Book: Decodable, Identifiable, Equatable {
    let id: Int
    var title = ""
    var year = 2000
  }

  /// Five books, two on a page.
  private let transport = MockTransport { request in
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = (page * 2 - 1...min(5, page * 2)).map {
      #"{"id": \#($0), "title": "Book \#($0)", "year": \#(2000 + $0 / 3)}"#
    }
    return .json(#"{"rows": [\#(rows.joined(separator: ", "))], "pages": 3}"#)
  }

  private let clock = ManualClock(skipsSleeps: true)

  private func list(
    _ configure: (inout ListSettings<Book>) -> Void = { _ in }
  ) -> ListModel<Book> {
    let server = Server("https://api.example.com", transport: transport) {
      $0.retry = .never
      $0.time = clock.timeSource
    }
    return ListModel<Book>(
      server, "/books", items: "rows", paging: .pageNumber(size: 2, endsBy: .pageCount("pages")),
      configure: configure)
  }

  final class TextView: ListView {
    weak var screen: ListController<Book>?
    var lines: [String] = []

    func replaceAll(commit: () -> Void) {
      commit()
      lines = []
      for section in screen?.sections.sections ?? [] {
        if let header = section.header { lines.append(header) }
        lines += section.items.map { "  \($0.title)" }
      }
    }
  }

  @Test func `a view shows sections`() async {
    let books = list()
    let view = TextView()
    let screen = ListController(books) {
      $0.rows.section = { SectionLabel($0.year, header: "\($0.year)") }
    }
    view.screen = screen
    screen.attach(view)
    screen.appeared()
    await books.loadAll()
    func print(_ text: String) {
      #expect(
        text == """
          2000
            Book 1
            Book 2
          2001
            Book 3
            Book 4
            Book 5
          """)
    }
    print(view.lines.joined(separator: "\n"))
  }

  final class RowsView: ListView {
    weak var screen: ListController<Book>?
    private(set) var rows: [[String]] = []

    private func texts(_ section: Int) -> [String] {
      screen?.sections.section(at: section)?.items.map(\.title) ?? []
    }

    func apply(_ change: SectionsChange, commit: () -> Void) {
      commit()
      let changed = change.applied(
        to: rows, newRow: { texts($0.section)[$0.row] }, newSection: { texts($0) })
      if let changed { rows = changed }
    }

    func replaceAll(commit: () -> Void) {
      commit()
      rows = (0..<(screen?.sections.sections.count ?? 0)).map { texts($0) }
    }
  }

  /// A table of a toolkit, which inserts and deletes single rows.
  @MainActor final class Table {
    private(set) var log: [String] = []

    func update(_ body: () -> Void) { body() }
    func delete(_ sections: [Range<Int>], _ rows: [RowPosition]) {
      log.append("delete \(rows.count)")
    }
    func insert(_ sections: [Range<Int>], _ rows: [RowPosition]) {
      log.append("insert \(rows.count)")
    }
    func move(_ sections: [ListChange.Move], _ rows: [(from: RowPosition, to: RowPosition)]) {}
    func reconfigure(_ rows: [RowPosition]) { log.append("reconfigure \(rows.count)") }
    func reload() { log.append("reload") }
  }

  final class ToolkitView: ListView {
    let table = Table()

    func apply(_ change: SectionsChange, commit: () -> Void) {
      guard change.sections.moved.isEmpty || change.rows.isEmpty else {
        return replaceAll(commit: commit)
      }
      table.update {
        commit()
        table.delete(change.sections.removed, change.removedRows)
        table.insert(change.sections.inserted, change.insertedRows)
        table.move(change.sections.moved, change.movedRows)
      }
      table.reconfigure(change.updatedRows)
    }

    func replaceAll(commit: () -> Void) {
      commit()
      table.reload()
    }
  }

  @Test func `the table of a toolkit gets single rows`() async {
    let books = list()
    let view = ToolkitView()
    let screen = ListController(books)
    screen.attach(view)
    await books.loadAll(upTo: 4)
    #expect(view.table.log.last == "reconfigure 0" && view.table.log.contains("insert 2"))
  }

  @Test func `a view may apply every change`() async {
    let books = list()
    let view = RowsView()
    let screen = ListController(books)
    view.screen = screen
    screen.attach(view)
    await books.loadAll(upTo: 4)
    #expect(view.rows == [["Book 1", "Book 2", "Book 3", "Book 4"]])
  }

  final class Home: ListController<Book> {
    var pinned: [Book] = [] { didSet { updateSections() } }

    override func sections(of rows: ListSnapshot<Book>) -> ListSections<Book>? {
      ListSections([
        ListSection("pinned", header: "Pinned", items: pinned),
        ListSection("all", header: "All", rows: ListSection.Rows(rows)),
      ])
    }
  }

  @Test func `a subclass makes its own sections`() async {
    let (books, others) = (list(), list())
    let screen = Home(books)
    _ = await books.refresh().outcome
    _ = await others.loadPage(2).outcome
    screen.pinned = Array(others.rows.items)
    #expect(screen.sections.sections.map(\.items).map { $0.map(\.id) } == [[5], [1, 2]])

    let shelves = ListSections([ListSection("new", header: "New", items: [Book(id: 1)])])
    #expect(shelves.item(at: RowPosition(row: 9)) == nil)
  }

  final class BookCell { var text = "" }

  @Test func `kinds decide how items are shown`() async {
    var opened: [Int] = []
    func open(_ book: Book) -> Bool {
      opened.append(book.id)
      return true
    }
    var kinds = CellKinds<Book>()
    kinds.add("book", for: Book.self) {
      $0.height = { book, width in width < 400 ? 60 : 44 }
      $0.configure(BookCell.self) { cell, book, _ in cell.text = book.title }
    }
    let heights = CellKinds.Heights(kinds, identity: .id, width: 320)
    let books = list { $0.measure(with: heights) }
    let screen = ListController(books, kinds: kinds, heights: heights)
    screen.actions.add("book", for: Book.self) { action, book, _ in
      action == .select && open(book)
    }
    _ = await books.refresh().outcome
    let (cell, first) = (BookCell(), RowPosition(row: 0))
    #expect(screen.kind(at: first) == "book" && screen.height(at: first) == 60)
    #expect(screen.configure(cell, at: first) && cell.text == "Book 1")
    #expect(screen.select(first) == .handled(by: "book") && opened == [1])
  }

  final class Shelf: ListControllerDelegate {
    let books: ListModel<Book>
    init(_ books: ListModel<Book>) { self.books = books }

    func editing(of book: Book?, at position: RowPosition) -> RowAction? { .delete }
    func handle(_ action: RowAction, on book: Book?, at position: RowPosition) -> Bool {
      guard action == .delete, let book else { return false }
      return (try? books.edit(.remove(RowID(book.id)))) != nil
    }
  }

  @Test func `actions on rows have their items`() async {
    let books = list()
    let screen = ListController(books)
    let shelf = Shelf(books)
    var log: [String] = []
    func print(_ text: String) { log.append(text) }
    _ = await books.refresh().outcome
    screen.delegate = shelf
    screen.actions.add("star") { action, book, _ in
      guard action == .custom("star"), let book else { return false }
      print("\(book.title) is a favorite")
      return true
    }
    screen.onUnhandled = { action, _, _ in print("unhandled: \(action)") }
    screen.act(.delete, at: RowPosition(row: 0))
    screen.act(.custom("star"), at: RowPosition(row: 1))
    screen.act(.swipe("share"), at: RowPosition(row: 1))
    _ = await books.refresh().outcome
    #expect(screen.sections.rowCount == 1)
    #expect(log == ["Book 2 is a favorite", #"unhandled: swipe("share")"#])
  }

  @Test func `placeholders follow from the state of the list`() async {
    let books = list()
    let screen = ListController(books)
    screen.settings.placeholders.texts.empty = "No books yet"
    screen.settings.placeholders.custom = { $0 == .loadingFirst ? "skeleton" : nil }
    screen.settings.placeholders.parts = { reason, usual in
      var parts = usual
      if case .failed = reason { parts.image = .named("cloud") }
      return parts
    }
    transport.enqueue(.status(404))
    screen.appeared()
    #expect(screen.placeholder?.body == .custom("skeleton"))
    _ = await books.refresh().outcome
    guard case .parts(let parts) = screen.placeholder?.body else {
      Issue.record("\(String(describing: screen.placeholder))")
      return
    }
    #expect(parts.message == "The list could not be loaded" && parts.image == .named("cloud"))
    screen.performPlaceholderAction()
    _ = await books.refresh().outcome
    #expect(screen.placeholder == nil && screen.sections.rowCount == 2)
  }

  @Test func `a search tells nothing found from nothing there`() async {
    for _ in 0..<2 { transport.enqueue(.json(#"{"rows": [], "pages": 1}"#)) }
    let books = list { $0.debounce = .milliseconds(300) }
    let screen = ListController(books)
    func search(_ text: String) {
      books.params = text.isEmpty ? [:] : ["q": text]
      screen.settings.isFiltered = !text.isEmpty
      screen.refresh()
    }
    search("unkn")
    search("unknown")
    _ = await books.refresh().outcome
    #expect(screen.placeholder?.reason == .filteredEmpty)
    search("")
    _ = await books.refresh().outcome
    #expect(screen.placeholder?.reason == .empty)
    #expect(transport.requests.map { $0.query["q"] } == ["unknown", nil])
  }

  @Test func `refresh controls follow pulls`() async {
    let books = list()
    let screen = ListController(books) {
      $0.refresh.autoRefresh = .ifOlderThan(.seconds(300))
      $0.refresh.prefetchDistance = 10
    }
    screen.appeared()
    _ = await books.refresh().outcome
    screen.didScroll(offset: -30, viewport: 600, content: 900)
    #expect(screen.header == .pulling(0.5))
    screen.didScroll(offset: -70, viewport: 600, content: 900)
    #expect(screen.header == .triggered)
    screen.didRelease()
    #expect(screen.header == .loading)
    _ = await books.refresh().outcome
    screen.rowsWillAppear(RowPosition(row: 0)...RowPosition(row: 1), fillsView: true)
    #expect(screen.footer == .loading)
    await books.loadAll()
    #expect(screen.footer == .noMore(.complete))
  }

  @Test func `a custom refresh ends through its token`() async {
    let books = list()
    let screen = ListController(books)
    func renewLogin() async {}
    screen.settings.refreshHandler = { token in
      Task {
        await renewLogin()
        switch await books.refresh().outcome {
        case .failed(let error): token.end(.failed(error))
        case .cancelled: token.end(.cancelled)
        default: token.end(.succeeded)
        }
      }
    }
    screen.refresh()
    #expect(screen.header == .loading)
    for await step in books.events where step.event == .didFinish(.first) { break }
    #expect(books.count == 2)
  }
}
