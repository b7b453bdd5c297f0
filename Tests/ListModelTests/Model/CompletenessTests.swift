import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// A list is complete only if nothing that the server sent says otherwise.
@MainActor @Suite(.timeLimit(.minutes(1))) struct CompletenessTests {
  private func expectIncomplete(
    _ end: ListEnd?, _ reason: String, location: SourceLocation = #_sourceLocation
  ) {
    guard case .incomplete(let error)? = end else {
      Issue.record("ended as \(String(describing: end))", sourceLocation: location)
      return
    }
    #expect("\(error)".contains(reason), "\(error)", sourceLocation: location)
  }

  // MARK: - The next page is not where it was declared

  @Test(arguments: [
    // A total, a flag, a link or a full page shows that there is more.
    (
      Paging.nextURL(at: "nxt", total: "count"), #""count":9,"next":"/rows?page=1""#,
      "did you mean 'next'?"
    ),
    (.nextURL(at: "nxt"), #""total":9"#, "“total” is 9"),
    (.nextURL(at: "links.nxt"), #""links":{"next":"/rows?page=1"}"#, "did you mean 'links.next'?"),
    (.nextURL(at: "next"), #""has_more":true"#, "“has_more” is true"),
    (.cursor(at: "nextCursr"), #""next_cursor":"abc""#, "next_cursor"),
    (.cursor(at: "cursor", size: 3), "", "all 3 rows that were requested"),
    (.link, #""next":"/rows?page=1""#, "declare .nextURL(at: \"next\")"),
  ])
  func `a first page without the declared place, that shows that there is more, is not the end`(
    paging: Paging, members: String, reason: String
  ) async {
    let bench = ListBench(paging: paging, MockTransport { _ in .json(page(0..<3, members)) })
    expectIncomplete(await bench.end(), reason)
    #expect(bench.ids == [0, 1, 2])
  }

  @Test(arguments: [
    (Paging.nextURL(at: "next"), ""), (.nextURL(at: "next", total: "count"), #""count":3"#),
    (.nextURL(at: "next"), #""next":null,"total":3"#), (.cursor(at: "cursor", size: 4), ""),
    (.cursor(at: "cursor", size: 3), #""cursor":null"#), (.link, ""),
    (.nextURL(at: "next"), #""has_more":false"#),
  ])
  func `a first page without a next one is the end if nothing contradicts`(
    paging: Paging, members: String
  ) async {
    let bench = ListBench(paging: paging, MockTransport { _ in .json(page(0..<3, members)) })
    #expect(await bench.end() == .complete)
  }

  @Test func `a later full page without a place for the next one is the end`() async {
    let bench = ListBench(
      paging: .nextURL(at: "next"),
      MockTransport { request in
        request.query["page"] == nil
          ? .json(page(0..<3, #""next":"/rows?page=1""#)) : .json(page(3..<6))
      })
    #expect(await bench.end() == .complete)
    #expect(bench.ids == Array(0..<6))
  }

  @Test(arguments: [
    Paging.cursor(at: .headerJSON("X-Page", at: "next")),
    .nextURL(at: .headerJSON("X-Page", at: "next")),
  ])
  func `a header that should be JSON and isn't is not the end`(paging: Paging) async {
    let bench = ListBench(
      paging: paging,
      MockTransport { _ in
        var response = MockResponse.json(page(0..<2))
        response.headers["X-Page"] = #"{"next":"a","pages":2"#
        return response
      })
    expectIncomplete(await bench.end(), "next in header X-Page, expected JSON")
  }

  @Test(arguments: [
    (Paging.nextURL(at: "next"), #""next":null,"has_more":true"#, "“has_more” is true"),
    (.nextURL(at: "next"), #""next":null,"current_page":3,"last_page":10"#, "page 3 of 10"),
    (.nextURL(at: "next"), #""next":null,"page":3,"total_pages":10"#, "page 3 of 10"),
    (
      .pageNumber(endsBy: .hasNext("more"), .pageCount("pages")), #""more":false,"pages":10"#,
      "reported 10 pages"
    ),
    (.cursor(at: "cursor"), #""cursor":null,"hasMore":true"#, "“hasMore” is true"),
    (
      .nextURL(at: "next", total: "total"), #""next":null,"total":3,"has_more":true"#,
      "“has_more” is true"
    ),
  ])
  func `an end that other facts of the response contradict is incomplete`(
    paging: Paging, members: String, reason: String
  ) async throws {
    let transport = MockTransport { _ in .json(page(0..<3, members)) }
    expectIncomplete(await ListBench(paging: paging, transport).end(), reason)
    let walk = PageWalk(
      Server("https://test", transport: transport), Call("/rows"), paging: paging)
    while try await walk.next() != nil {}
    expectIncomplete(walk.end, reason)
  }

  /// A server that says that it has ten pages and ends after three of them, in one of three ways.
  nonisolated private static func ending(_ way: String) -> MockTransport {
    MockTransport { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let next = number < 3 ? "/rows?page=\(number + 1)" : nil
      let rows = (number * 2 - 2)..<(number * 2)
      switch way {
      case "header":
        var response = MockResponse.json(page(rows))
        response.headers["X-Page"] = "\(number)"
        response.headers["X-Next-Page"] = next == nil ? "" : "\(number + 1)"
        response.headers["X-Total-Pages"] = "10"
        return response
      case "link":
        var response = MockResponse.json(page(rows))
        response.headers["Link"] =
          (next.map { "<\($0)>; rel=next, " } ?? "") + "</rows?page=10>; rel=last"
        return response
      default:
        let link = next.map { "\"\($0)\"" } ?? "null"
        return .json(
          page(
            rows,
            #""links":{"next":\#(link)},"meta":{"current_page":\#(number),"last_page":10}"#))
      }
    }
  }

  @Test(arguments: ["header", "link", "body"], [false, true])
  func `a server that ends before its last page is incomplete, also where paging is recognized`(
    way: String, isWalk: Bool
  ) async throws {
    let transport = Self.ending(way)
    if isWalk {
      let walk = PageWalk(Server("https://test", transport: transport), Call("/rows"))
      var count = 0
      while let page = try await walk.next() { count += page.rows.count }
      // Numbers lead past the end that the header says.
      guard way != "header" else {
        #expect(walk.end == .complete && count == 20)
        return
      }
      expectIncomplete(walk.end, "the list ended at page 3 of 10")
      #expect(count == 6)
    } else {
      let bench = ListBench(paging: .automatic, transport)
      guard way != "header" else {
        #expect(await bench.end() == .complete)
        #expect(bench.ids == Array(0..<20))
        return
      }
      expectIncomplete(await bench.end(), "the list ended at page 3 of 10")
      #expect(bench.ids == Array(0..<6))
    }
  }

  @Test(arguments: [
    (Paging.nextURL(at: "next"), #""next":null,"page":9,"total_pages":10"#),
    (.nextURL(at: "next"), #""next":null,"page":10,"total_pages":10,"has_more":false"#),
    (.pageNumber(endsBy: .page(1)), #""has_more":true"#),
    (.pageNumber(endsBy: .pageCount("pages")), #""pages":1"#),
  ])
  func `an end that nothing contradicts, or that the program chose, is complete`(
    paging: Paging, members: String
  ) async {
    let bench = ListBench(paging: paging, MockTransport { _ in .json(page(0..<3, members)) })
    #expect(await bench.end() == .complete)
  }

  // MARK: - Fewer rows than the server reports

  @Test func `a page that comes twice does not hide one that is missing`() async {
    let pages = [0..<3, 3..<6, 3..<6, 9..<10]
    let bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")),
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(page(pages[min(number, 3)], #""total":10"#))
      })
    expectIncomplete(await bench.end(), "3 of 10 rows are missing: the server reported 10")
  }

  @Test func `rows that a filter leaves out are not missing, and count once`() async {
    for (third, isComplete) in [(6..<9, true), (3..<6, false)] {
      let pages = [0..<3, 3..<6, third, 9..<10]
      let bench = ListBench(
        paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")),
        MockTransport { request in
          let number = request.query["page"].flatMap { Int($0) } ?? 0
          return .json(page(pages[min(number, 3)], #""total":10"#))
        }, configure: { $0.filter = { $0.id.isMultiple(of: 2) } })
      let end = await bench.end()
      if isComplete { #expect(end == .complete) } else { expectIncomplete(end, "rows are missing") }
    }
  }

  @Test func `a list that starts in the middle has all rows once both ends are reached`() async {
    let bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .total("total")),
      MockTransport { request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        return .json(page((number * 3..<number * 3 + 3), #""total":9"#))
      })
    _ = await bench.model.loadPage(2).outcome
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    for _ in 0..<2 { _ = await bench.model.loadPreviousPage().outcome }
    #expect(bench.model.state(of: .previous) == .reachedEnd(.complete))
    #expect(bench.model.state(of: .next) == .reachedEnd(.complete))
    #expect(bench.ids == Array(0..<9))
  }

  // MARK: - Rows that can't be read

  private func unreadable(_ rows: String) -> MockTransport {
    MockTransport { _ in .json(#"{"rows":[\#(rows)],"more":false}"#) }
  }

  @Test func `a page of which no row can be read fails with the first errors`() async {
    let bench = ListBench(unreadable(#"{"id":"a"},{"ID":2},{"id":"c"}"#))
    guard case .failed(.mapping(let error)) = await bench.model.refresh().outcome else {
      Issue.record("the load did not fail")
      return
    }
    #expect("\(error)".hasPrefix("can't read any of the 3 rows: 2 of 3 times: $['rows'][0]['id']"))
    #expect("\(error)".contains("did you mean 'ID'?"), "\(error)")
    #expect(!bench.model.hasLoaded && bench.delegate.texts.contains("fail first"))
  }

  @Test func `one row that can't be read is named as the only one`() async {
    let bench = ListBench(unreadable(#"{"ID":2}"#))
    guard case .failed(.mapping(let error)) = await bench.model.refresh().outcome else {
      Issue.record("the load did not fail")
      return
    }
    #expect("\(error)".hasPrefix("can't read the only row: $['rows'][0]['id']"), "\(error)")
    #expect(!bench.model.hasLoaded)
  }

  @Test func `a list that lost rows says how many, and is not complete`() async {
    let bench = ListBench(unreadable(#"{"id":1},{"id":"b"},{"id":3},{"id":"d"}"#))
    expectIncomplete(await bench.end(), "2 rows could not be read: $['rows'][1]['id']")
    #expect(bench.ids == [1, 3])
  }

  @Test func `a list that accepts unreadable rows leaves them out`() async {
    for (rows, ids) in [(#"{"id":1},{"id":"b"}"#, [1]), (#"{"id":"a"}"#, [])] {
      let bench = ListBench(
        unreadable(rows), configure: { $0.acceptsUnreadableRows = true })
      #expect(await bench.end() == .complete)
      #expect(bench.ids == ids)
    }
  }

  @Test func `a refresh that reads every row makes the list complete`() async {
    let answers = Lock([#"{"id":1},{"id":"b"}"#, #"{"id":1},{"id":2}"#])
    let bench = ListBench(
      MockTransport { _ in
        .json(#"{"rows":[\#(answers.withLock { $0.removeFirst() })],"more":false}"#)
      })
    expectIncomplete(await bench.end(), "1 row could not be read")
    #expect(await bench.end() == .complete)
  }
}
