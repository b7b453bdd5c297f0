import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Lists of 250 rows with a cursor, and what their last page says besides.
@Suite(.timeLimit(.minutes(1))) struct LastPageTests {
  /// Reads a list whose pages have these members; those of the last page come after the cursor.
  private func read(
    rows: Int = 250, flag: String = "", members: String = "", last: String = "",
    name: String = "items", endsEmpty: Bool = false, paging: Paging = .automatic,
    headers: HTTPHeaders = [:]
  ) async throws -> (rows: Int, end: ListEnd?, requests: Int, claim: Consistency.Claim) {
    let transport = MockTransport { request in
      let start = request.query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
      let page = (start..<start + 100).clamped(to: 0..<rows)
      let json = page.map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",")
      let isLast = endsEmpty ? page.isEmpty : start + 100 >= rows
      let cursor = isLast ? "" : #","next_cursor":"c\#(start + 100)"\#(flag)"#
      return .json(#"{"\#(name)":[\#(json)]\#(cursor)\#(members)\#(isLast ? last : "")}"#)
        .headers(headers)
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, "/rows", paging: paging)
    var count = 0
    while let page = try await walk.next() { count += page.rows.count }
    return (count, walk.end, transport.requests.count, walk.consistency.claim)
  }

  @Test(arguments: [
    #","links":[{"rel":"next","href":"/rows?page=9"}]"#,
    #","link":[{"relation":"next","url":"/rows?page=9"}]"#,
    #","paging":{"next":{"link":"/rows?page=9"}}"#, #","paging":{"next":{"after":"abc"}}"#,
    #","metadata":{"continue":"abc"}"#, #","LastEvaluatedKey":{"id":"x"}"#,
    #","pagination":{"urls":{"next":"/rows?page=9"}}"#,
    #","more":"/rows?page=9""#, #","moreComing":true"#, #","hasOlder":true"#,
    #","more_items_in_collection":true"#, #","all_loaded":false"#, #","done":"false""#,
    #","done":0"#, #","complete":false"#, #","incompleteSearch":true"#, #","jobComplete":false"#,
    #","status":"partial""#,
  ])
  func `what the last page says against the end makes it incomplete`(member: String) async throws {
    let reading = try await read(last: member)
    guard case .incomplete? = reading.end else {
      return #expect(Bool(false), "\(member): \(reading)")
    }
    #expect(reading.rows == 250)
  }

  @Test(arguments: [
    #","links":[{"rel":"prev","href":"/rows?page=9"}]"#, #","paging":{"next":{}}"#,
    #","metadata":{"continue":""}"#, #","more":false"#, #","hasOlder":false"#, #","done":"true""#,
    #","complete":true"#, #","incompleteSearch":false"#, #","jobComplete":true"#,
    #","status":"ok""#, #","more":"less""#,
  ])
  func `what says nothing against it leaves the list complete`(member: String) async throws {
    let reading = try await read(last: member)
    #expect(reading.rows == 250 && reading.end == .complete, "\(member): \(reading)")
  }

  @Test(arguments: [
    #","opensearch:totalResults":"400""#, #","hydra:totalItems":400"#, #","totalAvailable":400"#,
    #","grandTotal":400"#, #","totalNumberOfResults":400"#, #","n_total":400"#,
    #","allCount":400"#, #","documentCount":400"#, #","@attr":{"total":400}"#,
    #","results":400"#, #","page":{"number":0,"size":100,"totalElements":400}"#,
  ])
  func `a total with any usual name counts`(members: String) async throws {
    let reading = try await read(members: members)
    guard case .incomplete? = reading.end else {
      return #expect(Bool(false), "\(members): \(reading)")
    }
  }

  @Test(arguments: ["Pagination-Count", "X-Record-Count", "OData-Count", "X-Total-Count"])
  func `a total in a header with any usual name counts`(name: String) async throws {
    let reading = try await read(headers: [name: "400"])
    guard case .incomplete? = reading.end else { return #expect(Bool(false), "\(reading)") }
    #expect(try await read(headers: [name: "250"]).end == .complete)
  }

  @Test(arguments: [7, 100, 200, 250])
  func `a last page without rows and without a cursor ends the list`(rows: Int) async throws {
    for last in ["", #","next_cursor":null"#, #","next_cursor":"""#, #","has_more":false"#] {
      let flag = last.contains("has_more") ? #","has_more":true"# : ""
      let reading = try await read(rows: rows, flag: flag, last: last, endsEmpty: true)
      #expect(reading.rows == rows && reading.end == .complete, "\(last): \(reading)")
    }
  }

  @Test(arguments: ["messages", "links", "included", "fields"])
  func `an array beside which there is no other may be the list`(name: String) async throws {
    let reading = try await read(name: name)
    #expect(reading.rows == 250 && reading.end == .complete)
  }

  @Test(arguments: [
    #","total":250"#, #","has_more":true"#, #","next":"/rows?page=2""#, #","isLast":false"#,
    #","truncated":true"#, #","pageInfo":{"hasNextPage":true}"#, #","page":1,"pages":3"#,
  ])
  func `a list that is declared as one page is incomplete where the page says that there is more`(
    members: String
  ) async throws {
    let reading = try await read(rows: 100, members: members, paging: .single)
    guard case .incomplete? = reading.end else {
      return #expect(Bool(false), "\(members): \(reading)")
    }
    #expect(try await read(rows: 100, paging: .single).end == .complete)
  }

  /// Pages by offset that are only read by what the first one says of its place.
  private func readOffsets(
    rows: Int, _ members: @escaping @Sendable (_ start: Int, _ isLast: Bool) -> String
  ) async throws -> (end: ListEnd?, requests: Int) {
    let transport = MockTransport { request in
      let start =
        ["offset", "startAt"].lazy.compactMap { request.query[$0] }.first { _ in true }
        .flatMap { Int($0) } ?? 0
      let page = (start..<start + 100).clamped(to: 0..<rows)
      let json = page.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .json(#"{"items":[\#(json)]\#(members(start, start + 100 >= rows))}"#)
    }
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, "/rows")
    while try await walk.next() != nil {}
    return (walk.end, transport.requests.count)
  }

  @Test(arguments: ["isLast", "isLastPage", "endOfRecords", "done"])
  func `a flag and a page shorter than its size end the list with one request`(
    flag: String
  ) async throws {
    let reading = try await readOffsets(rows: 7) { start, isLast in
      #","startAt":\#(start),"maxResults":100,"\#(flag)":\#(isLast)"#
    }
    #expect(reading.end == .complete && reading.requests == 1, "\(reading)")
  }

  @Test(arguments: ["records", "document_count", "results"])
  func `a number that may count something else ends no list`(name: String) async throws {
    let reading = try await readOffsets(rows: 250) { start, _ in
      #","offset":\#(start),"limit":100,"\#(name)":200"#
    }
    #expect(reading.end == .complete && reading.requests > 2, "\(reading)")
  }

  @Test func `an empty list with a link ends with one request`() async throws {
    let reading = try await readOffsets(rows: 0) { _, _ in
      #","total":0,"next":"/rows?offset=100""#
    }
    #expect(reading.end == .complete && reading.requests == 1, "\(reading)")
  }

  @Test func `the number 0 for the next page ends the list`() async throws {
    let transport = MockTransport { request in
      let number = request.query["pageNum"].flatMap { Int($0) } ?? 1
      let rows = ((number - 1) * 100..<number * 100).clamped(to: 0..<250)
      let json = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let (next, isLast) = (number < 3 ? number + 1 : 0, number == 3)
      return .json(
        #"{"list":[\#(json)],"pageNum":\#(number),"pages":3,"total":250,"nextPage":\#(next),"isLastPage":\#(isLast)}"#
      )
    }
    let walk = PageWalk(Server("https://test", transport: transport) { $0.retry = .never }, "/rows")
    var problems = 0
    while let page = try await walk.next() { problems += page.facts.problems.count }
    #expect(walk.end == .complete && problems == 0)
  }
}
