import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct CursorPagingTests {
  /// A server whose cursors are positions, encoded as any JSON.
  private func server(
    _ shelf: Shelf, read: @escaping (Call) -> Int?, cursor: @escaping (Int) -> JSONAny
  ) -> (Call) -> PagedReply {
    { call in
      let start = read(call) ?? 0
      let end = min(shelf.count, start + 20)
      let isLast = end == shelf.count
      return PagedReply(
        json: [
          "items": shelf.rows(from: start, 20), "next": isLast ? .null : cursor(end),
          "back": start == 0 ? "" : .string("\(max(0, start - 20))"), "more": .bool(!isLast),
          "always": cursor(end), "total": .int(shelf.count),
        ], headers: isLast ? [:] : ["X-Next": cursor(end).plainText])
    }
  }

  private func text(_ shelf: Shelf) -> (Call) -> PagedReply {
    server(shelf) {
      $0.number("cursor")
    } cursor: {
      .string("\($0)")
    }
  }

  static let exact = [1, 1, 1, 1, 2, 2, 3]

  static let pagings: [(Paging, [Int])] = [
    (.cursor(at: "next"), exact),
    (.cursor(at: .header("X-Next")), exact),
    (.cursor(at: "always", endsBy: .hasNext("more")), exact),
    (.cursor(at: "always", endsBy: .emptyPage), [1, 2, 2, 2, 3, 3, 4]),
    (.cursor(at: "always", size: 20, endsBy: .shortPage), [1, 1, 1, 2, 2, 3, 3]),
  ]

  @Test(arguments: pagings)
  func `every row is loaded once and in order, for each end rule`(
    _ paging: Paging, _ requests: [Int]
  ) throws {
    for (size, requests) in zip(sizes, requests) {
      let walk = try walk(paging, with: text(Shelf(count: size)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
      #expect(walk.last == .end)
    }
  }

  @Test func `cursors may be numbers and go into a header`() throws {
    let numbers = server(Shelf(count: 41)) {
      $0.headers["X-After"].flatMap { Int($0) }
    } cursor: {
      .int($0)
    }
    let walk = try walk(.cursor(at: "next", into: .header("X-After")), with: numbers)
    #expect(walk.rows == Array(0..<41))
  }

  @Test func `a whole object goes into a query as compact JSON`() throws {
    let objects = server(Shelf(count: 41)) { call in
      call.params["cursor"].flatMap { try? JSONAny(parsing: $0) }?["at"]?.int
    } cursor: {
      ["at": .int($0), "by": "id"]
    }
    let walk = try walk(.cursor(at: "next"), with: objects)
    #expect(walk.rows == Array(0..<41))
    #expect(walk.calls.last?.params["cursor"] == #"{"at":40,"by":"id"}"#)
  }

  @Test func `a whole object goes into a body unchanged`() throws {
    let objects = server(Shelf(count: 41)) { call in
      guard case .bytes(let bytes) = call.body?.pieces.first else { return nil }
      return (try? JSONAny(parsing: String(decoding: bytes, as: UTF8.self)))?["Start"]?["at"]?.int
    } cursor: {
      ["at": .int($0)]
    }
    let call = Call("/books", method: .post, body: .text(#"{"Table":"books"}"#))
    let walk = try walk(
      .cursor(at: "next", into: .body("Start")), call: call, with: objects)
    #expect(walk.rows == Array(0..<41))
    #expect(
      walk.calls.last?.body?.pieces
        == RequestBody.text(#"{"Table":"books","Start":{"at":40}}"#).pieces)
  }

  @Test func `the members of an object become parameters`() throws {
    let objects = server(Shelf(count: 41)) {
      $0.number("sroffset")
    } cursor: {
      ["sroffset": .int($0), "continue": "-||"]
    }
    let walk = try walk(.cursor(at: "next", into: .members), with: objects)
    #expect(walk.rows == Array(0..<41))
    #expect(walk.calls.last?.params["continue"] == "-||")
  }

  @Test func `a cursor in the path can't lead to another path`() throws {
    var call = Call("/books/{cursor}/next")
    let strategy = Paging.cursor(at: "next", into: .path("cursor")).strategy
    try strategy.apply(PageKey(.after("../a?b=c")), to: &call)
    #expect(call.address == "/books/%2E%2E%2Fa%3Fb%3Dc/next")
  }

  @Test func `a cursor keeps every digit`() throws {
    let paging = Paging.cursor(at: "next")
    let document = try JSONDocument(#"{"next": 12345678901234567890.10}"#)
    var page = try pageResponse(paging)
    page.envelope = document.root
    var call = Call("/books")
    guard case .page(let key) = paging.strategy.facts(in: page).next else {
      Issue.record("no next page")
      return
    }
    try paging.strategy.apply(key, to: &call)
    #expect(call.params["cursor"] == "12345678901234567890.10")
  }

  @Test(arguments: [JSONAny.null, "", false, [], [:]])
  func `a value that is not a cursor ends the list`(_ cursor: JSONAny) throws {
    let paging = Paging.cursor(at: "next")
    #expect(paging.strategy.facts(in: try pageResponse(paging, ["next": cursor])).next == .end)
  }

  @Test func `an empty text is a cursor if declared so`() throws {
    let paging = Paging.cursor(at: "next", acceptsEmptyText: true)
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["next": ""]))
    #expect(facts.next == .page(PageKey(.after(""))))
  }

  @Test func `an empty page with a cursor does not end the list`() throws {
    let paging = Paging.cursor(at: "next")
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["items": [], "next": "a"]))
    #expect(facts.next == .page(PageKey(.after("a"))))
  }

  @Test func `a list with more but no cursor stops with an error`() throws {
    let paging = Paging.cursor(at: "next", endsBy: .hasNext("more"))
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["more": true]))
    #expect(
      facts.next
        == .stopped(
          .wrongFact(
            "next", expected: "a cursor, as the response says that there is a next page",
            found: "null")))
    let yes = paging.strategy.facts(in: try pageResponse(paging, ["next": true]))
    #expect(yes.next == .stopped(.wrongFact("next", expected: "a cursor", found: "true")))
  }

  @Test func `going back loads every row once, down to the first`() throws {
    let paging = Paging.cursor(at: "next", previous: "back")
    let walk = try walk(
      paging, from: PageKey(.after("40")), .backward, with: text(Shelf(count: 61)))
    #expect(walk.rows == Array(0..<60))
    #expect(walk.last == .end)
  }

  @Test func `the size is sent, and a different one for the first load`() throws {
    let paging = Paging.cursor(at: "next", size: 20, sizeParameter: "n", firstSize: 50)
    let walk = try walk(paging, with: text(Shelf(count: 41)))
    #expect(walk.calls.map { $0.params["n"] } == ["50", "20", "20"])
  }
}
