// Shows the books of a service, and reads commands; see Shelf.perform.
// swift run BookShelf https://api.example.com FOLDER
import Foundation
import Quire

let arguments = CommandLine.arguments + ["", ""]
let server = Server(arguments[1]) {
  $0.cache = .disk(at: URL(fileURLWithPath: arguments[2]))
  $0.cachePartition = "reader"
}
let shelf = Shelf(server) { print($0, terminator: "\n\n") }
await shelf.open()
for await line in AsyncStream(unfolding: { await Task.detached { readLine() }.value }) {
  do { try await shelf.perform(line) } catch { print("\(line): \(error)") }
}
_ = await shelf.books.refresh().outcome
