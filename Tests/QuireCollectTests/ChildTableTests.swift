#if SQLITE
  import ItemMapping
  import ListModel
  import ListReading
  import ListSync
  import QuireTesting
  import SQLiteFile
  import ServerAPI
  import Support
  import TestSupport
  import Testing

  @testable import QuireCollect

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Lists that follow the table of the lists of many rows.
  @Suite(.timeLimit(.minutes(5))) @MainActor struct ChildTableTests {
    private static func books(_ deletes: CollectList.Deletes) -> CollectList {
      CollectedLists.list("books") { books in
        var reviews = CollectList("reviews", Call("/books/{id}/reviews"), items: .root)
        (reviews.paging, reviews.deletes, reviews.deleteLimit) = (.single, deletes, .none)
        (books.children, books.deleteLimit) = ([reviews], .none)
      }
    }

    @Test func `rows of all lists show, and only those that change are decoded`() async throws {
      for deletes in [CollectList.Deletes.soft, .hard] {
        let lists = try CollectedLists()
        lists["books"] = #"[{"id":1},{"id":2}]"#
        lists["books/1/reviews"] = #"[{"id":11,"v":1},{"id":12,"v":2}]"#
        lists["books/2/reviews"] = #"[{"id":21,"v":3}]"#
        let books = Self.books(deletes)
        try await lists.collect(books)
        let table = CollectedTable<CountedRow>(lists.path, "reviews", sortedBy: "v")
        let list = LocalList(following: table)
        let shown = Shown(list)
        await shown.look()
        #expect(list.items.map(\.id) == [11, 12, 21] && table.failure == nil)
        CountedRow.decoded.withLock { $0 = 0 }
        lists["books/2/reviews"] = #"[{"id":21,"v":0},{"id":22,"v":5}]"#
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.map(\.id) == [21, 11, 12, 22])
        #expect(CountedRow.decoded.withLock { $0 } == 2)
        // A book that is gone takes its reviews along, and one that comes back brings them.
        lists["books"] = #"[{"id":2}]"#
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.map(\.id) == [21, 22], "\(deletes)")
        lists["books"] = #"[{"id":1},{"id":2}]"#
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.map(\.id) == [21, 11, 12, 22], "\(deletes)")
        #expect(CountedRow.decoded.withLock { $0 } == 4)
      }
    }

    @Test func `steps are found by their numbers, and rows that could not be read by their list`() async throws {
      let lists = try CollectedLists()
      _ = try SQLiteSink(lists.path)
      let database = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
      func plan(_ sql: String) throws -> String {
        let statement = try database.prepare("EXPLAIN QUERY PLAN \(sql)")
        return try statement.step() ? statement.text(3) : ""
      }
      #expect(
        try plan("SELECT DISTINCT parent FROM _quire_steps WHERE +list = 'x' AND step > 7")
          == "SEARCH _quire_steps USING INTEGER PRIMARY KEY (rowid>?)")
      #expect(
        try plan("DELETE FROM _quire_unread WHERE list = 'x' AND parent = 7 AND round < 9").contains(
          "(list=? AND parent=? AND round<?)"))
      #expect(
        try plan("SELECT number FROM _quire_steps WHERE list = 'x' AND parent = 7 ORDER BY number").contains(
          "(list=? AND parent=?)"))
    }

    @Test func `a list that could not be read is no change of another program`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1}]"#
      lists["books/1/reviews"] = #"[{"id":1,"v":1}]"#
      let books = Self.books(.soft)
      try await lists.collect(books)
      let file = try TableFile(lists.path, "reviews", nil)
      func find() throws -> String {
        try file.database.run("BEGIN")
        defer { try? file.database.run("COMMIT") }
        return switch try file.find() {
        case .nothing: "nothing"
        case .rows: "rows"
        case .anything: "anything"
        }
      }
      #expect(try find() == "anything")
      #expect(try find() == "nothing")
      let reviews = books.children[0].belonging(to: "books", 1)
      try SQLiteSink(lists.path).note("it fails", of: reviews, at: Date(timeIntervalSince1970: 0))
      #expect(try find() == "nothing")
      try lists.run("UPDATE reviews SET v = 2")
      #expect(try find() == "anything")
    }

    @Test func `a row whose item has the id of another list's row waits until that is gone`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1},{"id":2}]"#
      lists["books/1/reviews"] = #"[{"id":1,"v":1}]"#
      lists["books/2/reviews"] = #"[{"id":1,"v":2},{"id":2,"v":3}]"#
      let books = Self.books(.soft)
      try await lists.collect(books)
      let list = LocalList(following: CollectedTable<Row>(lists.path, "reviews", sortedBy: "v"))
      let shown = Shown(list)
      await shown.look()
      #expect(list.items.map(\.v) == [1, 3])
      lists["books/1/reviews"] = "[]"
      try await lists.collect(books)
      await shown.look()
      #expect(list.items.map(\.v) == [2, 3])
    }

    @Test func `after each look, the list has the rows of the table by exact changes`() async throws {
      for start in try SeededGenerator.runs(Thoroughness.runs(40, full: 1_000)) {
        var random = start
        let lists = try CollectedLists()
        let books = Self.books(Bool.random(using: &random) ? .soft : .hard)
        var (served, next) = ([Int: [Row]](), 1)
        func serve() {
          lists["books"] = "[\(served.keys.sorted().map { "{\"id\":\($0)}" }.joined(separator: ","))]"
          for (book, rows) in served {
            let texts = rows.map { "{\"id\":\($0.id),\"v\":\($0.v ?? 0)}" }
            lists["books/\(book)/reviews"] = "[\(texts.joined(separator: ","))]"
          }
        }
        func change() {
          for _ in 0..<Int.random(in: 1...12, using: &random) {
            let book = Int.random(in: 0..<8, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: served[book] = Bool.random(using: &random) ? nil : []
            case 1, 2: if served[book]?.isEmpty == false { served[book]?.removeFirst() }
            case 3: if served[book]?.isEmpty == false { served[book]?[0].v = Int.random(in: 0..<9, using: &random) }
            default:
              served[book, default: []].append(Row(id: next, v: Int.random(in: 0..<9, using: &random)))
              next += 1
            }
          }
        }
        for _ in 0..<4 { change() }
        served[0, default: []].append(Row(id: 0, v: 0))
        serve()
        let collector = Collector(lists.server, CollectPlan([books]), into: try SQLiteSink(lists.path))
        _ = try await collector.run()
        let column = ["v", nil].randomElement(using: &random) ?? nil
        let table = CollectedTable<Row>(lists.path, "reviews", sortedBy: column)
        let list = LocalList(following: table)
        let shown = Shown(list)
        for _ in 0..<Int.random(in: 2...30, using: &random) {
          for _ in 0..<Int.random(in: 0...2, using: &random) {
            change()
            serve()
            _ = try await collector.run()
          }
          await shown.look()
          let ids = try lists.text(
            "SELECT group_concat(_quire_id, ' ') FROM (SELECT _quire_id FROM reviews WHERE _quire_gone_at IS NULL"
              + " ORDER BY \(column.map { "\($0), " } ?? "")rowid)")
          #expect(list.items.map { "\($0.id)" }.joined(separator: " ") == ids, "\(start)")
          #expect(table.failure == nil)
        }
      }
    }
  }
#endif
