import ListReading
import ListSync
import SQLiteFile
import ServerAPI
import Support
import Testing

@testable import QuireCollect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is wrong is said before the first request, and changes nothing.
@Suite(.timeLimit(.minutes(2))) struct CollectErrorTests {
  private func error(_ lists: CollectedLists, _ plan: CollectList...) async -> String {
    do {
      _ = try await Collector(lists.server, CollectPlan(plan), into: try SQLiteSink(lists.path)).run()
      return ""
    } catch {
      return "\(error)".replacing(lists.folder, with: "…")
    }
  }

  @Test func `plans that can't be used`() async throws {
    let lists = try CollectedLists()
    let list = CollectedLists.list("books")
    let other = CollectedLists.list("Books")
    #expect(await error(lists) == "can't use the plan: it has no list; add one")
    #expect(
      await error(lists, list, list)
        == "can't use the plan: two lists have the table “books”; use another name for one of them")
    #expect(
      await error(lists, list, other)
        == "can't use the plan: two lists have the table “Books”: “books” is the same name for a database; use another"
        + " name for one of them")
    #expect(await error(lists, CollectList("_quire_x", Call("/x"))).contains("such names are reserved"))
    #expect(await error(lists, CollectList("sqlite_x", Call("/x"))).contains("such names are reserved"))
    #expect(await error(lists, CollectList("", Call("/x"))).contains("a list has no name"))
    #expect(await error(lists, CollectList("x", Call("http://["))).hasPrefix("can't use the plan: the list “x”: "))
  }

  @Test func `children that can't be used`() async throws {
    let lists = try CollectedLists()
    func childError(_ child: CollectList, _ children: [CollectList] = []) async -> String {
      var (child, list) = (child, CollectedLists.list("books"))
      child.children = children
      list.children = [child]
      return await error(lists, list, CollectedLists.list("authors"))
    }
    #expect(
      await childError(CollectList("reviews", Call("/reviews")))
        == "can't use the plan: the list “reviews” of each row of another one: it would be the same list for each row; name a"
        + " member of the row, as /books/{id}/reviews")
    #expect(
      await childError(CollectList("Authors", Call("/books/{id}")))
        == "can't use the plan: two lists have the table “authors”: “Authors” is the same name for a database; use another"
        + " name for one of them")
    #expect(
      await childError(CollectList("reviews", Call("/x/{id}")), [CollectList("votes", Call("/y/{id}"))])
        == "can't use the plan: “votes” is a child of “reviews”, which is one itself: a child can't have children")
    #expect(await childError(CollectList("reviews", Call("https://{id}/x"))).contains("can't be in the host"))
    #expect(await childError(CollectList("reviews", Call("http://[/{id}"))).contains("the list “reviews”"))
    #expect(
      await error(lists, CollectList("books", Call("/books/{id}")))
        == "can't use the plan: the list “books” is of no row, and its address “/books/{id}” names a member of one: make it"
        + " a child of another list, or write %7B and %7D")
    #expect(try lists.text("SELECT count(*) FROM _quire_lists") == "0")
  }

  @Test func `tables that can't be used`() async throws {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":1}]"#
    let list = CollectedLists.list("books")
    try await lists.collect(list)
    var filtered = list
    filtered.call.params["genre"] = "poems"
    #expect(
      await error(lists, filtered)
        == "can't collect into the table “books”: it has the rows of another list, with the url https://test/books; use"
        + " another table or another database")
    #expect(await error(lists, CollectedLists.list("books_live")).contains("the database has a view of that name"))
    try lists.run("DELETE FROM books")
    #expect(await error(lists, list).contains("it has 0 rows, and 1 were collected: another program"))
    try lists.run("DROP TABLE books")
    #expect(try await lists.receipt(list).inserted == 1)
    #expect(try lists.text("SELECT count(*) FROM books_live") == "1")
    // The receipts of the table before say nothing of this one.
    #expect(try lists.text("SELECT group_concat(round) FROM _quire_rounds") == "1")
    try lists.run("UPDATE _quire_lists SET format = 99")
    #expect(await error(lists, list).contains("it was made by another version of Quire"))
    try lists.run("UPDATE _quire_lists SET format = 2; UPDATE _quire_steps SET record = x'00'")
    #expect(await error(lists, list).contains("to start over, drop the table"))
  }

  @Test func `databases that can't be used`() async throws {
    let lists = try CollectedLists()
    let list = CollectedLists.list("books")
    try Data("this is no database, but a text".utf8).write(to: URL(filePath: lists.path))
    #expect(
      await error(lists, list).hasSuffix(": the file is damaged or no database of SQLite; use another file"))
    try FileManager.default.removeItem(atPath: lists.path)
    #expect(throws: CollectError.self) { try SQLiteSink(lists.folder + "/none/lists.db") }
    #expect(throws: CollectError.self) { try SQLiteSink(lists.folder) }
    for path in ["", ":memory:", "file:x?mode=memory"] {
      #expect(throws: CollectError.self) { try SQLiteSink(path) }
    }
  }

  @Test func `two programs can't collect into one table at a time`() async throws {
    let lists = try CollectedLists()
    lists["books"] = #"[{"id":1}]"#
    let list = CollectedLists.list("books")
    let (first, second) = (try SQLiteSink(lists.path), try SQLiteSink(lists.path))
    let plan = CollectPlan([list])
    let (one, other) = (Collector(lists.server, plan, into: first), Collector(lists.server, plan, into: second))
    _ = try await one.run()
    _ = try await other.run()
    lists["books"] = #"[{"id":2}]"#
    do {
      _ = try await one.run()
      Issue.record("nothing was thrown")
    } catch {
      #expect("\(error)".contains("another program collects into the table “books” at this time; nothing was changed"))
    }
    #expect(try lists.text("SELECT group_concat(id, ' ') FROM books_live") == "1")
    // It reads what the other one has left, and goes on.
    _ = try await one.run()
    #expect(try lists.text("SELECT group_concat(id, ' ') FROM books_live") == "2")
  }

  @Test func `a full disk changes nothing, and the next run goes on`() async throws {
    let lists = try CollectedLists()
    lists["books"] =
      "[" + (1...500).map { #"{"id":\#($0),"title":"a book with a title"}"# }.joined(separator: ",") + "]"
    let sink = try SQLiteSink(lists.path)
    try sink.database.run("PRAGMA max_page_count = 15")
    let collector = Collector(lists.server, CollectPlan([CollectedLists.list("books")]), into: sink)
    do {
      _ = try await collector.run()
      Issue.record("nothing was thrown")
    } catch {
      #expect("\(error)".contains("the disk is full; what was stored is whole, and the next run goes on there"))
    }
    #expect(try lists.text("SELECT count(*) FROM sqlite_master WHERE name = 'books'") == "0")
    try sink.database.run("PRAGMA max_page_count = 1000000")
    _ = try await collector.run()
    #expect(try lists.text("SELECT count(*) FROM books_live") == "500")
  }
}
