import ListSync
import Quire
import QuireCollect

/// The samples of the articles about collecting.
enum CollectSamples {
  final class Shelf {
    var books: [RowID: String] = [:]
    var stored: [String: StoredList] = [:]
  }

  final class ShelfSink: RowSink {
    let shelf = Shelf()

    func open(_ list: CollectList) throws -> StoredList? { shelf.stored[list.name] }

    func store(_ batch: inout CollectBatch) throws {
      var copy = shelf.books
      for row in batch.rows { copy[row.id] = row.json["title"]?.string }
      for id in batch.deletes { copy[id] = nil }
      let record = batch.record()
      shelf.books = copy
      shelf.stored[batch.list.name, default: StoredList(source: batch.source, records: [])].records.append(record)
    }

    func replaceRecords(of list: CollectList, by records: [[UInt8]]) { shelf.stored[list.name]?.records = records }
  }

  #if SQLITE
    func collect(_ server: Server) async throws {
      let sink = try SQLiteSink("books.db")
      let plan = CollectPlan([CollectList("books", Call("/books")), CollectList("authors", Call("/authors"))])
      let collector = Collector(server, plan, into: sink)
      for outcome in try await collector.run() { print(outcome) }
    }

    func children(_ server: Server, _ sink: SQLiteSink) async throws {
      var books = CollectList("books", Call("/books"))
      books.children = [CollectList("reviews", Call("/books/{id}/reviews"))]
      let collector = Collector(server, CollectPlan([books]), into: sink)
      for outcome in try await collector.run() {
        for reviews in outcome.children {
          print(reviews)
          for failure in reviews.failures { print(failure.row, failure.error) }
        }
      }
    }

    func overview(_ server: Server) async throws {
      let sink = try SQLiteSink("books.db")
      let plan = CollectPlan([CollectList("books", Call("/books"))])
      let collector = Collector(server, plan, into: sink)
      for outcome in try await collector.run() {
        print(outcome)  // books: 1,204 rows, no row that stayed in the list is missing
      }
    }
  #endif

  func list() -> CollectList {
    var books = CollectList("books", Call("/books"))
    books.deletes = .hard
    books.consistency = .whole
    books.distrusts = [.absence]
    return books
  }

  func stamps() -> CollectList {
    var books = CollectList("books", Call("/books"), items: "data.books")
    books.watermark = .newestFirst(by: "updated_at")
    books.deletes = .hard
    return books
  }

  private struct Book: Decodable, Identifiable {
    let id: Int
    let title: String
  }

  @MainActor func screen() {
    let table = CollectedTable<Book>("books.db", "books", sortedBy: "title")
    let books = LocalList(following: table)
    let screen = ListController(books)
    _ = screen
  }
}
