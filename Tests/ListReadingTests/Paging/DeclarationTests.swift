import ItemMapping
import Testing

@testable import ListReading

struct DeclarationTests {
  /// Each paging with its declaration.
  static let declarations: [(Paging, String)] = [
    (.pageNumber(size: 20), #".pageNumber(size: 20)"#),
    (.pageNumber(), #".pageNumber()"#),
    (
      .pageNumber(
        size: 20, first: 0, parameter: "p", sizeParameter: nil, firstSize: 60,
        endsBy: .total("meta.total"), .shortPage),
      #".pageNumber(size: 20, first: 0, parameter: "p", sizeParameter: nil, firstSize: 60, endsBy: .total("meta.total"), .shortPage)"#
    ),
    (
      .pageNumber(parameter: .path("page"), sizeParameter: .body("paging.size")),
      #".pageNumber(parameter: .path("page"), sizeParameter: .body("paging.size"))"#
    ),
    (
      .pageNumber(endsBy: .hasNext("more"), .pageCount(.header("X-Pages")), .page(7), .status(404)),
      #".pageNumber(endsBy: .hasNext("more"), .pageCount(.header("X-Pages")), .page(7), .status(404))"#
    ),
    (.offset(limit: 50), #".offset(limit: 50)"#),
    (
      .offset(
        limit: 50, parameter: "skip", limitParameter: .header("X-Take"), endsBy: .emptyPage),
      #".offset(limit: 50, parameter: "skip", limitParameter: .header("X-Take"), endsBy: .emptyPage)"#
    ),
    (.link, #".link"#),
    (.link(), #".link"#),
    (
      .link(total: .header("X-Total"), keeping: ["key"]),
      #".link(total: .header("X-Total"), keeping: ["key"])"#
    ),
    (.nextURL(at: "next"), #".nextURL(at: "next")"#),
    (
      .nextURL(at: "$['@odata.nextLink']", previous: "links[0].previous", total: "count"),
      #".nextURL(at: "$['@odata.nextLink']", previous: "links[0].previous", total: "count")"#
    ),
    (.cursor(at: "next"), #".cursor(at: "next")"#),
    (
      .cursor(
        at: .header("X-Next"), into: .header("X-After"), previous: "before",
        previousInto: .members, size: 10, sizeParameter: "n", firstSize: 30,
        acceptsEmptyText: true, endsBy: .hasNext("more")),
      #".cursor(at: .header("X-Next"), into: .header("X-After"), previous: "before", previousInto: .members, size: 10, sizeParameter: "n", firstSize: 30, acceptsEmptyText: true, endsBy: .hasNext("more"))"#
    ),
    (.keyset(["id"], into: ["after"]), #".keyset(["id"], into: ["after"])"#),
    (
      .keyset(
        ["createdAt", "author.id"], into: ["date", .body("id")], limit: 20, limitParameter: nil,
        endsBy: .shortPage),
      #".keyset(["createdAt", "author.id"], into: ["date", .body("id")], limit: 20, limitParameter: nil, endsBy: .shortPage)"#
    ),
    (.range(size: 20), #".range(size: 20)"#),
    (
      .range(unit: "rows", size: 20, firstSize: 50),
      #".range(unit: "rows", size: 20, firstSize: 50)"#
    ),
    (.pageHeaders(), #".pageHeaders()"#),
    (
      .pageHeaders(
        size: 50, first: 0, parameter: "p", sizeParameter: "n", next: "Next", total: "T",
        pageCount: "P"),
      #".pageHeaders(size: 50, first: 0, parameter: "p", sizeParameter: "n", next: "Next", total: "T", pageCount: "P")"#
    ),
    (
      .relay(connection: "data.books", size: 20), #".relay(connection: "data.books", size: 20)"#
    ),
    (
      .relay(
        connection: "data.books", size: 20, after: "a", first: "f", before: "b", last: "l",
        startsAtEnd: true),
      #".relay(connection: "data.books", size: 20, after: "a", first: "f", before: "b", last: "l", startsAtEnd: true)"#
    ),
    (.single, #".single"#),
  ]

  @Test(arguments: declarations)
  func `a paging prints as its declaration`(_ paging: Paging, _ text: String) {
    #expect(paging.description == text)
  }

  @Test func `pagings are equal when they are declared the same`() {
    for (index, (paging, text)) in Self.declarations.enumerated() {
      for (other, otherText) in Self.declarations[index...] {
        #expect((paging == other) == (text == otherText))
      }
    }
  }
}
