import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// What servers say of the size of their lists in words of their own: an end never stands against it.
@Suite(.timeLimit(.minutes(1))) struct SaidWordsTests {
  /// Reads a list from a server that responds to its parameters with rows and members beside them.
  private func read(
    _ path: String = "/rows", _ paging: Paging = .automatic,
    consistency: Consistency.Level = .seams, headers: HTTPHeaders = [:],
    _ serve: @escaping @Sendable (Params) -> (rows: Range<Int>, members: String)
  ) async throws -> (walk: PageWalk, rows: Int, requests: Int) {
    let transport = MockTransport { request in
      let (range, members) = serve(request.query)
      let rows = range.map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",")
      return .json("{\"items\":[\(rows)]\(members)}").headers(headers)
    }
    let server = Server("https://api.test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, path, paging: paging, consistency: consistency)
    var rows: Set<Int> = []
    while let page = try await walk.next() {
      rows.formUnion(page.rows.compactMap { $0["id"]?.int })
    }
    return (walk, rows.count, transport.requests.count)
  }

  /// The second page of two is the last one by its cursor.
  private static func isSecond(_ query: Params) -> Bool { query["cursor"] != nil }

  @Test(arguments: [
    #""nbHits":250"#, #""number_of_total_results":250"#, #""stats":{"fullCount":250}"#,
    #""SearchResultCountAll":250"#, #""nb_results":250"#, #""numberOfRecords":250"#,
    #""iTotalDisplayRecords":250"#, #""num_items":250"#, #""pagelen":50,"size":250"#,
    #""has_more":"yes""#, #""has_more":"Y""#, #""exceededTransferLimit":true"#,
    #""is_complete":false"#, #""is_incomplete":true"#, #""limit_reached":true"#,
    #""max_results_exceeded":true"#, #""terminated_early":true"#, #""canLoadMore":true"#,
    #""load_more":true"#, #""page":{"number":1,"totalPages":20}"#, #""remaining_items":150"#,
  ])
  func `a member that says that there is more keeps the list from being complete`(
    member: String
  ) async throws {
    let read = try await read { query in
      let next = Self.isSecond(query) ? "null" : #""YWJjZGVm""#
      let start = Self.isSecond(query) ? 50 : 0
      return (start..<start + 50, ",\"next_cursor\":\(next),\(member)")
    }
    #expect(read.rows == 100)
    #expect(read.walk.end != .complete, "\(read.walk.consistency)")
  }

  @Test(
    arguments: [
      ("X-Hits", "250"), ("X-Result-Count", "250"), ("X-More", "true"), ("X-Truncated", "true"),
      ("opc-next-page", "abc"), ("x-ms-continuation", "abc"), ("X-Next-Cursor", "abc"),
    ])
  func `a header that says that there is more does so too`(
    name: String, value: String
  ) async throws {
    let read = try await read(headers: [name: value]) { query in
      let next = Self.isSecond(query) ? "null" : #""YWJjZGVm""#
      let start = Self.isSecond(query) ? 50 : 0
      return (start..<start + 50, ",\"next_cursor\":\(next)")
    }
    #expect(read.rows == 100)
    #expect(read.walk.end != .complete, "\(read.walk.consistency)")
  }

  @Test(arguments: ["X-Result-Count", "X-Item-Count", "X-Hits"])
  func `a header that counts the rows of its page ends no list`(name: String) async throws {
    let read = try await read(headers: [name: "10"]) { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      return (min(page * 10 - 10, 40)..<min(page * 10, 40), "")
    }
    #expect(read.rows == 40 && read.walk.end == .complete)
  }

  @Test(arguments: [0, 1])
  func `pages that the response counts from another number than the call are all read`(
    first: Int
  ) async throws {
    let paging = Paging.pageNumber(first: 1 - first, endsBy: .emptyPage)
    let read = try await read("/rows", paging) { query in
      let index = (query["page"].flatMap { Int($0) } ?? 0) - (1 - first)
      return (
        min(index * 10, 50)..<min(index * 10 + 10, 50),
        #","page":\#(index + first),"total_pages":5"#
      )
    }
    #expect(read.rows == 50 && read.walk.end == .complete, "\(read.walk.consistency)")
  }

  @Test func `rows that remain after the first page are rows of the list`() async throws {
    let read = try await read("/rows?limit=50") { query in
      query["continue"] == nil
        ? (0..<50, #","metadata":{"continue":"YWJj","remainingItemCount":200}"#)
        : (50..<100, #","metadata":{}"#)
    }
    #expect(read.rows == 100 && read.walk.end != .complete)
  }

  @Test func `a page count on the first page stands where later ones have only their number`()
    async throws
  {
    let read = try await read { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      let rows = (page - 1) * 50..<(page > 10 ? (page - 1) * 50 : page * 50)
      return (rows, ",\"page\":\(page)" + (page == 1 ? #","total_pages":20"# : ""))
    }
    #expect(read.rows == 500 && read.walk.end != .complete)
  }

  @Test(arguments: [
    #""total":250"#, #""has_more":true"#, #""next":"/rows?page=2""#,
  ])
  func `one page by choice is incomplete against what it says`(member: String) async throws {
    for level in [Consistency.Level.any, .seams, .exact] {
      let read = try await read("/rows", .single, consistency: level) { _ in
        (0..<100, ",\(member)")
      }
      #expect(read.rows == 100 && read.walk.end != .complete, "\(level)")
    }
  }

  @Test(arguments: [Consistency.Level.any, .seams, .whole], [90, 100])
  func `a link on each page doesn't lead on for ever`(
    level: Consistency.Level, count: Int
  ) async throws {
    let read = try await read(consistency: level) { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      let limit = query["limit"].flatMap { Int($0) } ?? 20
      return (
        min(offset, count)..<min(offset + limit, count),
        #","total":\#(count),"links":{"next":"/rows?offset=\#(offset + limit)&limit=20"}"#
      )
    }
    #expect(read.rows == count && read.requests < 40, "\(read.requests)")
    // The total that is met ends the list, unless rows are looked for that may have moved.
    if level == .any {
      #expect(read.walk.end == .complete && read.requests <= count / 20 + 3)
    }
  }

  @Test func `a link on each page without a total ends too`() async throws {
    let read = try await read { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      return (
        min(offset, 90)..<min(offset + 20, 90), #","links":{"next":"/rows?offset=\#(offset + 20)"}"#
      )
    }
    #expect(read.rows == 90 && read.requests < 120, "\(read.requests)")
  }
}
