import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// Servers that know one parameter and ignore all others.
struct PageTrialTests {
  /// The rows that a server with 45 rows sends for a call, in pages of 10.
  struct Reading: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let offset: @Sendable (Call) -> Int

    init(_ name: String, _ offset: @escaping @Sendable (Call) -> Int) {
      testDescription = name
      self.offset = offset
    }

    static let understood = [
      Reading("page from 1") { (max($0.number("page") ?? 1, 1) - 1) * 10 },
      Reading("page from 0") { max($0.number("page") ?? 0, 0) * 10 },
      Reading("offset") { $0.number("offset") ?? 0 },
      Reading("skip") { $0.number("skip") ?? 0 },
      Reading("start") { $0.number("start") ?? 0 },
      Reading("start from 1") { ($0.number("start") ?? 1) - 1 },
      Reading("from") { $0.number("from") ?? 0 },
    ]
    static let refused = [
      Reading("nothing") { _ in 0 },
      Reading("offset in pages") { ($0.number("offset") ?? 0) * 10 },
      Reading("a filter") { $0.number("page") == nil ? 0 : 100 },
      Reading("random pages") { $0.params.isEmpty ? 0 : 3 },
    ]
  }

  let shelf = Shelf(count: 45)

  @Test(arguments: Reading.understood)
  func `a total larger than the page leads to all rows, once each`(_ reading: Reading) throws {
    let walk = try AutomaticWalk { call in
      PagedReply(json: ["items": shelf.rows(from: reading.offset(call), 10), "total": 45])
    }
    #expect(walk.rows == Array(0..<45), "\(walk.calls)")
    #expect(walk.last == .end)
  }

  @Test(arguments: Reading.understood)
  func `a bare array with a round number of rows leads to all rows`(_ reading: Reading) throws {
    let walk = try AutomaticWalk { call in
      PagedReply(json: shelf.rows(from: reading.offset(call), 10))
    }
    #expect(walk.rows == Array(0..<45), "\(walk.calls)")
    #expect(walk.last == .end)
  }

  @Test(arguments: Reading.understood)
  func `a bare array with all rows ends as proven`(_ reading: Reading) throws {
    let walk = try AutomaticWalk { call in
      PagedReply(json: Shelf(count: 10).rows(from: reading.offset(call), 10))
    }
    #expect(walk.rows == Array(0..<10))
    #expect(walk.last == .end, "\(walk.calls)")
  }

  @Test(arguments: Reading.refused)
  func `a parameter with another meaning is not accepted`(
    _ reading: Reading
  ) throws {
    for total: JSONAny in [45, .null] {
      let walk = try AutomaticWalk { call in
        PagedReply(json: ["items": shelf.rows(from: reading.offset(call), 10), "total": total])
      }
      #expect(walk.rows == Array(0..<10), "\(walk.calls)")
      guard case .notRecognized(let seen, let declaration)? = walk.error else {
        Issue.record("ended as \(walk.last)")
        continue
      }
      #expect(seen.contains("page=2") && seen.contains("offset=9"), "\(seen)")
      #expect(declaration.contains(".pageNumber()"))
    }
  }

  @Test func `a parameter that filters the list is not accepted`() throws {
    let walk = try AutomaticWalk { call in
      let isNarrowed = call.params["page"] != nil
      return PagedReply(
        json: [
          "items": shelf.rows(from: isNarrowed ? 20 : 0, 10), "total": isNarrowed ? 25 : 45,
        ])
    }
    #expect(walk.rows == Array(0..<10), "\(walk.calls)")
    #expect(walk.error != nil)
  }

  @Test func `an offset that counts pages does not skip the pages between`() throws {
    let walk = try AutomaticWalk { call in
      let offset = (call.number("offset") ?? 0) * 10
      return PagedReply(json: ["items": Shelf(count: 1000).rows(from: offset, 10), "total": 1000])
    }
    #expect(walk.rows == Array(0..<10))
    #expect(walk.error != nil)
  }

  @Test func `a server that rejects unknown parameters gets the next candidate`() throws {
    let walk = try AutomaticWalk { call in
      if call.params["page"] != nil { return PagedReply(status: 400) }
      return PagedReply(
        json: ["items": shelf.rows(from: call.number("offset") ?? 0, 10), "total": 45])
    }
    #expect(walk.rows == Array(0..<45))
    #expect(walk.calls.prefix(4) == ["", "page=1", "page=2", "offset=9"])
  }

  @Test func `a parameter of the call is the one to use`() throws {
    let walk = try AutomaticWalk(Call("/books", params: ["p": 1])) { call in
      PagedReply(json: [
        "items": shelf.rows(from: ((call.number("p") ?? 1) - 1) * 10, 10), "total": 45,
      ])
    }
    #expect(walk.rows == Array(0..<45))
    #expect(walk.calls == ["p=1", "p=2", "p=3", "p=4", "p=5"])
  }

  @Test func `a list with only a has-more flag continues after the last id`() throws {
    let walk = try AutomaticWalk { call in
      let offset = call.number("starting_after").map { $0 + 1 } ?? 0
      return PagedReply(
        json: ["items": shelf.rows(from: offset, 10), "has_more": .bool(offset + 10 < 45)])
    }
    #expect(walk.rows == Array(0..<45), "\(walk.calls)")
    #expect(walk.last == .end)
  }

  @Test(arguments: ["cursor", "after", "page_token"])
  func `a cursor of an unknown convention finds its parameter`(_ name: String) throws {
    let walk = try AutomaticWalk { call in
      let offset = call.number(name) ?? 0
      return PagedReply(
        json: [
          "invoices": shelf.rows(from: offset, 10),
          "meta": ["next_cursor": offset + 10 < 45 ? .string("\(offset + 10)") : .null],
        ])
    }
    #expect(walk.rows == Array(0..<45), "\(walk.calls)")
    #expect(walk.recognized?.description.contains("meta.next_cursor") == true)
    #expect(walk.last == .end)
  }

  @Test func `rows without ids are told apart by the members that differ in each`() throws {
    var responses = 0
    let walk = try AutomaticWalk { _ in
      responses += 1
      let rows = (0..<10).map { row -> JSONAny in
        ["title": .string("Book \(row)"), "fetched": .int(responses * 100 + row), "kind": "book"]
      }
      return PagedReply(json: ["items": .array(rows), "total": 45])
    }
    #expect(walk.error != nil, "the same titles were sent again with a newer fetch time")
  }

  @Test func `a server that counts rows from 1 is found by the two rows that it repeats`() throws {
    let walk = try AutomaticWalk(Call("/books", params: ["limit": 10])) { call in
      PagedReply(json: [
        "items": shelf.rows(from: (call.number("offset") ?? 1) - 1, 10), "total": 45,
      ])
    }
    #expect(walk.rows == Array(0..<45), "\(walk.calls)")
    #expect(walk.calls.prefix(3) == ["limit=10", "limit=10&offset=9", "limit=10&offset=19"])
  }

  @Test func `a row that was pushed to the next page does not hide it`() throws {
    let walk = try AutomaticWalk { call in
      let page = call.number("page") ?? 1
      return PagedReply(json: [
        "items": shelf.rows(from: max(0, page * 10 - (page == 1 ? 10 : 11)), 10),
        "more": .bool(page < 5),
      ])
    }
    #expect(walk.rows.prefix(19) == Array(0..<19)[...], "\(walk.calls)")
  }

  @Test func `no list takes more than eight trials`() throws {
    let walk = try AutomaticWalk(Call("/books", params: ["limit": 10])) { _ in
      PagedReply(json: ["items": shelf.rows(from: 0, 10), "total": 45, "next_cursor": "c"])
    }
    #expect(walk.calls.count == 9 && walk.error != nil, "\(walk.calls)")
  }

  @Test func `a short bare array takes two calls to prove complete`() throws {
    let walk = try AutomaticWalk { call in
      PagedReply(json: Shelf(count: 7).rows(from: ((call.number("page") ?? 1) - 1) * 30, 30))
    }
    #expect(walk.calls == ["", "page=1", "page=2"])
    #expect(walk.last == .end)
  }

  @Test func `a short bare array of a server without pages stays undecided`() throws {
    let walk = try AutomaticWalk { _ in PagedReply(json: Shelf(count: 7).rows(from: 0, 30)) }
    #expect(walk.calls == ["", "page=1", "page=2"])
    #expect(walk.error?.description.contains("paging: .single if this is the whole list") == true)
  }
}
