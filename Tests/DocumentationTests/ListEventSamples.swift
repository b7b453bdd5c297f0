import Observation
import Quire
import QuireTesting
import Testing

/// The samples of “States, events and the delegate”, in their order.
@MainActor @Suite struct ListEventSamples {
  struct Book: Decodable, Identifiable, Equatable {
    let id: Int
    var title = ""

    init(id: Int, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// Twelve books, two on a page.
  private let transport = MockTransport { request in
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = (page * 2 - 1...page * 2).map { #"{"id": \#($0), "title": "Book \#($0)"}"# }
    return .json(#"{"rows": [\#(rows.joined(separator: ", "))], "pages": 6}"#)
  }

  private func list(
    _ configure: (inout ListSettings<Book>) -> Void = { _ in }
  ) -> ListModel<Book> {
    ListModel<Book>(
      Server("https://api.example.com", transport: transport), "/books", items: "rows",
      paging: .pageNumber(size: 2, endsBy: .pageCount("pages")), configure: configure)
  }

  private func ids(_ books: ListModel<Book>) -> [Int] { books.rows.items.map(\.id) }

  @Test func `closures take the place of a delegate`() async {
    let books = list()
    var seen: [String] = []
    books.onChange = { change in seen.append("\(change)") }
    books.onFailure = { error in seen.append("\(error)") }
    books.onEnd = { end in seen.append("end: \(end)") }
    books.onFinish = { kind in seen.append("finished: \(kind)") }
    books.completion = { outcome in seen.append("\(outcome)") }
    _ = await books.refresh().outcome
    #expect(seen == ["inserted 0…1", "finished: first", "2 rows loaded"])
  }

  @Test func `events are delivered in order`() async {
    let books = list()
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    books.refresh()
    books.loadNextPage()
    for await step in books.events {
      print("\(step.event) · \(step.rows.count) rows")
      if step.event == .didFinish(.next) { break }
    }
    #expect(
      lines.joined(separator: "\n") == """
        didStart first · 0 rows
        didChange inserted 0…1 · 2 rows
        didUpdateFreshness live · 2 rows
        didSucceed first · 2 rows
        didReachStart complete · 2 rows
        didFinish first · 2 rows
        didStart next · 2 rows
        didChange inserted 2…3 · 4 rows
        didSucceed next · 4 rows
        didFinish next · 4 rows
        """)
  }

  @Test func `a simple screen reads items, an end and an error`() async {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    let books = list()
    _ = await books.refresh().outcome
    print("\(books.items.count) rows\(books.hasMore ? ", and more" : "")")
    if let error = books.error, !error.isCancelled { print("\(error)") }
    #expect(lines == ["2 rows, and more"])
  }

  @Test func `states are observed at once, rows when they change`() async {
    let books = list()
    let seen = Lock<[String]>([])
    withObservationTracking {
      _ = books.refreshState
    } onChange: {
      seen.withLock { $0.append("state") }
    }
    withObservationTracking {
      _ = books.rows
    } onChange: {
      seen.withLock { $0.append("rows") }
    }
    let load = books.refresh()
    #expect(books.refreshState == .loading && books.count == 0)
    _ = await load.outcome
    #expect(seen.withLock { $0 } == ["state", "rows"])
  }

  @Test func `equal loads are joined, and one of them may be cancelled`() async {
    let books = list()
    _ = await books.refresh().outcome
    let (stays, leaves) = (books.loadNextPage(), books.loadNextPage())
    leaves.cancel()
    #expect(await leaves.outcome == .cancelled(.byCaller))
    #expect(await stays.outcome == .appended(ListChange(inserted: [2..<4])))
    #expect(transport.requests.count == 2)
  }

  @Test func `a refresh supersedes a next page`() async {
    let books = list()
    _ = await books.refresh().outcome
    let next = books.loadNextPage()
    let refresh = books.refresh()
    #expect(await next.outcome == .cancelled(.superseded))
    #expect(await refresh.outcome == .replaced(ListChange()))
  }

  @Test func `a retry repeats the failed load`() async {
    let books = list()
    _ = await books.refresh().outcome
    transport.enqueue(.status(500))
    let failed = await books.loadNextPage().outcome
    guard case .failed(let error) = failed else {
      Issue.record("\(failed)")
      return
    }
    #expect(books.count == 2 && books.state(of: .next) == .failed(error))
    #expect(await books.retry().outcome == .appended(ListChange(inserted: [2..<4])))
  }

  @Test func `an edit applies to refreshed rows until it is rolled back`() async throws {
    let books = list()
    _ = await books.loadAll(upTo: 4)
    let edit = try books.edit(.remove(2))
    _ = await books.refresh().outcome
    #expect(ids(books) == [1])
    let sent: Result<Void, RequestError> = .failure(RequestError(.status(409)))
    switch sent {
    case .success: books.confirm(edit)
    case .failure: books.rollback(edit)
    }
    _ = await books.refresh().outcome
    #expect(ids(books) == [1, 2])
  }

  @Test func `a spliced refresh keeps the pages further down`() async {
    let books = list()
    await books.loadAll()
    _ = await books.refresh(.splice).outcome
    #expect(ids(books) == Array(1...12))
  }

  @Test func `a deep refresh reads all loaded pages again`() async {
    let books = list()
    await books.loadAll()
    _ = await books.refresh(.deep).outcome
    #expect(ids(books) == Array(1...12))
  }

  @Test func `new rows are counted before they are shown`() async throws {
    final class Banner { var text = "" }
    let (banner, books) = (Banner(), list())
    await books.loadAll()
    let page = MockResponse.json(#"{"rows": [{"id": 13, "title": ""}, {"id": 1, "title": "Book 1"}], "pages": 7}"#)
    transport.enqueue(page, page)
    if let new = try await books.checkForNewRows() { banner.text = "\(new)" }  // 1 new row
    _ = await books.refresh(.splice).outcome  // shows it
    #expect(banner.text == "1 new row" && ids(books) == [13] + Array(1...12) && books.newRows == nil)
    let server = books.server
    let list = ListModel<Book>(server, "/books", paging: .link) { $0.probe = .seconds(60) }
    #expect(list.settings.probe == .seconds(60))
  }

  @Test func `a refresh around a row loads its page`() async {
    let books = list()
    await books.loadAll()
    _ = await books.refresh(.around(7)).outcome
    #expect(ids(books) == [7, 8])
    _ = await books.loadPreviousPage().outcome
    #expect(ids(books) == [5, 6, 7, 8])
  }

  @Test func `rows far from the screen become placeholders`() async throws {
    let books = list {
      $0.window = .rows(4)
      $0.prefetchDistance = 0
    }
    while books.state(of: .next) == .idle {
      books.rowsWillAppear(max(0, books.count - 1)..<books.count)
      _ = await books.loadNextPage().outcome
    }
    #expect(books.count == 12 && books.rows.items.count <= 6)
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    switch books.rows.row(at: 0) {
    case .item(let book): show(book.title)
    case .notLoaded: show("…")
    case .gap: show("more rows")
    case nil: break
    }
    #expect(shown == ["…"])
    let page = try #require(books.rows.pages.first)
    books.rowsWillAppear(0..<1)
    for await step in books.events where step.event == .didFinish(.evicted(page.id)) { break }
    #expect(books.rows.row(at: 0)?.item == Book(id: 1, title: "Book 1"))
  }

  enum ScreenRow: Equatable {
    case book(String)
    case heading(String)
    case spinner
  }

  @Test func `transformed rows change with the list`() async {
    let books = list()
    let shown = TransformedList(books, row: { ScreenRow.book($0.title) }) {
      $0.filter = { !$0.id.isMultiple(of: 2) }
      $0.separator = { above, below in
        above.id / 5 == below.id / 5 ? nil : .heading("from \(below.id) on")
      }
      $0.footer = { $0.nextState == .loading ? .spinner : nil }
    }
    var changes = 0
    shown.onChange = { change, sections in changes += 1 }
    await books.loadAll(upTo: 6)
    #expect(
      shown.sections.section(at: 0)?.items == [
        .book("Book 1"), .book("Book 3"), .heading("from 5 on"), .book("Book 5"),
      ])
    #expect(changes > 0)
  }
}
