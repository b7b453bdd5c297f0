internal import Quire
internal import QuireTesting

/// One list over libcurl, and what can happen to it, told step by step: a real client and a real server,
/// both in this program.
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
      "\(shop.bookCount) books at \(shop.loopback.baseURL)/books, \(shop.pageSize) on a page")
    await loadPages()
    await failAndRetry()
    await reachEnd()
    await refresh()
    try await editInVain()
    await findOut()
    let (requests, connections) = (shop.loopback.requestCount, shop.loopback.acceptedConnections)
    print("\n\(requests) requests, connections: \(connections), libcurl did the work.")
  }

  private mutating func loadPages() async {
    title("The first page", "refresh()")
    books.refresh()
    await tell(until: .didFinish(.first))
    for book in books.rows.items { print("    \(book.row)") }

    title("The screen shows the last rows, and the next page comes", "rowsWillAppear(3..<6)")
    books.rowsWillAppear(3..<6)
    await tell(until: .didFinish(.next))

    shop.receive(2)
    title(
      "Two books came in on top, so the next page begins with rows of this one", "loadNextPage()")
    books.loadNextPage()
    await tell(until: .didFinish(.next))
  }

  private mutating func failAndRetry() async {
    shop.loopback.enqueue(.status(500))
    title("The server is unwell", "loadNextPage()")
    books.loadNextPage()
    await tell(until: .didFinish(.next))

    title("It is well again", "retry()")
    books.retry()
    await tell(until: .didFinish(.next))
  }

  private mutating func reachEnd() async {
    let requests = shop.loopback.requestCount
    title("There is no more, and nobody is asked for it", "loadNextPage()")
    books.loadNextPage()
    await tell(until: .didFinish(.next))
    print("  \(shop.loopback.requestCount - requests) requests were made")
  }

  private mutating func refresh() async {
    title("The first page again: what stayed is not told, the new books are", "refresh()")
    books.refresh()
    await tell(until: .didFinish(.refresh))
    for book in books.rows.items { print("    \(book.row)") }
  }

  private mutating func editInVain() async throws {
    title("A row is removed before the server agrees, and it doesn't", "edit(.remove(2))")
    let edit = try books.edit(.remove(2))
    await tellChange()
    do throws(RequestError) {
      _ = try await server.send(Call("/books/2", method: .delete))
      books.confirm(edit)
    } catch {
      print("  DELETE /books/2: \(error.kind)")
      books.rollback(edit)
      await tellChange()
    }
  }

  private func findOut() async {
    let found = ListModel<Book>(server, "/books", paging: .automatic)
    title("A list that was told nothing finds out", "paging: .automatic, loadAll()")
    await found.loadAll()
    guard let recognized = found.recognized else { return print("  nothing was recognized") }
    print("  \(recognized.reason), so write\n    \(recognized)\n  \(found.count) rows")
  }
}

extension DemoTranscript {
  private func title(_ text: String, _ code: String) { print("\n\(text): \(code)") }

  /// Prints what the list tells up to an event, and what it has then.
  private mutating func tell(until last: ListEvent) async {
    let before = books.page
    await tell { $0 == last }
    guard let page = books.page, page !== before else { return print("  \(books.count) rows") }
    let tenths = (page.timings.total / .milliseconds(1) * 10).rounded()
    print("  \(books.count) rows; the page took \(tenths / 10) ms")
  }

  private mutating func tellChange() async {
    await tell { if case .didChange = $0 { true } else { false } }
  }

  private mutating func tell(until isLast: (ListEvent) -> Bool) async {
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
