internal import Foundation
internal import Quire
internal import QuireTesting

/// Pages through a list over libcurl: a real client, a real server, both in this program.
///
/// The server is unwell once, so that a retry can be seen.
struct Demo {
  func run() async throws {
    let pages = try Fixture.pages(of: "books")
    let loopback = try LoopbackServer { request in
      let number = request.query("page").flatMap { Int($0) } ?? 1
      return pages.indices.contains(number - 1) ? .json(pages[number - 1]) : .status(404)
    }
    let server = Server(loopback.baseURL) { $0.content = .json }
    print("A list of books at \(loopback.baseURL)/books\n")
    var number = 1
    var last = 1
    repeat {
      if number == 2 { loopback.enqueue(.status(503).with("Retry-After", "0")) }
      let response = try await server.send(Call("/books", params: ["page": number]))
      let document = try JSONDocument(response.body)
      let books = try ItemMapper().items(Book.self, in: document, at: "data.list")
      books.value.forEach { print($0.row) }
      last = document.root.value(at: "pages", default: number)
      print("  page \(number) of \(last): \(summary(of: response))")
      print(books.report.isClean ? "" : "  \(books.report)\n")
      number += 1
    } while number <= last
    print(
      "\(loopback.requestCount) requests over \(loopback.acceptedConnections) connection, "
        + "libcurl did the work.")
  }

  private func summary(of response: HTTPResponse) -> String {
    let tries = response.attempts.compactMap(\.followedBy).map { ", \($0)" }.joined()
    return "\(response.body), \(response.timings)\(tries)"
  }
}

private final class Book: BaseItem {
  var id = 0
  var title = ""
  var author = ""
  var price: Decimal?

  override class var fields: FieldTable {
    FieldTable(Book.self) { f in
      f(\.id, "id", .required)
      f(\.title, "book.title")
      f(\.author, "author.name")
      f(\.price, "price")
    }
  }

  var row: String {
    "\(id < 10 ? " " : "")\(id)  \(title), \(author), " + (price.map { "\($0)" } ?? "not for sale")
  }
}
