import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct RangePagingTests {
  private func server(_ shelf: Shelf, tellsTotal: Bool = true) -> (Call) throws -> PagedReply {
    { call in
      let range = try #require(call.headers["Range"])
      let ends = range.dropFirst("items=".count).split(separator: "-").compactMap { Int($0) }
      let total = tellsTotal ? "\(shelf.count)" : "*"
      guard ends[0] < shelf.count else {
        return PagedReply(headers: ["Content-Range": "items */\(total)"], status: 416)
      }
      let rows = shelf.rows(from: ends[0], ends[1] - ends[0] + 1)
      let last = ends[0] + (rows.array?.count ?? 0) - 1
      return PagedReply(
        json: ["items": rows], headers: ["Content-Range": "items \(ends[0])-\(last)/\(total)"],
        status: 206)
    }
  }

  @Test func `every row is loaded once and in order, with and without a total`() throws {
    let known = [1, 1, 1, 1, 2, 2, 3]
    let unknown = [1, 1, 1, 2, 2, 3, 3]
    for (index, size) in sizes.enumerated() {
      for (tells, requests) in [(true, known[index]), (false, unknown[index])] {
        let walk = try walk(
          .range(size: 20), with: server(Shelf(count: size), tellsTotal: tells))
        #expect(walk.rows == Array(0..<size), "\(size) rows")
        #expect(walk.calls.count == requests, "\(size) rows")
        #expect(walk.last == .end)
        #expect(walk.problems.isEmpty)
      }
    }
  }

  @Test func `a server that sends fewer rows loses none`() throws {
    let walk = try walk(.range(size: 20), with: server(Shelf(count: 45, cap: 7)))
    #expect(walk.rows == Array(0..<45))
  }

  @Test func `going back loads every row once, down to the first`() throws {
    let walk = try walk(
      .range(size: 20), from: PageKey(.offset(30)), .backward, with: server(Shelf(count: 45)))
    #expect(walk.rows == Array(0..<45))
    #expect(walk.calls.map { $0.headers["Range"] } == ["items=30-49", "items=10-29", "items=0-9"])
  }

  private func facts(
    _ header: String?, _ key: PageKey? = nil, status: Int = 206, rows: Int = 20
  ) throws -> PageFacts {
    let paging = Paging.range(size: 20)
    let items = JSONAny.array(Array(repeating: 1, count: rows))
    return paging.strategy.facts(
      in: try pageResponse(
        paging, at: key, ["items": items], headers: header.map { ["Content-Range": $0] } ?? [:],
        status: status))
  }

  @Test func `a plain 200 is the whole list`() throws {
    #expect(try facts(nil, status: 200).next == .end)
    let later = PageKey(.offset(20))
    #expect(try facts(nil, later, status: 200).next == .stopped(.noProgress(later)))
  }

  @Test func `a server that sends another range than requested stops the list`() throws {
    let key = PageKey(.offset(20))
    #expect(try facts("items 0-19/523", key).next == .stopped(.noProgress(key)))
  }

  @Test(arguments: [
    nil, "", "items", "items 0-19", "items 19-0/523", "items -1-5/10", "items 0-19/ten",
    "items 0-19/10", "bytes 0-19/523", "items 0-99999999999999999999/*",
  ])
  func `an invalid header is reported, and the page decides`(_ header: String?) throws {
    let full = try facts(header)
    #expect(full.next == .page(PageKey(.offset(20))))
    #expect(full.problems.count == 1)
    #expect(try facts(header, rows: 19).next == .end)
  }

  @Test func `a character that is one with a separator doesn't hide it`() {
    let header = RangeHeader("items\u{600} 0-19/523")
    #expect(header?.unit == "items\u{600}" && header?.rows == 0...19 && header?.total == 523)
    for text in ["items 0\u{600}-19/523", "items 0-19\u{600}/523", "items 0-19/\u{301}523"] {
      #expect(RangeHeader(text) == nil)
    }
  }

  @Test func `an empty list of a known size ends`() throws {
    let facts = try facts("items */0", status: 200, rows: 0)
    #expect(facts == PageFacts(next: .end, total: 0))
  }

  @Test func `the unit matches in any case`() throws {
    let paging = Paging.range(unit: "rows", size: 5)
    var call = Call("/books")
    try paging.strategy.apply(PageKey(.offset(5), size: 3), to: &call)
    #expect(call.headers["Range"] == "rows=5-7")
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, headers: ["Content-Range": "Rows 0-4/9"], status: 206))
    #expect(facts.next == .page(PageKey(.offset(5))))
  }
}
