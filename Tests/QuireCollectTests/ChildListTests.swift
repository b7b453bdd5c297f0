import ItemMapping
import ListReading
import ListSync
import QuireTesting
import SQLiteFile
import ServerAPI
import Support
import Testing

@testable import QuireCollect

/// A list for each row of another one.
@Suite(.timeLimit(.minutes(2))) struct ChildListTests {
  private static func books(_ change: (inout CollectList) -> Void = { _ in }) -> CollectList {
    CollectedLists.list("books") { books in
      var reviews = CollectList("reviews", Call("/books/{id}/reviews"), items: .root)
      (reviews.paging, reviews.deleteLimit) = (.single, .none)
      change(&reviews)
      books.children = [reviews]
      books.deleteLimit = .none
    }
  }

  private static let rows = """
    SELECT group_concat(_quire_parent || ':' || _quire_id || coalesce(text, ''), ' ')
    FROM (SELECT * FROM reviews WHERE _quire_gone_at IS NULL ORDER BY _quire_parent, _quire_id)
    """

  /// Two books with reviews, some of which have the same ids.
  private func shop() throws -> CollectedLists {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":1},{"id":2}]"#
    lists["books/1/reviews"] = #"[{"id":1,"text":"a"},{"id":2,"text":"b"}]"#
    lists["books/2/reviews"] = #"[{"id":1,"text":"c"}]"#
    return lists
  }

  @Test func `the lists of all rows have one table, and each one has a receipt`() async throws {
    let lists = try shop()
    let outcomes = try await lists.collect(Self.books())
    let summary = try #require(outcomes[0].children.first)
    #expect((summary.read, summary.inserted, summary.rows, summary.failed) == (2, 3, 3, 0))
    #expect("\(summary)" == "reviews: 2 lists of books (3 new)")
    #expect(try lists.text(Self.rows) == "1:1a 1:2b 2:1c")
    #expect(
      try lists.text("SELECT group_concat(name, ' ') FROM pragma_table_info('reviews_live')") == "_quire_parent id text"
    )
    #expect(
      try lists.text(
        "SELECT group_concat(parent || ' ' || claim || ' ' || inserted, ', ') FROM _quire_rounds WHERE list = 'reviews'"
      )
        == "1 exact 2, 2 exact 1")
    // Rows are found by what they belong to.
    let plan = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
      .prepare("EXPLAIN QUERY PLAN SELECT * FROM reviews WHERE _quire_parent = 1")
    #expect(try plan.step() && plan.text(3).contains("USING INDEX"))
    lists["books/1/reviews"] = #"[{"id":2,"text":"b2"},{"id":3}]"#
    let second = try await lists.collect(Self.books())[0].children[0]
    #expect((second.inserted, second.updated, second.deleted, second.rows) == (1, 1, 1, 3))
    #expect(try lists.text(Self.rows) == "1:2b2 1:3 2:1c")
  }

  @Test func `a list that fails is said with its row, and loses nothing`() async throws {
    let lists = try shop()
    lists["books"] = #"[{"id":1},{"id":2},{"id":3}]"#
    lists["books/3/reviews"] = #"[{"id":9}]"#
    try await lists.collect(Self.books())
    lists["books/1/reviews"] = "no JSON"
    lists["books/2/reviews"] = #"[{"id":1,"text":"c2"}]"#
    lists["books"] = #"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":"../5"}]"#
    let summary = try await lists.collect(Self.books())[0].children[0]
    #expect((summary.read, summary.failed, summary.updated, summary.deleted) == (2, 3, 1, 0))
    #expect(Set(summary.failures.map(\.row)) == [1, 4, "../5"])
    #expect("\(summary.failures.map { "\($0.error)" })".contains("404"))
    #expect(
      summary.failures.contains {
        "\($0.error)"
          == "can't read “reviews” of the row ../5: its “id” would lead to another place, with “..” in the address"
      })
    #expect(try lists.text(Self.rows) == "1:1a 1:2b 2:1c2 3:9")
    #expect(
      try lists.text("SELECT group_concat(parent, ' ') FROM _quire_failures WHERE list = 'reviews'") == "1 4 ../5")
    lists["books/1/reviews"] = #"[{"id":2,"text":"b"}]"#
    lists["books/4/reviews"] = "[]"
    lists["books"] = #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#
    #expect(try await lists.collect(Self.books())[0].children[0].failed == 0)
    #expect(try lists.text(Self.rows) == "1:2b 2:1c2 3:9")
    #expect(try lists.text("SELECT count(*) FROM _quire_failures") == "0")
  }

  @Test(arguments: CollectList.Deletes.allCases)
  func `what belongs to a row that is gone goes with it, and comes back with it`(deletes: CollectList.Deletes)
    async throws
  {
    let lists = try shop()
    let books = Self.books { $0.deletes = deletes }
    try await lists.collect(books)
    lists["books"] = #"[{"id":2}]"#
    try await lists.collect(books)
    #expect(try lists.text(Self.rows) == (deletes == .off ? "1:1a 1:2b 2:1c" : "2:1c"))
    #expect(try lists.text("SELECT count(*) FROM reviews") == (deletes == .hard ? "1" : "3"))
    let about = "SELECT count(*) FROM _quire_rounds WHERE list = 'reviews' AND parent = 1"
    #expect(try lists.text(about) == (deletes == .off ? "1" : "0"))
    lists["books"] = #"[{"id":1},{"id":2}]"#
    lists["books/1/reviews"] = #"[{"id":2,"text":"b2"},{"id":3}]"#
    for _ in 0..<2 { try await lists.collect(books) }
    #expect(try lists.text(Self.rows) == (deletes == .off ? "1:1a 1:2b2 1:3 2:1c" : "1:2b2 1:3 2:1c"))
    #expect(try lists.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `rows that are gone take nothing along that a program has fenced`() async throws {
    let lists = try shop()
    try await lists.collect(Self.books())
    try lists.run("CREATE TRIGGER keep BEFORE UPDATE ON reviews BEGIN SELECT RAISE(IGNORE); END")
    lists["books"] = #"[{"id":2}]"#
    do {
      try await lists.collect(Self.books())
      Issue.record("nothing was thrown")
    } catch {
      #expect(
        "\(error)".contains("the rows of “reviews” that belong to 1 can't be deleted: a trigger has ignored that"))
    }
    #expect(try lists.text("SELECT group_concat(_quire_id, ' ') FROM books WHERE _quire_gone_at IS NULL") == "1 2")
    try lists.run("DROP TRIGGER keep")
    try await lists.collect(Self.books())
    #expect(try lists.text(Self.rows) == "2:1c")
  }

  @Test func `members of the row are in parameters and paths`() async throws {
    let lists = try CollectedLists()
    lists["repos"] = #"[{"id":1,"full_name":"lem/solaris","owner":{"login":"lem"}}]"#
    var repos = CollectedLists.list("repos")
    var issues = CollectList("issues", Call("/repos/{full_name}/issues", params: ["by": "{owner.login}"]), items: .root)
    issues.paging = .single
    repos.children = [issues]
    let transport = MockTransport { [rows = lists["repos"]] request in
      .json(request.url.path == "/repos" ? rows : #"[{"id":5}]"#)
    }
    _ = try await Collector(
      Server("https://test", transport: transport), CollectPlan([repos]), into: try SQLiteSink(lists.path)
    ).run()
    #expect(
      transport.requests.map { "\($0.url.path)?\($0.url.query ?? "")" } == [
        "/repos?", "/repos/lem/solaris/issues?by=lem",
      ])
  }

  @Test func `a table that has something else is left as it is`() async throws {
    let lists = try shop()
    try await lists.collect(Self.books())
    func error(_ list: CollectList) async -> String {
      do {
        try await lists.collect(list)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      await error(Self.books { $0.call.address = "/authors/{id}/reviews" })
        == "can't collect into the table “reviews”: it has the rows of another list, with the url"
        + " https://test/books/{id}/reviews; use another table or another database")
    var authors = Self.books()
    authors.name = "authors"
    #expect(await error(authors).contains("with the parent books"))
    #expect(await error(CollectedLists.list("reviews")).contains("it has the rows of another list, with the url"))
    try lists.run("DELETE FROM reviews WHERE _quire_parent = 2")
    #expect(await error(Self.books()).contains("it has 0 rows, and 1 were collected"))
    try lists.run("DROP TABLE reviews")
    try await lists.collect(Self.books())
    #expect(try lists.text(Self.rows) == "1:1a 1:2b 2:1c")
    #expect(try lists.text("SELECT group_concat(round, ' ') FROM _quire_rounds WHERE list = 'reviews'") == "1 1")
    let view = await error(Self.books { $0.name = "books_live" })
    #expect(view.contains("“books_live” is the view of the table “books”"), "\(view)")
  }

  @Test func `a table of a program is respected`() async throws {
    let lists = try shop()
    try lists.run(
      "CREATE TABLE reviews (key INTEGER PRIMARY KEY, id INTEGER, text TEXT NOT NULL, note TEXT DEFAULT 'mine')")
    try lists.run("INSERT INTO reviews (id, text) VALUES (1, 'of mine')")
    lists["books/2/reviews"] = #"[{"id":1,"text":"c"},{"id":2,"text":null}]"#
    let summary = try await lists.collect(Self.books())[0].children[0]
    #expect((summary.unreadable, summary.incomplete) == (1, 1))
    #expect("\(summary)".hasSuffix(", 1 incomplete: 2: 1 row could not be read or stored"))
    #expect(
      try lists.text("SELECT group_concat(coalesce(_quire_parent, '-') || id || text || note, ' ') FROM reviews")
        == "-1of minemine 11amine 12bmine 21cmine")
    #expect(try lists.text("SELECT parent || id FROM _quire_unread") == "22")
  }

  @Test func `a sink that takes no children says so before the first request`() async throws {
    final class Plain: RowSink {
      func open(_ list: CollectList) -> StoredList? { nil }
      func store(_ batch: inout CollectBatch) { _ = batch.record() }
      func replaceRecords(of list: CollectList, by records: [[UInt8]]) {}
    }
    let server = Server("https://test", transport: MockTransport { _ in fatalError("a request was sent") })
    await #expect {
      _ = try await Collector(server, CollectPlan([Self.books()]), into: Plain()).run()
    } throws: {
      "\($0)".contains("the list “books” has children, and Plain has no function rows(of:after:) to read its rows")
    }
  }

  @Test func `a database of the last format says so`() async throws {
    let lists = try CollectedLists()
    try lists.run("CREATE TABLE _quire_steps (list TEXT, number INTEGER, record BLOB, PRIMARY KEY (list, number))")
    #expect(
      throws: CollectError.database(
        "\(lists.path): it was made by another version of Quire; use that, or another database")
    ) {
      try SQLiteSink(lists.path)
    }
  }

  @Test func `a server that can't be reached ends the lists of rows, and the next run begins behind them`() async throws
  {
    let lists = try CollectedLists()
    let rows = "[\((1...30).map { #"{"id":\#($0)}"# }.joined(separator: ","))]"
    let seen = Lock([String]())
    let server = Server(
      "https://test",
      transport: MockTransport { request in
        if request.url.path == "/books" { return .json(rows) }
        seen.withLock { $0.append(String(request.url.path.split(separator: "/")[1])) }
        return .failure(.connectRefused)
      }
    ) { $0.retry = .never }
    func run() async throws -> ChildrenSummary {
      seen.withLock { $0 = [] }
      return try await Collector(server, CollectPlan([Self.books()]), into: try SQLiteSink(lists.path)).run()[0]
        .children[0]
    }
    let summary = try await run()
    #expect(summary.failed == 10 && summary.problem?.contains("for 10 lists in a row") == true)
    #expect(seen.withLock { $0 } == (1...10).map { "\($0)" })
    for _ in 0..<2 { _ = try await run() }
    #expect(seen.withLock { $0 } == (21...30).map { "\($0)" })
    _ = try await run()
    #expect(seen.withLock { $0 } == (1...10).map { "\($0)" })
  }

  @Test func `10,000 lists are in memory one after the other, and keep few receipts and records`() async throws {
    let lists = try CollectedLists()
    let count = Thoroughness.current == .brief ? 600 : 10_000
    lists["books"] = "[\((1...count).map { #"{"id":\#($0)}"# }.joined(separator: ","))]"
    try await lists.collect(CollectedLists.list("books"))
    let (server, sink) = (lists.server, try SQLiteSink(lists.path))
    let (books, child) = (Self.books(), Self.books().children[0])
    let source = try ListSource(server, child.belonging(to: "books"))
    let rounds = try await ChildRounds(child, of: books, source, sink, .system)
    final class Alive {
      weak var store: SinkStore?
      init(_ store: SinkStore) { self.store = store }
    }
    var (alive, most) = ([Alive](), 0)
    let summary = try await rounds.run { list, store in
      alive.removeAll { $0.store == nil }
      alive.append(Alive(store))
      most = max(most, alive.count)
      let walk = SyncWalk(store.takeState(), list.options, time: .system) { identity, checkpoint, known, _ in
        PageWalk(
          Server("https://test", transport: MockTransport { _ in .json(#"[{"id":1}]"#) }), list.call, items: .root,
          paging: .single, identity: identity, allowsOtherOrigins: false, parallel: 1, consistency: .seams,
          version: nil,
          from: checkpoint, knownIDs: known)
      }
      return try await walk.round { step in try await store.store(&step) }
    } observe: { _, _ in
    }
    #expect(summary.read == count && summary.failed == 0)
    #expect(most == 1)
    #expect(try sink.rows(of: books, after: nil).count == 256)
    #expect(try lists.text("SELECT count(*) FROM reviews") == "\(count)")
  }

  @Test func `records and receipts of a list that is read often stay few`() async throws {
    let lists = try shop()
    let collector = Collector(lists.server, CollectPlan([Self.books()]), into: try SQLiteSink(lists.path))
    for round in 0..<120 {
      lists["books/1/reviews"] = #"[{"id":1,"text":"\#(round)"},{"id":2,"text":"b"}]"#
      _ = try await collector.run()
    }
    let bytes = try #require(
      Int(try lists.text("SELECT sum(length(record)) FROM _quire_steps WHERE list = 'reviews' AND parent = 1")))
    #expect(bytes < 10_000, "\(bytes)")
    #expect(
      try lists.text("SELECT count(*) || ' ' || max(round) FROM _quire_rounds WHERE list = 'reviews' AND parent = 1")
        == "10 120")
    #expect(try lists.text(Self.rows) == "1:1119 1:2b 2:1c")
  }
}
