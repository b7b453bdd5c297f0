import FoundationEssentials
import QuireTesting
import ServerAPI
import Testing

/// The served list, with clients that are written out here.
@Suite(.timeLimit(.minutes(1))) struct ServedListTests {
  private struct Page: Decodable {
    struct Row: Decodable {
      var id: Int
      var version: Int
    }
    var rows: [Row]
    var total: Int?
    var next: String?
    var version: String?
  }

  private func page(
    _ run: ServedRun, _ path: String = "/rows", _ params: Params = [:]
  ) async throws -> Page {
    let server = Server("https://test", transport: run.transport) { $0.retry = .never }
    let response = try await server.send(Call(path, params: params))
    return try JSONDecoder().decode(Page.self, from: Data(try response.text().utf8))
  }

  @Test(
    arguments: [
      (.pages, ["page": 2], [4, 5, 6]), (.pages, ["page": 2, "size": 5], [4, 5, 6]),
      (.pagesOfAnySize, ["page": 2, "size": 5], [6, 7, 8, 9, 10]),
      (.pagesOfCappedSize, ["page": 2, "size": 5], [4, 5, 6]),
      (.linksOfAnySize, ["page": 2, "size": 5], [6, 7, 8, 9, 10]),
      (.pagesOfCappedSize, ["page": 3, "size": 2], [5, 6]),
      (.offsets, ["offset": 4, "limit": 5], [5, 6, 7, 8, 9]),
      (.offsetsOfCappedSize, ["offset": 4, "limit": 5], [5, 6, 7]),
      (.offsetsRoundedToPages, ["offset": 5, "limit": 2], [4, 5, 6]),
      (.offsetsWithinLimit, ["offset": 30, "limit": 2], []),
      (.pages, ["page": 9], []), (.keys, [:], [1, 2, 3]),
    ] as [(ServedList.Way, Params, [Int])])
  func `pages are where the request says`(
    way: ServedList.Way, params: Params, ids: [Int]
  ) async throws {
    let run = ServedRun(ServedList(rows: 12, pageSize: 3, by: way, total: .exact))
    let page = try await page(run, "/rows", params)
    #expect(page.rows.map(\.id) == ids)
    #expect(page.total == 12)
  }

  @Test(
    arguments: [
      (.pagesRefusedAfterEnd, ["page": 5], 404), (.offsetsWithinLimit, ["offset": 31], 400),
    ] as [(ServedList.Way, Params, Int)])
  func `pages that the server refuses have an error status`(
    way: ServedList.Way, params: Params, status: Int
  ) async throws {
    let run = ServedRun(ServedList(rows: 12, pageSize: 3, by: way))
    let error = await #expect(throws: RequestError.self) { try await page(run, "/rows", params) }
    #expect(error?.kind == .status(status))
  }

  @Test(
    arguments: [
      (.pages, "people", #"{"people":[{"no":3}],"total":3}"#),
      (.links, "data.list.people", #"{"data":{"list":{"people":[{"no":3}]}},"total":3}"#),
    ] as [(ServedList.Way, String, String)])
  func `rows have the place and the shape that the program gives them`(
    way: ServedList.Way, path: String, text: String
  ) async throws {
    let list = ServedList(at: path, rows: 3, pageSize: 2, by: way, total: .exact) {
      #"{"no":\#($0.id)}"#
    }
    let server = Server("https://test", transport: ServedRun(list).transport)
    #expect(try await server.send(Call("/", params: ["page": 2])).text() == text)
    #expect("\(list)".contains("at: \"\(path)\""))
    #expect(list != ServedList(rows: 3, pageSize: 2, by: way, total: .exact))
  }

  @Test func `a connection has the name that the program gives its rows`() async throws {
    let list = ServedList(at: "people", rows: 1, pageSize: 2, by: .relay) { _ in "7" }
    let server = Server("https://test", transport: ServedRun(list).transport)
    let text = try await server.send(Call("/")).text()
    #expect(text.hasPrefix(#"{"data":{"people":{"nodes":[7],"edges""#))
  }

  #if LIBCURL
    @Test(arguments: ServedList.Way.allCases)
    func `a mock and a real server send the same bytes`(way: ServedList.Way) async throws {
      let list = ServedList(
        rows: 7, pageSize: 3, by: way, total: .exact,
        churn: [.before(request: 2, .delete(at: 0), .insert(at: 2), .move(from: 4, to: 0))],
        faults: [3: .rowTwice])
      let (mock, real) = (ServedRun(list), ServedRun(list))
      let loopback = try real.loopback()
      let url = try WebURL(loopback.baseURL + "/rows?page=2&offset=3")
      for _ in 0..<3 {
        let request = HTTPRequest(.get, url, headers: ["Range": "items=3-5"])
        let (a, b) = (
          try await mock.transport.send(request), try await CurlTransport().send(request)
        )
        #expect(a.status == b.status && a.body == b.body)
        for name in ["Content-Type", "Link", "Content-Range"] {
          #expect(a.headers[name] == b.headers[name], "\(name)")
        }
      }
      #expect(mock.ids == real.ids && mock.history == real.history)
    }
  #endif

  @Test func `a list changes before the request that the script names`() async throws {
    let run = ServedRun(
      ServedList(
        rows: 4, pageSize: 9, by: .pages, total: .late,
        churn: [
          .before(request: 2, .delete(at: 0), .insert(at: 1)),
          .before(request: 3, .move(from: 3, to: 0), .update(at: 1), .restore),
        ]))
    #expect(try await page(run).rows.map(\.id) == [1, 2, 3, 4])
    #expect(try await page(run).rows.map(\.id) == [2, 5, 3, 4])
    let last = try await page(run)
    // Row 1 comes back to its place among the keys.
    #expect(last.rows.map(\.id) == [4, 1, 2, 5, 3])
    #expect(last.rows.first { $0.id == 2 }?.version == 1)
    #expect(last.total == 4)
    run.change(.delete(at: 0), .delete(at: 0))
    #expect(run.ids.count == 3 && run.requestCount == 3)
  }

  @Test func `changes by the clock come with the time that has passed`() async throws {
    let clock = ManualClock()
    let run = ServedRun(
      ServedList(
        rows: 9, pageSize: 9, by: .pages,
        churn: .random(seed: 1, .init(delete: 1), .every(.seconds(10)))),
      time: clock.timeSource)
    #expect(try await page(run).rows.count == 9)
    clock.advance(by: .seconds(9))
    #expect(try await page(run).rows.count == 9)
    clock.advance(by: .seconds(31))
    #expect(try await page(run).rows.count == 5)
  }

  @Test func `a snapshot stays as it was`() async throws {
    let run = ServedRun(
      ServedList(
        rows: 5, pageSize: 3, by: .snapshots, churn: [.before(request: 2, .delete(at: 0))]))
    let first = try await page(run)
    let second = try await page(run, "/rows", ["cursor": first.next])
    #expect(second.rows.map(\.id) == [4, 5] && second.next == nil)
    #expect(first.version == second.version)
    #expect(try await page(run).rows.map(\.id) == [2, 3, 4])
  }

  @Test(
    arguments: [
      (.repeatedCursor, [1, 2], "k-1"), (.shortPage, [1], "k4294967296"),
      (.emptyPage, [], "k4294967296"), (.shifted(by: 2), [3, 4], "k4294967296"),
      (.rowTwice, [1, 2, 1], "k4294967296"), (nil, [1, 2], "k4294967296"),
    ] as [(ServedList.Fault?, [Int], String)])
  func `a fault changes its response alone`(
    fault: ServedList.Fault?, ids: [Int], next: String
  ) async throws {
    let run = ServedRun(
      ServedList(rows: 5, pageSize: 2, by: .cursors, faults: fault.map { [1: $0] } ?? [:]))
    let page = try await page(run)
    #expect(page.rows.map(\.id) == ids && page.next == next)
    #expect(try await self.page(run).rows.map(\.id) == [1, 2])
  }

  @Test func `faults of the transport reach the client`() async throws {
    let run = ServedRun(
      ServedList(rows: 5, pageSize: 2, by: .pages, faults: [1: .cut, 2: .status(429)]))
    let cut = await #expect(throws: RequestError.self) { try await page(run) }
    guard case .connectionLost = cut?.kind else {
      Issue.record("\(String(describing: cut))")
      return
    }
    let refused = await #expect(throws: RequestError.self) { try await page(run) }
    #expect(refused?.kind == .rateLimited(wait: .zero))
    #expect(try await page(run).rows.count == 2)
  }

  @Test(
    arguments: [
      (.pages, ["page": Int.max], 0), (.pagesOfAnySize, ["page": 2, "size": Int.max], 0),
      (.offsets, ["offset": 1, "limit": Int.max], 11), (.offsets, ["offset": Int.max], 0),
      (.links, ["page": Int.max], 0),
    ] as [(ServedList.Way, Params, Int)])
  func `no number in a request is too large`(
    way: ServedList.Way, params: Params, count: Int
  ) async throws {
    let run = ServedRun(
      ServedList(
        rows: 12, pageSize: 3, by: way, faults: [2: .shifted(by: .max)]))
    #expect(try await page(run, "/rows", params).rows.count == count)
    #expect(try await page(run).rows.isEmpty)
  }

  @Test(
    arguments: [
      ("items=2-3", 2, "items 2-3/5"), ("items=2-", 3, "items 2-4/5"),
      ("items=4-\(Int.max)", 1, "items 4-4/5"), ("items=9-", 0, "items */5"),
    ])
  func `ranges may be open`(range: String, count: Int, content: String) async throws {
    let run = ServedRun(ServedList(rows: 5, pageSize: 2, by: .ranges, total: .exact))
    let url = try WebURL("https://test/rows")
    let response = try await run.transport.send(HTTPRequest(.get, url, headers: ["Range": range]))
    #expect(response.headers["Content-Range"] == content)
    #expect(response.status == (count == 0 ? 416 : 206))
  }

  @Test func `durations and empty steps of a declaration are kept or left out`() {
    var list = ServedList(
      rows: 1, pageSize: 1, by: .pages,
      churn: .random(seed: 1, .init(delete: 1), .every(.microseconds(500))),
      faults: [1: .slow(.seconds(2))])
    #expect(
      "\(list)".contains("Duration(secondsComponent: 0, attosecondsComponent: 500000000000000)"))
    #expect("\(list)".contains("1: .slow(.seconds(2))"))
    list.churn = [.before(request: 2)]
    #expect(!"\(list)".contains("request"))
  }
}
