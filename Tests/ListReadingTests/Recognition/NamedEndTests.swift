import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Ends that rest on what a name seems to mean.
struct NamedEndTests {
  private struct Reading {
    var rows: [Int] = []
    var end = ""
    var requests: [String] = []
    var consistency: Consistency
  }

  /// Reads a list from a server that responds to its parameters with the first row, the number of rows, and members.
  private func read(
    _ path: String = "/books",
    _ serve: @escaping @Sendable (Params) -> (first: Int, count: Int, members: String)
  ) async throws -> Reading {
    let transport = MockTransport { request in
      let (first, count, members) = serve(request.query)
      let rows = (first..<first + max(0, count)).map { #"{"id":\#($0),"name":"n\#($0)"}"# }
      return .json("{\"items\":[\(rows.joined(separator: ","))]\(members)}")
    }
    let server = Server("https://api.test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, path)
    var rows: [Int] = []
    while let page = try await walk.next() { rows += page.rows.compactMap { $0["id"]?.int } }
    return Reading(
      rows: rows, end: walk.end.map { "\($0)" } ?? "",
      requests: transport.requests.map { $0.url.description }, consistency: walk.consistency)
  }

  @Test(arguments: [
    #""next":null"#, #""next_cursor":"""#, #""nextPageToken":null"#, #""links":{"next":null}"#,
    #""has_more":false"#, #""meta":{"hasNextPage":false}"#, #""is_last":true"#,
    #""pagination":{"next_url":null}"#,
  ])
  func `a well-known name ends a list at no request more, and the claim names the assumption`(
    member: String
  ) async throws {
    let read = try await read { _ in (0, 10, "," + member) }
    #expect(read.rows.count == 10 && read.requests.count == 1)
    #expect(read.end == "complete" && read.consistency.claim == .exact)
    #expect(read.consistency.assumptions.contains(.names))
    #expect(read.consistency.without([.names]).claim == .unproven)
  }

  @Test(arguments: [
    #""next_batch_key":null"#, #""more_pages":false"#, #""wizard":{"next":null}"#,
    #""no_more_rows":true"#,
  ])
  func `another name that ends the first full page is confirmed by a request`(
    member: String
  ) async throws {
    let whole = try await read { _ in (0, 3, "," + member) }
    #expect(whole.rows.count == 3 && whole.end == "complete")
    #expect((2...3).contains(whole.requests.count), "\(whole.requests)")
    let paged = try await read { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      return ((page - 1) * 10, page > 4 ? 0 : 10, "," + member)
    }
    #expect(paged.rows == Array(0..<40), "\(paged)")
  }

  @Test(arguments: [
    ("/books", #""next_batch_key":null,"more_pages":false"#),
    ("/books?limit=20", #""next_batch_key":null"#),
  ])
  func `two members that agree, or a short page, confirm each other`(
    path: String, members: String
  ) async throws {
    let read = try await read(path) { _ in (0, 10, "," + members) }
    #expect(read.rows.count == 10 && read.end == "complete" && read.requests.count == 1)
  }

  @Test(arguments: ["page", "limit"])
  func `a parameter that is ignored leads to the next way of the evidence`(own: String) async throws {
    let read = try await read { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      let count = max(0, min(10, 45 - offset))
      return (offset, count, #","page":\#(offset / 10 + 1),"total_pages":5,"total":45"#)
    }
    #expect(read.rows == Array(0..<45), "\(read)")
    #expect(read.end == "complete")
  }

  @Test func `a link that leads to the same page again is left for another way`() async throws {
    let read = try await read { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      return (
        offset, max(0, min(10, 45 - offset)),
        #","next":"/books?page=\#(offset / 10 + 2)","offset":\#(offset),"limit":10,"total":45"#
      )
    }
    #expect(read.rows == Array(0..<45), "\(read)")
  }

  @Test func `a flag and a link that disagree are settled by one request`() async throws {
    @Sendable func members(_ page: Int, _ more: Bool) -> String {
      #","has_more":\#(more),"next":"/books?page=\#(page + 1)""#
    }
    // The flag is right: its link leads to a page without rows.
    let ended = try await read { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      return ((page - 1) * 10, page > 3 ? 0 : 10, members(page, page < 3))
    }
    #expect(ended.rows == Array(0..<30) && ended.end == "complete" && ended.requests.count == 4)
    // The flag never changes: the links are right.
    let flagged = try await read { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      return (
        (page - 1) * 10, 10, page < 3 ? members(page, false) : #","has_more":false,"next":null"#
      )
    }
    #expect(flagged.rows == Array(0..<30) && flagged.end == "complete", "\(flagged)")
    // The same with a cursor.
    let token = try await read { query in
      let offset = query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
      let next = offset < 20 ? "\"c\(offset + 10)\"" : "null"
      return (offset, 10, #","has_more":false,"next_cursor":\#(next)"#)
    }
    #expect(token.rows == Array(0..<30) && token.end == "complete", "\(token)")
  }

  @Test func `a declared paging rests on no guess`() async throws {
    let transport = MockTransport { _ in .json(#"{"items":[{"id":1}],"next":null}"#) }
    let server = Server("https://api.test", transport: transport)
    let walk = PageWalk(server, "/books", paging: .nextURL(at: "next"))
    while try await walk.next() != nil {}
    #expect(walk.consistency.claim == .exact)
    #expect(!walk.consistency.assumptions.contains(.names))
  }
}
