#if SQLITE
  import ListModel
  import ListReading
  import ListSync
  import SQLiteFile
  import ServerAPI
  import Testing

  @testable import QuireCollect

  /// Lists over tables that others lock, rebuild or remove.
  @Suite(.timeLimit(.minutes(5))) @MainActor struct CollectedTableTroubleTests {
    @Test func `a look waits for another program that has locked the database`() async throws {
      let lists = try withJournal()
      lists["books"] = #"[{"id":1,"v":1}]"#
      try await lists.collect(CollectedLists.list("books"))
      let clock = Sleeps()
      let table = CollectedTable<Row>(lists.path, "books", time: clock.time)
      let list = LocalList(following: table)
      await table.check()
      let other = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
      try other.run("BEGIN EXCLUSIVE")
      try other.run("INSERT INTO books (_quire_id, _quire_row) VALUES (2, '{\"id\":2}')")
      let look = Task { await table.check() }
      await clock.sleeps()
      #expect(list.items.map(\.id) == [1] && table.failure == nil)
      try other.run("COMMIT")
      clock.wake()
      await look.value
      #expect(list.items.map(\.id) == [1, 2] && table.failure == nil)
    }

    @Test func `a database that stays locked is a failure, and the next look reads it`() async throws {
      let lists = try withJournal()
      lists["books"] = #"[{"id":1,"v":1}]"#
      try await lists.collect(CollectedLists.list("books"))
      var time = TimeSource.system
      time.sleep = { _ in }
      let table = CollectedTable<Row>(lists.path, "books", time: time)
      let list = LocalList(following: table)
      await table.check()
      let other = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
      try other.run("BEGIN EXCLUSIVE")
      try other.run("DELETE FROM books")
      await table.check()
      #expect(table.failure?.description.contains("locked") == true, "\(String(describing: table.failure))")
      #expect(list.items.map(\.id) == [1])
      try other.run("COMMIT")
      await table.check()
      #expect(table.failure == nil && list.items.isEmpty)
    }

    @Test func `a table without rowid has the rows in the order of their ids`() async throws {
      let lists = try CollectedLists()
      try lists.run("CREATE TABLE books (id INTEGER PRIMARY KEY, v INTEGER) WITHOUT ROWID")
      lists["books"] = #"[{"id":3,"v":1},{"id":1,"v":2}]"#
      try await lists.collect(CollectedLists.list("books"))
      let table = CollectedTable<Row>(lists.path, "books")
      let shown = Shown(LocalList(following: table))
      await shown.look()
      #expect(table.failure == nil && shown.ids == [1, 3])
      lists["books"] = #"[{"id":3,"v":1},{"id":2,"v":5},{"id":1,"v":2}]"#
      try await lists.collect(CollectedLists.list("books"))
      await shown.look()
      #expect(shown.ids == [1, 2, 3] && shown.changes.last == "inserted 1")
    }

    @Test func `a table that is dropped and collected again shows its new rows`() async throws {
      let lists = try CollectedLists()
      let books = CollectedLists.list("books")
      lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":2}]"#
      try await lists.collect(books)
      let table = CollectedTable<Row>(lists.path, "books")
      let shown = Shown(LocalList(following: table))
      await shown.look()
      try lists.run("DROP TABLE books")
      lists["books"] = #"[{"id":2,"v":3},{"id":5,"v":5}]"#
      try await lists.collect(books)
      await shown.look()
      #expect(table.failure == nil && shown.ids == [2, 5])
      // Once more, seen in between.
      try lists.run("DROP TABLE books")
      await shown.look()
      #expect(table.failure != nil && shown.ids == [2, 5])
      try await lists.collect(books)
      await shown.look()
      #expect(table.failure == nil && shown.ids == [2, 5])
    }

    @Test func `a state that is stored as one record again hides no change`() async throws {
      let lists = try CollectedLists()
      let books = CollectedLists.list("books")
      lists["books"] = #"[{"id":0,"v":0}]"#
      try await lists.collect(books)
      let table = CollectedTable<Row>(lists.path, "books")
      let shown = Shown(LocalList(following: table))
      for round in 1...40 {
        lists["books"] = "[\((0...round).map { "{\"id\":\($0),\"v\":\(round * ($0 % 3))}" }.joined(separator: ","))]"
        try await lists.collect(books)
        if round % 4 == 0 {
          let sink = try SQLiteSink(lists.path)
          var state = try SyncState(records: try #require(try sink.open(books)).records)
          try sink.replaceRecords(of: books, by: Array(state.records()))
        }
        // Not each round is seen, nor are all records that are made one.
        guard round % 3 != 0 else { continue }
        await shown.look()
        #expect(table.failure == nil && shown.ids == Array(0...round))
      }
    }

    /// A database without a write-ahead log, as another program has made it: its writers keep readers out.
    private func withJournal() throws -> CollectedLists {
      let lists = try CollectedLists()
      try lists.run("CREATE TABLE others (id INTEGER)")
      return lists
    }
  }
#endif
