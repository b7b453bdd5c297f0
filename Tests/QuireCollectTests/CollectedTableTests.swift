#if SQLITE
  import ItemMapping
  import ListModel
  import ListReading
  import ListSync
  import QuireTesting
  import SQLiteFile
  import ServerAPI
  import Support
  import Testing

  @testable import QuireCollect

  /// Lists that follow a table.
  @Suite(.timeLimit(.minutes(5))) @MainActor struct CollectedTableTests {
    @Test func `each commit shows as its exact change`() async throws {
      // The change of the table, the change of the list, and its rows by their ids.
      let steps: [(sql: String, change: String, ids: [Int])] = [
        (
          "INSERT INTO books (_quire_id, _quire_row, v) VALUES (4, '{\"id\":4,\"v\":15}', 15)", "inserted 1",
          [1, 4, 2, 3]
        ),
        ("UPDATE books SET v = 16, _quire_row = '{\"id\":4,\"v\":16}' WHERE _quire_id = 4", "updated 1", [1, 4, 2, 3]),
        (
          "UPDATE books SET v = 35, _quire_row = '{\"id\":4,\"v\":35}' WHERE _quire_id = 4",
          "updated 3, moved 1 to 3", [1, 2, 3, 4]
        ),
        ("UPDATE books SET _quire_gone_at = 'x' WHERE _quire_id = 2", "removed 1", [1, 3, 4]),
        ("UPDATE books SET _quire_gone_at = NULL WHERE _quire_id = 2", "inserted 1", [1, 2, 3, 4]),
        ("DELETE FROM books WHERE _quire_id IN (1, 3)", "removed 0 2", [2, 4]),
        ("UPDATE books SET _quire_row = '{\"id\":2,\"v\":20,\"other\":1}' WHERE _quire_id = 2", "none", [2, 4]),
        ("UPDATE books SET v = NULL WHERE _quire_id = 4", "moved 1 to 0", [4, 2]),
      ]
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":10},{"id":2,"v":20},{"id":3,"v":30}]"#
      try await lists.collect(CollectedLists.list("books"))
      let table = CollectedTable<Row>(lists.path, "books", sortedBy: "v")
      let list = LocalList(following: table)
      let shown = Shown(list)
      await shown.look()
      #expect(shown.changes == ["inserted 0…2"] && table.failure == nil)
      for step in steps {
        shown.changes = []
        try lists.run(step.sql)
        await shown.look()
        #expect(shown.changes == (step.change == "none" ? [] : [step.change]), "\(step.sql)")
        #expect(list.items.map(\.id) == step.ids, "\(step.sql)")
      }
    }

    @Test func `rounds of a collector show, several at once, with both kinds of deletes`() async throws {
      for deletes in [CollectList.Deletes.soft, .hard] {
        let lists = try CollectedLists()
        let books = CollectedLists.list("books") { ($0.deletes, $0.deleteLimit) = (deletes, .none) }
        let table = CollectedTable<Row>(lists.path, "books", sortedBy: "v", descending: true)
        let list = LocalList(following: table)
        let shown = Shown(list)
        await shown.look()
        #expect(!list.hasLoaded && table.failure?.description.contains("no such file yet") == true)
        lists["books"] = #"[{"id":1,"v":10},{"id":2,"v":20},{"id":3,"v":30}]"#
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.map(\.id) == [3, 2, 1] && table.failure == nil)
        lists["books"] = #"[{"id":1,"v":10},{"id":3,"v":5},{"id":4,"v":40}]"#
        try await lists.collect(books)
        lists["books"] = #"[{"id":1,"v":10},{"id":2,"v":21},{"id":3,"v":5}]"#
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.map(\.id) == [2, 1, 3], "\(deletes)")
        lists["books"] = "[]"
        try await lists.collect(books)
        await shown.look()
        #expect(list.items.isEmpty && list.hasLoaded, "\(deletes)")
      }
    }

    @Test func `a table that can't be read says why, keeps its rows, and goes on`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":2}]"#
      try await lists.collect(CollectedLists.list("books"))
      let table = CollectedTable<Row>(lists.path, "books")
      let list = LocalList(following: table)
      let shown = Shown(list)
      await shown.look()
      for (sql, text) in [
        ("ALTER TABLE books RENAME TO other", "has no such table"),
        ("ALTER TABLE other RENAME TO books; UPDATE _quire_lists SET format = 9", "another version of Quire"),
      ] {
        try lists.run(sql)
        await shown.look()
        #expect(table.failure?.description.contains(text) == true, "\(String(describing: table.failure))")
        #expect(list.items.map(\.id) == [1, 2])
      }
      try lists.run("UPDATE _quire_lists SET format = 2; DELETE FROM books WHERE _quire_id = 1")
      await shown.look()
      #expect(table.failure == nil && list.items.map(\.id) == [2])
      let column = CollectedTable<Row>(lists.path, "books", sortedBy: "titel")
      let other = LocalList(following: column)
      await column.check()
      #expect(column.failure?.description.contains("no column “titel”; sort by another one: id, v") == true)
      #expect(!other.hasLoaded)
    }

    @Test func `a row without an item of its own is left out until it has one`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":1},{"id":"1","v":2},{"id":3,"v":"x"},{"id":4,"v":4}]"#
      let books = CollectedLists.list("books") { $0.id = "id" }
      try await lists.collect(books)
      let table = CollectedTable<LooseRow>(lists.path, "books")
      let list = LocalList(following: table)
      let shown = Shown(list)
      await shown.look()
      #expect(list.items.map(\.v) == [1, 4])
      #expect(table.report?.droppedItems == 1)
      try lists.run(
        "DELETE FROM books WHERE _quire_id = 1; UPDATE books SET _quire_row = '{\"id\":3,\"v\":3}' WHERE id = 3")
      await shown.look()
      #expect(list.items.map(\.v) == [2, 3, 4])
    }

    @Test func `a batch of a collector in this process shows without a look`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":1}]"#
      let books = CollectedLists.list("books")
      try await lists.collect(books)
      let clock = Sleeps()
      let list = LocalList(following: CollectedTable<Row>(lists.path, "books", time: clock.time))
      await list.eventsDelivered()
      var events = list.events.makeAsyncIterator()
      lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":2}]"#
      try await lists.collect(books)
      #expect(await events.next()?.rows.map(\.id) == [1, 2])
      clock.wake()
    }

    @Test func `a file that is replaced is read, and a damaged one is not`() async throws {
      let (lists, others) = (try CollectedLists(), try CollectedLists())
      lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":2}]"#
      others["books"] = #"[{"id":2,"v":5},{"id":3,"v":3}]"#
      try await lists.collect(CollectedLists.list("books"))
      try await others.collect(CollectedLists.list("books"))
      let table = CollectedTable<Row>(lists.path, "books")
      let list = LocalList(following: table)
      let shown = Shown(list)
      await shown.look()
      #expect(rename(others.path, lists.path) == 0)
      await shown.look()
      #expect(list.items == [Row(id: 2, v: 5), Row(id: 3, v: 3)] && table.failure == nil)
      let junk = lists.folder + "/junk"
      let file = try #require(fopen(junk, "w"))
      fputs(String(repeating: "no database ", count: 1_000), file)
      fclose(file)
      #expect(rename(junk, lists.path) == 0)
      await shown.look()
      #expect(table.failure?.description.contains("use another file") == true)
      #expect(list.items.map(\.id) == [2, 3])
    }

    @Test func `a list that the program has changed is read again`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":2}]"#
      try await lists.collect(CollectedLists.list("books"))
      let list = LocalList(following: CollectedTable<Row>(lists.path, "books"))
      let shown = Shown(list)
      await shown.look()
      list.items = [Row(id: 9, v: 9)]
      await shown.look()
      #expect(list.items.map(\.id) == [1, 2])
      list.reset()
      await shown.look()
      #expect(list.items.map(\.id) == [1, 2])
    }

    @Test func `ten changed rows of 100,000 are decoded, and the first rows show before the others`() async throws {
      let lists = try CollectedLists()
      func page(_ changed: Range<Int>) -> String {
        let rows = (0..<100_000).map { "{\"id\":\($0),\"v\":\(changed.contains($0) ? $0 - 50_000 : $0)}" }
        return "[\(rows.joined(separator: ","))]"
      }
      lists["books"] = page(0..<0)
      try await lists.collect(CollectedLists.list("books"))
      CountedRow.decoded.withLock { $0 = 0 }
      let list = LocalList(following: CollectedTable<CountedRow>(lists.path, "books", sortedBy: "v"))
      let shown = Shown(list)
      await shown.look()
      #expect(CountedRow.decoded.withLock { $0 } == 100_000 && list.rows.count == 100_000)
      #expect(shown.changes.first == "inserted 0…99" && shown.changes.count > 2)
      CountedRow.decoded.withLock { $0 = 0 }
      lists["books"] = page(70_000..<70_010)
      try await lists.collect(CollectedLists.list("books"))
      shown.changes = []
      await shown.look()
      #expect(CountedRow.decoded.withLock { $0 } == 10)
      let moves = (0..<10).map { "\(70_000 + $0) to \(20_001 + 2 * $0)" }.joined(separator: " ")
      #expect(shown.changes.count == 1 && shown.changes.first?.hasSuffix("moved \(moves)") == true, "\(shown.changes)")
      // Another program: all rows are compared, and one is decoded.
      CountedRow.decoded.withLock { $0 = 0 }
      try lists.run("UPDATE books SET _quire_row = '{\"id\":7,\"v\":8}' WHERE _quire_id = 7")
      await shown.look()
      #expect(CountedRow.decoded.withLock { $0 } == 1)
    }

    @Test func `the table is looked at from time to time only while somebody observes the list`() async throws {
      let lists = try CollectedLists()
      lists["books"] = #"[{"id":1,"v":1}]"#
      try await lists.collect(CollectedLists.list("books"))
      let clock = Sleeps()
      var list: LocalList<Row>? = LocalList(
        following: CollectedTable<Row>(lists.path, "books", every: .seconds(3), time: clock.time))
      await list?.eventsDelivered()
      #expect(clock.waiting == 0)
      let loop = list.map { Shown($0) }
      try lists.run("DELETE FROM books")
      await clock.sleeps()
      #expect(clock.waiting == 1)
      clock.wake()
      await clock.sleeps()
      #expect(list?.items.isEmpty == true)
      list = nil
      clock.wake()
      _ = loop
    }
  }
#endif
