import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct PageHeadersPagingTests {
  private func server(_ shelf: Shelf, _ facts: Set<String>) -> (Call) -> PagedReply {
    { call in
      let size = call.number("per_page") ?? 20
      let number = call.number("page") ?? 1
      let pages = (shelf.count + size - 1) / size
      let all = [
        "X-Next-Page": number < pages ? "\(number + 1)" : "", "X-Total": "\(shelf.count)",
        "X-Total-Pages": "\(pages)",
      ]
      return PagedReply(
        json: ["items": shelf.rows(from: (number - 1) * size, size)],
        headers: HTTPHeaders(
          all.filter { facts.contains($0.key) }.map { .init(name: $0.key, value: $0.value) }))
    }
  }

  static let exact = [1, 1, 1, 1, 2, 2, 3]
  static let headers: [(Set<String>, [Int])] = [
    (["X-Next-Page", "X-Total", "X-Total-Pages"], exact), (["X-Next-Page"], exact),
    (["X-Total"], exact), (["X-Total-Pages"], exact), ([], [1, 2, 2, 2, 2, 3, 3]),
  ]

  @Test(arguments: headers)
  func `every row is loaded once and in order, for any headers`(
    _ headers: Set<String>, _ requests: [Int]
  ) throws {
    for (size, requests) in zip(sizes, requests) {
      let walk = try walk(.pageHeaders(size: 20), with: server(Shelf(count: size), headers))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
    }
  }

  @Test func `headers that are not needed may be missing`() throws {
    let walk = try walk(
      .pageHeaders(size: 20), with: server(Shelf(count: 41), ["X-Next-Page"]))
    #expect(walk.problems.isEmpty)
  }

  @Test func `facts are read from the headers`() throws {
    let paging = Paging.pageHeaders(next: "N", total: "T", pageCount: "P")
    let facts = paging.strategy.facts(
      in: try pageResponse(
        paging, at: PageKey(.number(2)), ["items": [1]], headers: ["N": "3", "T": "45", "P": "3"]))
    #expect(
      facts
        == PageFacts(
          next: .page(PageKey(.number(3))), previous: .page(PageKey(.number(1))), total: 45,
          pageCount: 3))
  }
}
