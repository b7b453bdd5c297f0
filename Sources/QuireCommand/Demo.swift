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
      let page = try response.body.withUnsafeBytes {
        try JSONDecoder().decode(BookPage.self, from: Data($0))
      }
      page.data.list.forEach { print($0.row) }
      print(summary(of: response, page), "\n")
      last = page.pages
      number += 1
    } while number <= last
    print(
      "\(loopback.requestCount) requests over \(loopback.acceptedConnections) connection, "
        + "libcurl did the work.")
  }

  private func summary(of response: HTTPResponse, _ page: BookPage) -> String {
    let tries = response.attempts.compactMap(\.followedBy).map { ", \($0)" }.joined()
    return "  page \(page.page) of \(page.pages): \(response.body), \(response.timings)\(tries)"
  }
}

/// The envelope of the list.
private struct BookPage: Decodable {
  struct Content: Decodable { let list: [Book] }
  let page: Int
  let pages: Int
  let data: Content
}

private struct Book: Decodable {
  struct Title: Decodable { let title: String }
  struct Author: Decodable { let name: String }
  let id: Int
  let book: Title
  let author: Author
  let price: String

  var row: String { "\(id < 10 ? " " : "")\(id)  \(book.title), \(author.name), \(price)" }
}
