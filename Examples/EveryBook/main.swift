// Prints every book of a service, with progress; ctrl-C stops it.
// swift run EveryBook https://api.example.com
import Dispatch
import Foundation
import Quire

struct Book: Decodable { let title: String }

let reading = Task {
  let books = Server(CommandLine.arguments.dropFirst().first ?? "").items(Book.self, "/books")
  for try await book in books {
    print("\(books.count)/\(books.walk.total.map(String.init) ?? "?")", book.title)
  }
}

signal(SIGINT, SIG_IGN)
let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
interrupt.setEventHandler { reading.cancel() }
interrupt.resume()
if case .failure(let error) = await reading.result {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
