import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Which paging does my server speak”, in their order.
@MainActor @Suite struct PagingSamples {
  final class Book: BaseItem, Identifiable {
    var id = 0

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in f(\.id, "id", .required) }
    }
  }

  /// The pagings of the article's table, in the same order.
  private let declarations: [Paging] = [
    .link,
    .pageHeaders(size: 20),
    .nextURL(at: "next", previous: "previous", total: "count"),
    .nextURL(at: "links.next"),
    .cursor(at: "next_cursor", size: 20),
    .cursor(at: "nextPageToken", into: "pageToken", size: 20, sizeParameter: "maxResults"),
    .keyset(["id"], into: ["starting_after"], limit: 20, endsBy: .hasNext("has_more")),
    .pageNumber(size: 20, endsBy: .pageCount("pages")),
    .pageNumber(size: 20, first: 0, sizeParameter: "size", endsBy: .pageCount("totalPages")),
    .pageNumber(size: 20, endsBy: .nextPage("next_page")),
    .offset(limit: 20, endsBy: .total("total")),
    .offset(
      limit: 20, first: 1, parameter: "startIndex", limitParameter: "count",
      endsBy: .total("totalResults")),
    .range(size: 20),
    .relay(connection: "data.books", size: 20),
    .pageNumber(size: 20),
    .single,
  ]

  @Test func `the table has each declaration as it prints`() throws {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Quire/Quire.docc/WhichPagingDoesMyServerSpeak.md")
    let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
    let written = lines.compactMap { line -> Substring? in
      guard let cell = line.range(of: "| `."), line.hasSuffix("` |") else { return nil }
      return line[line.index(before: cell.upperBound)...].dropLast(3)
    }
    #expect(written.map(String.init) == declarations.map(\.description))
  }

  /// A server that counts pages from 1, has 20 books, 8 on a page, and says so.
  private let server = Server(
    "https://api.example.com",
    transport: MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (page * 8 - 7...page * 8).filter { $0 <= 20 }.map { #"{"id": \#($0)}"# }
      let list = rows.joined(separator: ", ")
      return .json(#"{"data": {"list": [\#(list)]}, "page": \#(page), "pages": 3}"#)
    })

  @Test func `recognized paging prints as its declaration`() async throws {
    let books = ListModel<Book>(server, "/books", paging: .automatic)
    await books.loadAll()
    if let found = books.recognized { print(found, found.grounds, found.reason, separator: "\n") }
    let found = try #require(books.recognized)
    #expect(
      "\(found)\n\(found.grounds)\n\(found.reason)" == """
        items: "data.list", paging: .pageNumber(endsBy: .pageCount("pages"))
        inferred
        the body has “page” and “pages”
        """)
    let declared = ListModel<Book>(
      server, "/books", items: "data.list", paging: .pageNumber(endsBy: .pageCount("pages")))
    #expect(declared.paging == found.paging)
    #expect(books.count == 20)
  }

  @Test func `a list says why it is incomplete`() async throws {
    let server = Server(
      "https://api.example.com",
      transport: MockTransport { _ in .json(#"{"books": [{"id": 1}, {"id": 2}], "total": 9}"#) })
    let books = ListModel<Book>(server, "/books", paging: .automatic)
    await books.loadAll()
    if case .reachedEnd(.incomplete(let reason)) = books.state(of: .next) { print(reason) }
    guard case .reachedEnd(.incomplete(.notRecognized(let seen, _))) = books.state(of: .next) else {
      Issue.record("\(books.state(of: .next))")
      return
    }
    #expect(seen.contains("tried page=1, page=2"))
    #expect(books.count == 2)
  }

  @Test func `a link to another origin stops the list unless it is allowed`() async throws {
    let transport = MockTransport { request in
      let isFirst = request.url.host == "api.example.com"
      return .json(
        isFirst
          ? #"{"rows": [{"id": 1}], "next": "https://mirror.example.net/books?page=2"}"#
          : #"{"rows": [{"id": 2}], "next": null}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    let strict = ListModel<Book>(server, "/books", items: "rows", paging: .nextURL(at: "next"))
    guard case .reachedEnd(.incomplete(.otherOrigin)) = await strict.loadAll() else {
      Issue.record("the link was followed")
      return
    }
    let books = ListModel<Book>(server, "/books", items: "rows", paging: .nextURL(at: "next")) {
      $0.allowsOtherOrigins = true
    }
    #expect(await books.loadAll() == .reachedEnd(.complete))
    #expect(books.count == 2)
  }
}
