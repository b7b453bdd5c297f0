import QuireTesting
import Testing

@testable import QuireCommand

/// The list of the demo.
@Suite(.timeLimit(.minutes(1))) struct BookshopTests {
  @Test func `no two books have the same title`() async throws {
    let shop = try Bookshop(books: 480, onPage: 100)
    shop.insert(60)
    let result = try await QuireProcess.run(
      "crawl", shop.loopback.baseURL + "/books", "--select", "book.title")
    let titles = result.output.split(separator: "\n")
    #expect(titles.count == 540 && Set(titles).count == 540)
  }
}
