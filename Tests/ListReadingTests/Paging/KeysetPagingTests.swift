import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct KeysetPagingTests {
  private func server(_ shelf: Shelf) -> (Call) -> PagedReply {
    { call in
      let start = call.number("id").map { $0 + 1 } ?? 0
      let size = call.number("limit") ?? 20
      return PagedReply(json: [
        "items": shelf.rows(from: start, size), "more": .bool(start + size < shelf.count),
        "total": .int(shelf.count),
      ])
    }
  }

  static let pagings: [(Paging, [Int])] = [
    (.keyset(["at", "id"], into: ["at", "id"], limit: 20), [1, 2, 2, 2, 2, 3, 3]),
    (.keyset(["id"], into: ["id"], limit: 20, endsBy: .shortPage), [1, 1, 1, 2, 2, 3, 3]),
    (.keyset(["id"], into: ["id"], endsBy: .emptyPage), [1, 2, 2, 2, 3, 3, 4]),
    (.keyset(["id"], into: ["id"], limit: 20, endsBy: .hasNext("more")), [1, 1, 1, 1, 2, 2, 3]),
    (.keyset(["id"], into: ["id"], limit: 20, endsBy: .total("total")), [1, 2, 2, 2, 2, 3, 3]),
  ]

  @Test(arguments: pagings)
  func `every row is loaded once and in order, for each end rule`(
    _ paging: Paging, _ requests: [Int]
  ) throws {
    for (size, requests) in zip(sizes, requests) {
      let walk = try walk(paging, with: server(Shelf(count: size)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
      #expect(walk.last == .end)
    }
  }

  @Test func `each value goes to its location`() throws {
    let paging = Paging.keyset(["at", "id"], into: ["after", .header("X-After")], limit: 2)
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, ["items": [["at": 1, "id": "a"], ["at": 10, "id": "b"]]]))
    guard case .page(let key) = facts.next else {
      Issue.record("ended")
      return
    }
    var call = Call("/books")
    try paging.strategy.apply(key, to: &call)
    #expect(call.params == ["limit": 2, "after": 10])
    #expect(call.headers == ["X-After": "b"])
  }

  static let rowsWithoutID: [(JSONAny, String)] = [
    (["at": 1], "nothing"), (["at": 1, "id": .null], "null"),
  ]

  @Test(arguments: rowsWithoutID)
  func `a last row without the value stops the list with an error`(
    _ row: JSONAny, _ found: String
  ) throws {
    let paging = Paging.keyset(["at", "id"], into: ["at", "id"])
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["items": [row]]))
    #expect(
      facts.next
        == .stopped(
          .wrongFact("id of the last row", expected: "a value to continue after", found: found)))
  }

  @Test func `a page that leads to itself stops the list`() throws {
    let paging = Paging.keyset(["at"], into: ["at"])
    let key = PageKey(.after([.int(5)]))
    let facts = paging.strategy.facts(in: try pageResponse(paging, at: key, ["items": [["at": 5]]]))
    #expect(facts.next == .stopped(.noProgress(key)))
  }

  @Test func `an empty page that claims more stops the list`() throws {
    let paging = Paging.keyset(["id"], into: ["id"], endsBy: .hasNext("more"))
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["items": [], "more": true]))
    guard case .stopped(.wrongFact) = facts.next else {
      Issue.record("\(facts.next)")
      return
    }
  }
}
