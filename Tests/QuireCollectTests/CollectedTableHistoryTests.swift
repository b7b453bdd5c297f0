#if SQLITE
  import ListModel
  import ListReading
  import ListSync
  import QuireTesting
  import SQLiteFile
  import ServerAPI
  import TestSupport
  import Testing

  @testable import QuireCollect

  /// A list that follows a table while rounds over a list that changes are collected into it, and other programs write.
  @Suite(.timeLimit(.minutes(10))) @MainActor struct CollectedTableHistoryTests {
    @Test func `after each look, the list has the rows of the table by exact changes`() async throws {
      var looks = 0
      for start in try SeededGenerator.runs(Thoroughness.runs(60, full: 1_000)) {
        var random = start
        let lists = try CollectedLists()
        var books = CollectedLists.list("books") { $0.deleteLimit = .none }
        books.deletes = Bool.random(using: &random) ? .soft : .hard
        let column = ["v", nil].randomElement(using: &random) ?? nil
        let descending = Bool.random(using: &random)
        var served = (0..<Int.random(in: 1...300, using: &random)).map {
          Row(id: $0, v: Int.random(in: 0...40, using: &random))
        }
        var isForeign = false
        if Int.random(in: 0..<3, using: &random) == 0 {
          isForeign = true
          try lists.run("CREATE TABLE books (id INTEGER PRIMARY KEY, v REAL, note TEXT)")
        }
        lists["books"] = Self.json(served)
        try await lists.collect(books)
        let table = CollectedTable<Row>(lists.path, "books", sortedBy: column, descending: descending)
        let list = LocalList(following: table)
        let shown = Shown(list)
        for _ in 0..<Int.random(in: 2...8, using: &random) {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            Self.change(&served, &random)
            lists["books"] = Self.json(served)
            try await lists.collect(books)
          }
          await shown.look()
          if Int.random(in: 0..<3, using: &random) == 0 {
            try lists.run(
              [
                "UPDATE books SET v = v + 7, _quire_row = json_set(_quire_row, '$.v', v + 7) WHERE id % 5 = 1",
                "VACUUM", "CREATE INDEX IF NOT EXISTS other ON books (v)",
                "UPDATE books SET _quire_row = json_set(_quire_row, '$.v', 1) WHERE id % 7 = 1",
              ].randomElement(using: &random) ?? "")
            await shown.look()
          }
          looks += 1
          let order = column.map { "\($0)\(descending ? " DESC" : ""), rowid" } ?? "rowid"
          func live(_ value: String) throws -> String {
            try lists.text(
              "SELECT group_concat(value, ' ') FROM (SELECT \(value) AS value FROM books"
                + " WHERE _quire_gone_at IS NULL AND _quire_id IS NOT NULL ORDER BY \(order))")
          }
          let ids = try live("_quire_id")
          let values = try live("CAST(_quire_row ->> '$.v' AS INTEGER)")
          #expect(list.items.map { "\($0.id)" }.joined(separator: " ") == ids, "\(start) \(isForeign)")
          #expect(list.items.map { "\($0.v ?? 0)" }.joined(separator: " ") == values, "\(start) \(isForeign)")
          #expect(table.failure == nil)
          if let last = list.items.last {
            #expect(list.position(of: RowID(last.id)) == list.rows.count - 1, "\(start)")
          }
        }
      }
      print("looks: \(looks)")
    }

    private static func json(_ rows: [Row]) -> String {
      "[\(rows.map { "{\"id\":\($0.id),\"v\":\($0.v ?? 0)}" }.joined(separator: ","))]"
    }

    private static func change(_ rows: inout [Row], _ random: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let at = Int.random(in: 0...rows.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let id = Int.random(in: 0...600, using: &random)
          if !rows.contains(where: { $0.id == id }) { rows.insert(Row(id: id, v: id % 41), at: at) }
        case 1 where at < rows.count && rows.count > 1: rows.remove(at: at)
        case _ where at < rows.count: rows[at].v = Int.random(in: 0...40, using: &random)
        default: break
        }
      }
    }
  }
#endif
