import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Ends that something in the response contradicts, and tokens that stay the same.
@Suite(.timeLimit(.minutes(1))) struct EndDoubtTests {
  /// The rows of a response, with the members beside them and its header fields.
  struct Reply: Sendable {
    var rows: Range<Int>
    var members = ""
    var headers: HTTPHeaders = [:]
    var status = 200

    var response: MockResponse {
      let json = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let text = members == "-" ? "[\(json)]" : #"{"rows":[\#(json)]\#(members)}"#
      return .json(text, status: status).headers(headers)
    }
  }

  /// What a walk had: the rows in order, the end in words, and the number of requests.
  struct Reading: Equatable {
    var rows: [Int] = []
    var end = ""
    var requests = 0
  }

  /// Reads a list from a server that responds to a page, an offset or a cursor.
  ///
  /// - Parameter stops: Whether each page is read by another walk, which resumes after the page before.
  private func read(
    _ paging: Paging, _ params: Params = [:], items: JSONPath? = nil, stops: Bool = false,
    checking level: Consistency.Level = .seams,
    _ serve: @escaping @Sendable (_ query: (String) -> Int?) -> Reply
  ) async throws -> Reading {
    let transport = MockTransport { request in
      serve { request.query[$0].flatMap { Int($0) } }.response
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    var walk = PageWalk(
      server, "/rows", params: params, items: items, paging: paging, consistency: level)
    var reading = Reading()
    while let page = try await walk.next() {
      reading.rows += page.rows.compactMap { $0["id"]?.int }
      guard stops, let text = walk.checkpoint?.text else { continue }
      let checkpoint: PageWalk.Checkpoint = try #require(PageWalk.Checkpoint(text: text))
      walk = PageWalk(
        server, "/rows", params: params, items: items, paging: paging, consistency: level, from: checkpoint,
        knownIDs: reading.rows.map { RowID($0) })
    }
    reading.end = walk.end.map { "\($0)" } ?? ""
    reading.requests = transport.requests.count
    return reading
  }

  /// The rows of a page of 100, of so many rows.
  private static func rows(_ page: Int, of count: Int) -> Range<Int> {
    ((page - 1) * 100..<page * 100).clamped(to: 0..<count)
  }

  @Test func `the first page, read again for rows that moved, doesn't refute the paging`() async throws {
    let reading = try await read(.automatic, [:], items: "rows", checking: .signs) { query in
      let offset = query("offset") ?? 0
      let total = offset == 0 && query("offset") == nil ? 300 : 250
      return Reply(
        rows: (offset..<offset + 100).clamped(to: 0..<250),
        members: #","offset":\#(offset),"limit":100,"total":\#(total)"#)
    }
    #expect(reading.rows == Array(0..<250))
    #expect(reading.requests < 8 && reading.end == "complete", "\(reading)")
  }

  @Test(arguments: [250, 200])
  func `the JSON of a header has a total that counts beside a cursor`(rows: Int) async throws {
    let reading = try await read(.automatic, [:], items: "rows") { query in
      let start = query("cursor") ?? 0
      let next = start + 100 < rows ? "\"\(start + 100)\"" : "null"
      return Reply(
        rows: (start..<start + 100).clamped(to: 0..<rows), members: #","next_cursor":\#(next)"#,
        headers: ["X-Pagination": #"{"TotalCount":250}"#])
    }
    #expect(reading.rows.count == rows)
    #expect((reading.end == "complete") == (rows == 250), "\(reading.end)")
  }

  @Test func `a status of a part of the rows is one, where no range has it`() async throws {
    for isRange in [false, true] {
      let reading = try await read(.offset(limit: 100), items: "rows") { query in
        let offset = query("offset") ?? 0
        let headers: HTTPHeaders = isRange ? ["Accept-Ranges": "items"] : [:]
        return Reply(
          rows: (offset..<offset + 100).clamped(to: 0..<150), headers: headers,
          status: offset == 0 ? 200 : 206)
      }
      #expect(reading.end.contains("206") == !isRange, "\(reading)")
    }
  }

  @Test(arguments: [Paging.automatic, .pageHeaders()])
  func `a header that ends the list is doubted where the body has a larger total`(
    paging: Paging
  ) async throws {
    let whole = try await read(paging, items: "rows") { query in
      let page = query("page") ?? 1
      let next = page == 1 ? "2" : ""
      return Reply(
        rows: Self.rows(page, of: 530), members: #","total":530"#, headers: ["X-Next-Page": next])
    }
    #expect(whole.rows == Array(0..<530) && whole.end == "complete")
    let short = try await read(paging, items: "rows") { query in
      let page = query("page") ?? 1
      return Reply(
        rows: page == 1 ? 0..<100 : 0..<0, members: #","total":1037"#,
        headers: ["X-Next-Page": ""])
    }
    #expect(short.rows.count == 100)
    #expect(short.end.replacing(",", with: "").contains("1037"), "\(short.end)")
  }

  static let chains: [(Paging, String)] = [
    (.nextURL(at: "next"), #","next":null,"total":530"#),
    (.cursor(at: "next"), #","next":null,"meta":{"total_count":530}"#),
    (.link, #","total":530"#),
  ]

  @Test(arguments: chains)
  func `a chain that ends before the total is incomplete`(
    paging: Paging, members: String
  ) async throws {
    let reading = try await read(paging, items: "rows") { _ in
      Reply(rows: 0..<100, members: members, headers: ["Link": "</rows>; rel=\"first\""])
    }
    #expect(reading.end.contains("530 rows"), "\(reading.end)")
  }

  @Test func `a total in a header counts for a declared paging`() async throws {
    let reading = try await read(.cursor(at: "next"), items: "rows") { _ in
      Reply(rows: 0..<100, members: #","next":null"#, headers: ["X-Total-Count": "530"])
    }
    #expect(reading.end.contains("530 rows"), "\(reading.end)")
  }

  @Test func `a flag that says more leads to the next page`() async throws {
    let reading = try await read(.pageNumber(size: 100, endsBy: .shortPage), items: "rows") {
      query in
      let page = query("page") ?? 1
      let rows = page == 1 ? 0..<60 : page == 2 ? 60..<130 : 0..<0
      return Reply(rows: rows, members: #","has_more":\#(page == 1)"#)
    }
    #expect(reading == Reading(rows: Array(0..<130), end: "complete", requests: 2))
  }

  @Test(arguments: [
    Paging.automatic, .offset(limit: 100, endsBy: .total("total")),
    .pageNumber(size: 100, endsBy: .total("total")),
  ])
  func `a full page whose total is its own number of rows is not the whole list`(
    paging: Paging
  ) async throws {
    for count in [100, 200, 237] {
      let reading = try await read(
        paging, paging == .automatic ? ["per_page": 100] : [:], items: "rows"
      ) { query in
        let start = query("offset") ?? ((query("page") ?? 1) - 1) * 100
        let size = query("limit") ?? query("per_page") ?? 100
        let rows = (start..<start + size).clamped(to: 0..<count)
        return Reply(rows: rows, members: #","total":\#(rows.count)"#)
      }
      #expect(reading.rows == Array(0..<count), "\(count) rows")
      #expect(reading.end == "complete", "\(count) rows")
    }
  }

  @Test func `a server that sends the whole list for every page costs one request more`()
    async throws
  {
    let reading = try await read(.pageNumber(size: 20, endsBy: .total("total")), items: "rows") {
      _ in Reply(rows: 0..<20, members: #","total":20"#)
    }
    #expect(reading == Reading(rows: Array(0..<20), end: "complete", requests: 2))
    let refused = try await read(.pageNumber(size: 20, endsBy: .total("total")), items: "rows") {
      query in
      (query("page") ?? 1) == 1
        ? Reply(rows: 0..<20, members: #","total":20"#) : Reply(rows: 0..<0, status: 404)
    }
    #expect(refused == Reading(rows: Array(0..<20), end: "complete", requests: 2))
  }

  @Test func `a short page with its total costs no further request`() async throws {
    let reading = try await read(.pageNumber(size: 20, endsBy: .total("total")), items: "rows") {
      _ in Reply(rows: 0..<7, members: #","total":7"#)
    }
    #expect(reading == Reading(rows: Array(0..<7), end: "complete", requests: 1))
  }

  @Test func `a list whose flag says more, although no page follows, is incomplete`() async throws {
    let reading = try await read(.pageNumber(size: 20, endsBy: .total("total")), items: "rows") {
      _ in Reply(rows: 0..<20, members: #","total":20,"has_more":true"#)
    }
    #expect(reading.rows == Array(0..<20))
    #expect(reading.end.contains("“has_more” is true"), "\(reading.end)")
  }

  @Test(arguments: [false, true])
  func `an end is doubted in the same way after resuming`(isRefused: Bool) async throws {
    func reading(stops: Bool) async throws -> Reading {
      try await read(
        .pageNumber(size: 20, endsBy: .total("total")), items: "rows", stops: stops
      ) { query in
        let isSecond = query("page") == 2
        return Reply(
          rows: isSecond ? 0..<0 : 0..<20,
          members: isSecond ? "" : #","total":20,"has_more":true"#,
          status: isSecond && isRefused ? 404 : 200)
      }
    }
    let whole = try await reading(stops: false)
    // A page without rows and without a flag takes nothing back.
    #expect(whole.end.contains("“has_more” is true"), "\(whole.end)")
    let resumed = try await reading(stops: true)
    #expect(resumed.rows == whole.rows && resumed.end == whole.end)
  }

  @Test func `a flag is read as the program says`() async throws {
    for (isDone, requests) in [("true", 2), ("1", 2)] {
      let reading = try await read(.pageNumber(endsBy: .isLast("Done")), items: "rows") { query in
        let page = query("page") ?? 1
        return Reply(
          rows: Self.rows(page, of: 200), members: #","Done":\#(page == 2 ? isDone : "false")"#)
      }
      #expect(reading == Reading(rows: Array(0..<200), end: "complete", requests: requests))
    }
    let negated = try await read(.pageNumber(endsBy: .isLast("more")), items: "rows") { query in
      let page = query("page") ?? 1
      return Reply(rows: Self.rows(page, of: 200), members: #","more":\#(page == 2)"#)
    }
    #expect(negated == Reading(rows: Array(0..<200), end: "complete", requests: 2))
  }

  @Test func `an empty page with the token that was sent is the end`() async throws {
    let reading = try await read(.cursor(at: "token"), items: "rows") { query in
      let cursor = query("cursor") ?? 0
      let rows = (cursor..<cursor + 100).clamped(to: 0..<230)
      return Reply(rows: rows, members: #","token":\#(rows.upperBound)"#)
    }
    #expect(reading == Reading(rows: Array(0..<230), end: "complete", requests: 4))
  }

  @Test func `rows that come again with their token are a circle, unless a rule ends the list`()
    async throws
  {
    let serve: @Sendable ((String) -> Int?) -> Reply = { query in
      let page = min(query("cursor") ?? 1, 3)
      return Reply(rows: Self.rows(page, of: 230), members: #","token":\#(min(page + 1, 3))"#)
    }
    let circle = try await read(.cursor(at: "token"), items: "rows", serve)
    #expect(circle.end.contains("no new rows"), "\(circle.end)")
    let ended = try await read(.cursor(at: "token", endsBy: .repeatedCursor), items: "rows", serve)
    #expect(ended == Reading(rows: Array(0..<230), end: "complete", requests: 3))
  }

  @Test(arguments: [
    #"https://test/rows?page=2; rel="next""#, #"<https://test/rows?page=2; rel="next""#,
    #"</rows?page=2> rel="next""#, #"{"next": "/rows?page=2"}"#,
    #"</rows?page=2>; rel="next"; anchor="/other""#,
  ])
  func `a Link header that can't be used is no end`(header: String) async throws {
    for paging in [Paging.link, .automatic] {
      let reading = try await read(paging) { _ in
        Reply(rows: 0..<7, members: "-", headers: ["Link": header])
      }
      #expect(reading.rows.count == 7)
      #expect(reading.end.hasPrefix("incomplete"), "\(paging): \(reading.end)")
      #expect(reading.end.contains("header Link"), "\(paging): \(reading.end)")
    }
  }

  @Test func `a page without the facts of the others is asked for again`() async throws {
    let pages = Requests()
    let reading = try await read(.pageNumber(size: 100), items: "rows") { query in
      let page = query("page") ?? 1
      // The second page comes from elsewhere once.
      if page == 2, pages.count(page) == 1 { return Reply(rows: 666..<667) }
      return Reply(rows: Self.rows(page, of: 230), members: #","total":230,"page":\#(page)"#)
    }
    #expect(reading == Reading(rows: Array(0..<230), end: "complete", requests: 4))
  }

  /// Reads a list whose first page has a total; the others come with what the closure says for the second request on.
  private func readDoubtful(
    _ call: Call, again: @escaping @Sendable (Reply) -> MockResponse
  ) async throws -> (rows: Int, end: String, requests: Int) {
    let pages = Requests()
    let transport = MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let reply = Reply(
        rows: Self.rows(page, of: 230), members: page == 1 ? #","total":230"# : #","x":1"#)
      return pages.count(page) == 1 ? reply.response : again(reply)
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, call, items: "rows", paging: .pageNumber(size: 100))
    var rows = 0
    while let page = try await walk.next() { rows += page.rows.count }
    return (rows, walk.end.map { "\($0)" } ?? "", transport.requests.count)
  }

  @Test func `a page that lacks facts is used where there is no time for another`() async throws {
    let read = try await readDoubtful(Call("/rows")) { _ in .failure(.timeout(.total)) }
    #expect(read.rows == 230 && read.end == "complete")
  }

  @Test func `a call that must not be repeated is not sent again for facts`() async throws {
    var call = Call("/rows")
    call.method = .post
    let read = try await readDoubtful(call) { $0.response }
    #expect(read.rows == 230 && read.end == "complete" && read.requests == 3)
  }

  @Test func `facts that only the first page has are missed once`() async throws {
    let reading = try await read(.pageNumber(size: 100), items: "rows") { query in
      let page = query("page") ?? 1
      return Reply(
        rows: Self.rows(page, of: 330), members: page == 1 ? #","total":330"# : #","x":1"#)
    }
    #expect(reading.rows == Array(0..<330) && reading.end == "complete")
    #expect(reading.requests == 5)
  }
}

/// Counts the requests for each page.
private final class Requests: Sendable {
  private let counts = Lock<[Int: Int]>([:])

  func count(_ page: Int) -> Int {
    counts.withLock { counts in
      counts[page, default: 0] += 1
      return counts[page, default: 0]
    }
  }
}
