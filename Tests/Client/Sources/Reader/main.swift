// Prints the titles of a list: Reader http://127.0.0.1:8080
import Quire

struct Book: Decodable, Identifiable {
  let id: Int
  let title: String
}

let server = Server(CommandLine.arguments[1])
for try await book in server.items(Book.self, "/books") {
  print(book.title)
}
