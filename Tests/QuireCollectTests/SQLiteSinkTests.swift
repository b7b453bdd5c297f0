import ItemMapping
import ListReading
import ListSync
import SQLiteFile
import ServerAPI
import Support
import Testing

@testable import QuireCollect

/// What tables have after rounds.
@Suite(.timeLimit(.minutes(2))) struct SQLiteSinkTests {
  private static let rows =
    "SELECT group_concat(_quire_id || ':' || coalesce(_quire_gone_at IS NULL, ''), ' ') FROM books"

  @Test func `a column is made for each member, and values keep their types`() async throws {
    let lists = try CollectedLists()
    lists["books"] =
      #"[{"id":1,"title":"a","price":2,"new":true,"tags":["x"],"by":{"n":1},"none":null,"mixed":1},"#
      + #"{"id":2,"title":null,"price":2.5,"new":false,"tags":[],"by":null,"mixed":"b"}]"#
    let receipt = try await lists.receipt(CollectedLists.list("books"))
    #expect(receipt.inserted == 2 && receipt.rows == 2)
    #expect(
      try lists.text("SELECT group_concat(name || ' ' || type, ', ') FROM pragma_table_info('books')")
        == "id INTEGER, title TEXT, price REAL, new BOOLEAN, tags JSON, by JSON, mixed JSON, _quire_id , "
        + "_quire_row TEXT, _quire_round INTEGER, _quire_gone_at TEXT")
    #expect(
      try lists.text(
        """
        SELECT group_concat(typeof(id) || typeof(title) || typeof(price) || typeof(new) || typeof(tags) || typeof(by), ' ')
        FROM books
        """) == "integertextrealintegertexttext integernullrealintegertextnull")
    #expect(try lists.text("SELECT group_concat(by ->> '$.n' || mixed, ' ') FROM books WHERE id = 1") == "11")
    #expect(try lists.text("SELECT group_concat(_quire_row ->> '$.mixed', ' ') FROM books") == "1 b")
    #expect(
      try lists.text("SELECT group_concat(name, ' ') FROM pragma_table_info('books_live')")
        == "id title price new tags by mixed")
    #expect(try lists.text("SELECT count(*) FROM books_live") == "2")
  }

  @Test func `columns are added as members come, and a value that doesn't fit stays in the JSON`() async throws {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":1,"pages":7}]"#
    try await lists.collect(CollectedLists.list("books"))
    lists["books"] =
      #"[{"id":1,"pages":7.5},{"id":2,"pages":"many","title":"b"},{"id":3,"pages":123456789012345678901,"ID":4}]"#
    try await lists.collect(CollectedLists.list("books"))
    #expect(
      try lists.text("SELECT group_concat(coalesce(pages, '-') || coalesce(title, '-'), ' ') FROM books_live")
        == "7.5- -b --")
    #expect(
      try lists.text("SELECT group_concat(_quire_row ->> '$.pages', ' ') FROM books WHERE id > 1")
        == "many 1.23456789012346e+20")
    let misfits = try lists.text(#"SELECT group_concat("column" || "rows" || example, ' ') FROM _quire_misfits"#)
    #expect(misfits == "pages2\"many\"")
    // SQLite can't have a second column whose name differs only in the size of letters.
    #expect(try lists.text("SELECT _quire_row ->> '$.ID' FROM books WHERE id = 3") == "4")
  }

  @Test func `ids keep their types, and odd names are names`() async throws {
    let lists = try CollectedLists()
    lists[#"a "b"; c"#] = ""
    lists["mixed"] = #"[{"id":7,"a\"b; DROP TABLE x":1,"":2,"_quire_id":3},{"id":"7"},{"id":7.5},{"id":"x"}]"#
    try await lists.collect(
      CollectedLists.list("mixed") { list in
        list.name = #"a "b"; c"#
        list.id = "id"
      })
    let types = try lists.text(
      #"SELECT group_concat(typeof(_quire_id), ' ') FROM (SELECT * FROM "a ""b""; c" ORDER BY rowid)"#)
    #expect(types == "integer text blob text")
    #expect(try lists.text(#"SELECT "a""b; DROP TABLE x" FROM "a ""b""; c_live" WHERE id = 7"#) == "1")
  }

  @Test func `unchanged rows are not written, and rows that are gone are marked, deleted or kept`() async throws {
    for deletes in CollectList.Deletes.allCases {
      let lists = try CollectedLists()
      let list = CollectedLists.list("books") { $0.deletes = deletes }
      lists["books"] = #"[{"id":1},{"id":2},{"id":3,"v":1}]"#
      try await lists.collect(list)
      lists["books"] = #"[{"id":1},{"id":3,"v":2},{"id":4}]"#
      let second = try await lists.receipt(list)
      #expect(second.inserted == 1 && second.updated == 1)
      let rounds = try lists.text(
        "SELECT group_concat(id || ':' || _quire_round, ' ') FROM (SELECT * FROM books ORDER BY id)")
      switch deletes {
      case .off:
        #expect(try lists.text("SELECT group_concat(id, ' ') FROM books_live") == "1 2 3 4")
        #expect(second.deleted == 0 && second.heldBack == 1 && rounds == "1:1 2:1 3:2 4:2")
        #expect(
          try lists.text("SELECT held_back_because FROM _quire_rounds WHERE round = 2")
            == "deletes are off for this list")
      case .soft:
        #expect(try lists.text("SELECT group_concat(id, ' ') FROM books_live") == "1 3 4")
        #expect(second.deleted == 1 && rounds == "1:1 2:2 3:2 4:2")
      case .hard:
        #expect(second.deleted == 1 && rounds == "1:1 3:2 4:2")
      }
      lists["books"] = #"[{"id":1},{"id":2},{"id":3,"v":2},{"id":4}]"#
      let third = try await lists.receipt(list)
      #expect(try lists.text("SELECT group_concat(id, ' ') FROM (SELECT * FROM books_live ORDER BY id)") == "1 2 3 4")
      // A row that comes back speaks against what the delete rested on.
      #expect(third.returned == (deletes == .off ? 0 : 1) && third.heldBack == 0)
      #expect(
        try lists.text("SELECT group_concat(claim || \"rows\", ' ') FROM _quire_rounds")
          == "exact3 exact\(deletes == .off ? 4 : 3) exact4")
    }
  }

  @Test func `more deletes than the limit are held back until they are let through`() async throws {
    let lists = try CollectedLists()
    lists["books"] = "[" + (1...30).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    try await lists.collect(CollectedLists.list("books"))
    lists["books"] = #"[{"id":1}]"#
    let held = try await lists.receipt(CollectedLists.list("books"))
    #expect(held.heldBack == 29 && held.reason == .aboveLimit(10))
    #expect(try lists.text("SELECT count(*) FROM books_live") == "30")
    #expect(try lists.text("SELECT held_back || ' ' || delete_limit FROM _quire_rounds WHERE round = 2") == "29 10")
    let let_through = try await lists.receipt(CollectedLists.list("books") { $0.deleteLimit = .none })
    #expect(let_through.deleted == 29)
    #expect(try lists.text("SELECT count(*) FROM books_live") == "1")
    #expect(try lists.text("SELECT coalesce(delete_limit, 'none') FROM _quire_rounds WHERE round = 3") == "none")
  }

  @Test func `rows that can't be read are kept with the reason, and nothing is deleted then`() async throws {
    let lists = try CollectedLists()
    try lists.run("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, Pages INT CHECK (Pages > 0))")
    try lists.run("INSERT INTO books VALUES (1, 'mine', 5)")
    lists["books"] = #"[{"id":1,"title":"a"},{"id":2,"title":"b","pages":7},{"id":3,"title":"c"}]"#
    let list = CollectedLists.list("books")
    let first = try await lists.receipt(list)
    #expect(first.inserted == 3 && first.consistency.claim == .exact)
    // What the program has stored is adopted, and its columns are used.
    #expect(
      try lists.text("SELECT group_concat(id || title || coalesce(Pages, '-'), ' ') FROM books_live") == "1a- 2b7 3c-")
    lists["books"] =
      #"[{"id":1,"title":"a2"},{"id":2,"title":null,"pages":8},{"title":"no id"},{"id":4,"title":"d","pages":0}]"#
    let second = try await lists.receipt(list)
    #expect(second.unreadable == 3 && second.inserted == 0 && second.updated == 1 && second.deleted == 0)
    #expect(second.consistency.claim == .mayLack(atMost: 3) && second.heldBack == 1 && second.reason == .unreadable(3))
    #expect(
      try lists.text("SELECT group_concat(id || title || coalesce(Pages, '-'), ' ') FROM books_live") == "1a2- 2b7 3c-")
    #expect(
      try lists.text("SELECT group_concat(coalesce(id, '?') || reason, ', ') FROM _quire_unread")
        == "?it has no id, 2NOT NULL constraint failed: books.title, 4CHECK constraint failed: Pages > 0")
    lists["books"] = #"[{"id":1,"title":"a2"},{"id":2,"title":"b2"},{"id":4,"title":"d"}]"#
    let third = try await lists.receipt(list)
    #expect(third.unreadable == 0 && third.updated == 1 && third.inserted == 1 && third.deleted == 1)
    #expect(try lists.text("SELECT count(*) FROM _quire_unread") == "0")
    #expect(try lists.text("SELECT group_concat(id || title, ' ') FROM books_live") == "1a2 2b2 4d")
  }

  @Test func `columns and rows of the program stay as they are`() async throws {
    let lists = try CollectedLists()
    try lists.run("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, note TEXT DEFAULT 'none')")
    try lists.run("INSERT INTO books VALUES (1, 'mine', 'precious'), (7, 'mine too', 'dear')")
    lists["books"] = #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#
    let list = CollectedLists.list("books")
    for title in ["a", "b", "c"] {
      lists["books"] = #"[{"id":1,"title":"\#(title)"},{"id":2,"title":"b"}]"#
      #expect(try await lists.receipt(list).rows == 2)
    }
    #expect(
      try lists.text("SELECT group_concat(id || title || note, ' ') FROM books") == "1cprecious 2bnone 7mine toodear")
    #expect(try lists.text("SELECT group_concat(id, ' ') FROM books_live") == "1 2")
    // The column is one of the list once a row has that member.
    lists["books"] = #"[{"id":1,"title":"c","note":"from the server"},{"id":2,"title":"b"}]"#
    try await lists.collect(list)
    #expect(try lists.text("SELECT group_concat(id || note, ' ') FROM books_live") == "1from the server 2none")
  }

  @Test func `what is known of refused rows stays as it was, whether they are new, changed or back`() async throws {
    let lists = try CollectedLists()
    try lists.run("CREATE TABLE books (id INTEGER PRIMARY KEY, v INTEGER CHECK (v > 0), Title TEXT UNIQUE)")
    // A row of the program with the id of one that will be refused, and one with a key that two rows can't have.
    try lists.run("INSERT INTO books VALUES (4, 7, 'mine'), (99, 8, 'taken')")
    func rows(_ versions: [Int: Int]) -> String {
      "[" + versions.sorted { $0.key < $1.key }.map { #"{"id":\#($0),"v":\#($1)}"# }.joined(separator: ",") + "]"
    }
    let list = CollectedLists.list("books")
    lists["books"] = rows([1: 1, 2: 1, 3: 1])
    #expect(try await lists.receipt(list).inserted == 3)
    lists["books"] = rows([1: 1, 3: 1])
    #expect(try await lists.receipt(list).deleted == 1)
    lists["books"] = rows([1: 0, 2: 0, 3: 2, 4: 0, 5: 1])
    let refused = try await lists.receipt(list)
    #expect((refused.unreadable, refused.inserted, refused.returned, refused.updated) == (3, 1, 0, 1))
    #expect(try lists.text("SELECT group_concat(id || ':' || v, ' ') FROM books_live") == "1:1 3:2 5:1")
    #expect(try lists.text("SELECT v || Title FROM books WHERE id = 4") == "7mine")
    lists["books"] = rows([1: 3, 2: 3, 3: 2, 4: 3, 5: 1])
    let last = try await lists.receipt(list)
    #expect((last.unreadable, last.inserted, last.returned, last.updated) == (0, 2, 1, 1) && last.rows == 5)
    #expect(try lists.text("SELECT group_concat(id || ':' || v, ' ') FROM books_live") == "1:3 2:3 3:2 4:3 5:1")
    #expect(try lists.text("SELECT Title FROM books WHERE id = 4") == "mine")
  }

  @Test func `a row that a trigger ignores is not taken for stored`() async throws {
    let lists = try CollectedLists()
    let list = CollectedLists.list("books")
    lists["books"] = #"[{"id":1,"v":1},{"id":2,"v":1}]"#
    try await lists.collect(list)
    try lists.run("CREATE TRIGGER keep BEFORE UPDATE ON books WHEN old.id = 1 BEGIN SELECT RAISE(IGNORE); END")
    lists["books"] = #"[{"id":1,"v":2},{"id":2,"v":2}]"#
    let receipt = try await lists.receipt(list)
    #expect(receipt.unreadable == 1 && receipt.consistency.claim == .mayLack(atMost: 1))
    #expect(try lists.text("SELECT group_concat(reason) FROM _quire_unread").hasPrefix("the table has ignored it"))
    try lists.run("DROP TRIGGER keep")
    #expect(try await lists.receipt(list).updated == 1)
    #expect(try lists.text("SELECT group_concat(v, ' ') FROM books_live") == "2 2")
  }

  @Test func `an integer that a column would round is no value of it`() async throws {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":1,"n":1.5},{"id":2,"n":9007199254740993}]"#
    try await lists.collect(CollectedLists.list("books"))
    #expect(try lists.text("SELECT group_concat(coalesce(n, '-'), ' ') FROM books_live") == "1.5 -")
    #expect(try lists.text("SELECT example FROM _quire_misfits") == "9007199254740993")
  }

  @Test func `rows are looked up by indexes on the id and on the stamp`() async throws {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":2,"at":"2026-01-02T00:00:00Z"},{"id":1,"at":"2026-01-01T00:00:00Z"}]"#
    try await lists.collect(CollectedLists.list("books") { $0.watermark = .newestFirst(by: "at") })
    for column in ["id", "at", "_quire_id"] {
      let statement = try SQLiteConnection(lists.path, .readWrite, isPassive: false)
        .prepare("EXPLAIN QUERY PLAN SELECT * FROM books WHERE \(column) = 1")
      #expect(try statement.step() && statement.text(3).contains("USING INDEX"), "\(column)")
    }
    #expect(try lists.text("SELECT watermark FROM _quire_rounds") == "2026-01-02T00:00:00Z")
  }

  @Test func `several lists have tables of their own, and one that fails doesn't stop the others`() async throws {
    let lists = try CollectedLists()
    lists["authors"] = #"[{"id":1}]"#
    lists["books"] = "[[1]]"
    lists["shops"] = #"[{"id":"x"}]"#
    let outcomes = try await lists.collect(
      CollectedLists.list("authors"), CollectedLists.list("books"), CollectedLists.list("shelves"),
      CollectedLists.list("shops"))
    #expect(outcomes.map { (try? $0.result.get())?.rows } == [1, nil, nil, 1])
    #expect("\(outcomes[1])".hasPrefix("books: can't tell which rows are new"))
    #expect("\(outcomes[2])".contains("404"))
    #expect(try lists.text("SELECT group_concat(list, ' ') FROM _quire_lists") == "authors shops")
  }
}
