// Keeps the books and authors of a service in a database, and says what is known of each table.
// swift run BookCollector https://api.example.com books.db
import Foundation
import Quire
import QuireCollect

func report(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

let words = CommandLine.arguments
guard words.count == 3 else {
  report("usage: BookCollector URL FILE")
  exit(1)
}
do {
  var books = CollectList("books", Call("/books"))
  var authors = CollectList("authors", Call("/authors"))
  (books.consistency, authors.consistency) = (.whole, .whole)
  let collector = Collector(Server(words[1]), CollectPlan([books, authors]), into: try SQLiteSink(words[2]))
  var status: Int32 = 0
  for outcome in try await collector.run() {
    print(outcome)
    guard case .success(let receipt) = outcome.result, receipt.isComplete else {
      status = 2
      continue
    }
    if let reason = receipt.reason { report("\(outcome.list): \(receipt.heldBack) rows are held back: \(reason)") }
  }
  exit(status)
} catch {
  report("\(error)")
  exit(1)
}
