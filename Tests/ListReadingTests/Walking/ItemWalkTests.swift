import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Loops over all rows of a list as typed items.
@Suite(.timeLimit(.minutes(1))) struct ItemWalkTests {
  final class Book: BaseItem {
    var id = 0

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in f(\.id, "id", .required) }
    }
  }

  /// Ten rows, three a page; row 4 can't be read if it is broken.
  private static func transport(breaking broken: Int? = nil) -> MockTransport {
    MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (1...10).dropFirst(page * 3 - 3).prefix(3)
        .map { (id: Int) in id == broken ? #"{"id":"x"}"# : #"{"id":\#(id)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"total":10}"#)
    }
  }

  private func server(_ transport: MockTransport) -> Server {
    Server("https://test", transport: transport) { $0.retry = .never }
  }

  private let paging = Paging.pageNumber(size: 3, endsBy: .total("total"))

  @Test(arguments: [1, 4]) func `a loop has every row, in order`(parallel: Int) async throws {
    let books = server(Self.transport()).items(
      Book.self, "/rows", at: "rows", paging: paging, parallel: parallel)
    var ids: [Int] = []
    for try await book in books { ids.append(book.id) }
    #expect(ids == Array(1...10) && books.count == 10)
    #expect(books.end == .complete && books.checkpoint == nil)
  }

  /// Four pages, each with the cursor of the next one.
  private static func cursors(_ gate: Gate? = nil) -> MockTransport {
    MockTransport { request in
      let page = request.query["cursor"].flatMap { Int($0) } ?? 1
      let next = page < 4 ? #""\#(page + 1)""# : "null"
      let response = MockResponse.json(#"{"rows":[{"id":\#(page)}],"next":\#(next)}"#)
      return page == 2 ? gate.map { response.held(by: $0) } ?? response : response
    }
  }

  @Test func `with two pages in flight, the next one is requested while a page is handled`()
    async throws
  {
    let transport = Self.cursors()
    let walk = PageWalk(
      server(transport), "/rows", items: "rows", paging: .cursor(at: "next"), parallel: 2)
    var ids: [Int] = []
    while let page = try await walk.next() {
      ids += page.rows.compactMap { $0["id"]?.int }
      // Without a further call of `next()`.
      if ids.count < 4 { _ = try await transport.request(at: ids.count) }
    }
    #expect(ids == [1, 2, 3, 4] && transport.requests.count == 4 && walk.end == .complete)
  }

  @Test func `with one page in flight, a page is requested when it is asked for`() async throws {
    let transport = Self.cursors()
    let walk = PageWalk(
      server(transport), "/rows", items: "rows", paging: .cursor(at: "next"))
    for count in 1...4 {
      _ = try await walk.next()
      #expect(transport.requests.count == count)
    }
  }

  @Test func `with two pages in flight, the next one is requested before a page is returned`()
    async throws
  {
    let transport = Self.cursors()
    let walk = PageWalk(
      server(transport), "/rows", items: "rows", paging: .cursor(at: "next"), parallel: 2)
    for count in 2...4 {
      _ = try await walk.next()
      #if OLD_SYSTEM
        // The task that sends it starts on another thread there.
        _ = try await transport.request(at: count - 1)
      #endif
      #expect(transport.requests.count == count)
    }
  }

  @Test func `a walk that is released cancels the page that it requested ahead`() async throws {
    let gate = Gate()
    var walk: PageWalk? = PageWalk(
      server(Self.cursors(gate)), "/rows", items: "rows", paging: .cursor(at: "next"),
      parallel: 2)
    _ = try await walk?.next()
    await gate.reached()
    walk = nil
    await gate.cancelled()
    #expect(gate.cancellations == 1)
  }

  @Test func `pages have items, and the rest of a page that a loop began`() async throws {
    let books = server(Self.transport()).items(Row.self, "/rows", at: "rows", paging: paging)
    for try await row in books where row.id == 2 { break }
    #expect(books.count == 2 && books.end == nil)
    var pages: [[Int]] = []
    while let page = try await books.nextPage() { pages.append(page.items.map(\.id)) }
    #expect(pages == [[3], [4, 5, 6], [7, 8, 9], [10]])
    #expect(books.count == 10 && books.walk.total == 10 && books.end == .complete)
  }

  @Test func `a loop that continues after rows went away has no row twice, and says so`()
    async throws
  {
    let isGone = Atomic(false)
    let transport = MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let all = (1...20).filter { !isGone.load(ordering: .relaxed) || $0 != 2 }
      let rows = all.dropFirst(page * 3 - 3).prefix(3).map { #"{"id":\#($0)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"total":\#(all.count)}"#)
    }
    let server = server(transport)
    let first = server.items(Row.self, "/rows", at: "rows", paging: paging)
    for try await row in first where row.id == 13 { break }
    let checkpoint = try #require(first.checkpoint)
    isGone.store(true, ordering: .relaxed)
    let rest = server.items(Row.self, "/rows", at: "rows", paging: paging, from: checkpoint)
    var ids: [Int] = []
    let error = await #expect(throws: LoadError.self) {
      for try await row in rest { ids.append(row.id) }
    }
    #expect(ids.allSatisfy { $0 > 13 } && Set(ids).count == ids.count, "\(ids)")
    #expect("\(error, default: "")".contains("fell from 20 to 19"))
  }

  @Test func `a page that can't be mapped is missing at the end`() async throws {
    let books = server(Self.transport(breaking: 4)).items(
      Book.self, "/rows", at: "rows", paging: paging,
      mapper: {
        var mapper = ItemMapper()
        mapper.failsFast = true
        return mapper
      }())
    var ids: [Int] = []
    await #expect(throws: LoadError.self) { for try await book in books { ids.append(book.id) } }
    let error = await #expect(throws: LoadError.self) {
      for try await book in books { ids.append(book.id) }
    }
    #expect(ids == [1, 2, 3, 7, 8, 9, 10])
    #expect("\(error, default: "")".contains("3 rows could not be read"))
  }

  @Test(arguments: 0...10)
  func `a loop can be stopped after any row and continued in another process`(
    _ stop: Int
  ) async throws {
    let server = server(Self.transport())
    let first = server.items(Row.self, "/rows", at: "rows", paging: paging)
    var ids: [Int] = []
    if stop > 0 {
      for try await row in first {
        ids.append(row.id)
        if ids.count == stop { break }
      }
    }
    let text = first.checkpoint?.text
    #expect((text == nil) == (stop == 10))
    if let text {
      let checkpoint = try #require(PageWalk.Checkpoint(text: text))
      let second = server.items(
        Row.self, "/rows", at: "rows", paging: paging, from: checkpoint)
      for try await row in second { ids.append(row.id) }
      #expect(second.end == .complete)
    }
    #expect(ids == Array(1...10))
  }

  @Test func `a failure leaves the loop where it is`() async throws {
    let transport = Self.transport()
    let books = server(transport).items(Row.self, "/rows", at: "rows", paging: paging)
    var ids: [Int] = []
    for try await row in books {
      ids.append(row.id)
      if ids.count == 3 { break }
    }
    transport.enqueue(.failure(.connectRefused))
    do throws(LoadError) {
      for try await row in books { ids.append(row.id) }
      Issue.record("the loop did not throw")
    } catch {
      #expect(error == .request(RequestError(.connectRefused)) || "\(error)".contains("refused"))
    }
    for try await row in books { ids.append(row.id) }
    #expect(ids == Array(1...10))
  }

  @Test func `a row that can't be read makes the end incomplete, unless that is meant`()
    async throws
  {
    let server = server(Self.transport(breaking: 4))
    let strict = server.items(Row.self, "/rows", at: "rows", paging: paging)
    var ids: [Int] = []
    let error = await #expect(throws: LoadError.self) {
      for try await row in strict { ids.append(row.id) }
    }
    #expect(ids == [1, 2, 3, 5, 6, 7, 8, 9, 10])
    guard case .paging(.unreadableRows(1, first: _))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let lenient = server.items(
      Row.self, "/rows", at: "rows", paging: paging, acceptsUnreadableRows: true)
    ids = []
    for try await row in lenient { ids.append(row.id) }
    #expect(ids.count == 9 && lenient.end == .complete)
  }

  @Test func `a page of which no row can be read throws`() async {
    let transport = MockTransport { _ in .json(#"{"rows":[{"id":"x"},{"id":"y"}]}"#) }
    let rows = server(transport).items(Row.self, "/rows", at: "rows", paging: .single)
    let error = await #expect(throws: LoadError.self) {
      for try await row in rows { Issue.record("\(row)") }
    }
    guard case .mapping(.noReadableRows)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a cancelled task ends the loop with an error`() async throws {
    let gate = Gate()
    let transport = MockTransport { _ in .json(#"{"rows":[]}"#).held(by: gate) }
    let server = server(transport)
    let task = Task {
      for try await _ in server.items(Row.self, "/rows", at: "rows", paging: .single) {}
    }
    await gate.reached()
    task.cancel()
    let error = await #expect(throws: LoadError.self) { try await task.value }
    #expect(error?.isCancelled == true)
  }
}
