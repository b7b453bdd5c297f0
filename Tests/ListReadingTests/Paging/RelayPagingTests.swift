import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct RelayPagingTests {
  private let query = Call("/graphql", body: .text(#"{"query":"q","variables":{"owner":"me"}}"#))
  private let paging = Paging.relay(connection: "data.books", size: 20)

  private func variables(_ call: Call) throws -> JSONAny {
    guard case .bytes(let bytes) = call.body?.pieces.first else { return .null }
    return try JSONAny(parsing: String(decoding: bytes, as: UTF8.self))["variables"] ?? .null
  }

  /// A server whose cursors are `c` followed by a position.
  private func server(_ shelf: Shelf) -> (Call) throws -> PagedReply {
    { call in
      #expect(call.method == .post)
      let variables = try self.variables(call)
      #expect(variables["owner"] == "me")
      func position(_ name: String) -> Int? {
        variables[name]?.string.flatMap { Int($0.dropFirst()) }
      }
      var rows = 0..<shelf.count
      if let after = position("after") { rows = min(after + 1, shelf.count)..<shelf.count }
      if let before = position("before") { rows = 0..<min(before, shelf.count) }
      if let first = variables["first"]?.int { rows = rows.prefix(first) }
      if let last = variables["last"]?.int { rows = rows.suffix(last) }
      return PagedReply(json: [
        "items": shelf.rows(from: rows.lowerBound, rows.count),
        "data": [
          "books": [
            "totalCount": .int(shelf.count),
            "pageInfo": [
              "hasNextPage": .bool(rows.upperBound < shelf.count),
              "endCursor": rows.isEmpty ? .null : .string("c\(rows.upperBound - 1)"),
              "hasPreviousPage": .bool(rows.lowerBound > 0),
              "startCursor": rows.isEmpty ? .null : .string("c\(rows.lowerBound)"),
            ],
          ]
        ],
      ])
    }
  }

  @Test func `every row is loaded once and in order`() throws {
    for (size, requests) in zip(sizes, [1, 1, 1, 1, 2, 2, 3]) {
      let walk = try walk(paging, call: query, with: server(Shelf(count: size)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
      #expect(walk.last == .end)
      #expect(walk.facts.allSatisfy { $0.total == size && $0.problems.isEmpty })
    }
  }

  @Test func `going back loads every row once, down to the first`() throws {
    let middle = PageKey(.before("c30"))
    let walk = try walk(
      paging, from: middle, .backward, call: query, with: server(Shelf(count: 61)))
    #expect(walk.rows == Array(0..<30))
    #expect(walk.last == .end)
  }

  @Test func `a list may start with its last rows`() throws {
    let paging = Paging.relay(connection: "data.books", size: 20, startsAtEnd: true)
    for (size, requests) in zip(sizes, [1, 1, 1, 1, 2, 2, 3]) {
      let walk = try walk(
        paging, from: nil, .backward, call: query, with: server(Shelf(count: size)))
      #expect(walk.rows == Array(0..<size), "\(size) rows")
      #expect(walk.calls.count == requests, "\(size) rows")
    }
  }

  @Test func `the variables of one direction replace those of the other`() throws {
    var call = query
    try paging.strategy.apply(PageKey(.before("x")), to: &call)
    #expect(try variables(call) == ["owner": "me", "last": 20, "before": "x"])
    try paging.strategy.apply(PageKey(.after("y"), size: 5), to: &call)
    #expect(try variables(call) == ["owner": "me", "first": 5, "after": "y"])
    try paging.strategy.apply(paging.strategy.first, to: &call)
    #expect(try variables(call) == ["owner": "me", "first": 20])
  }

  @Test func `the query is required, its variables are not`() throws {
    var call = Call("/graphql", body: .text(#"{"query":"q","variables":null}"#))
    try paging.strategy.apply(paging.strategy.first, to: &call)
    #expect(try variables(call) == ["first": 20])
    #expect(throws: PagingError.self) {
      var call = Call("/graphql")
      try paging.strategy.apply(paging.strategy.first, to: &call)
    }
  }

  private func facts(_ connection: JSONAny, _ key: PageKey? = nil) throws -> PageFacts {
    paging.strategy.facts(
      in: try pageResponse(
        paging, at: key, call: query, ["data": ["books": connection]], itemsPath: "data.books.edges"
      ))
  }

  @Test func `a missing cursor is read from the last edge`() throws {
    let facts = try facts([
      "edges": [["cursor": "a"], ["cursor": "b"]], "pageInfo": ["hasNextPage": true],
    ])
    #expect(facts.next == .page(PageKey(.after("b"))))
    #expect(facts.previous == .end)
  }

  @Test func `a list with more but no cursor stops with an error`() throws {
    let facts = try facts(["edges": [["id": 1]], "pageInfo": ["hasNextPage": true]])
    #expect(
      facts.next
        == .stopped(
          .wrongFact("data.books.pageInfo.endCursor", expected: "a cursor", found: "nothing")))
  }

  @Test func `a list without pageInfo stops with an error`() throws {
    guard
      case .stopped(.wrongFact("data.books.pageInfo", _, found: "nothing")) =
        try facts(["edges": [1]]).next
    else {
      Issue.record("the list continued")
      return
    }
  }

  @Test func `without the flag, rows and a cursor decide`() throws {
    let more = try facts(["edges": [1], "pageInfo": ["endCursor": "a", "hasNextPage": "maybe"]])
    #expect(more.next == .page(PageKey(.after("a"))))
    #expect(more.problems.count == 1)
    #expect(try facts(["edges": [], "pageInfo": ["endCursor": "a"]]).next == .end)
  }

  @Test func `a cursor that leads to the same page stops the list`() throws {
    let key = PageKey(.after("a"))
    let facts = try facts(
      ["edges": [1], "pageInfo": ["endCursor": "a", "hasNextPage": true]], key)
    #expect(facts.next == .stopped(.noProgress(key)))
  }
}
