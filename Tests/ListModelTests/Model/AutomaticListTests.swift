import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Lists with automatic paging.
@MainActor struct AutomaticListTests {
  private func model(_ respond: @escaping @Sendable (HTTPRequest) -> MockResponse) -> ListModel<Row> {
    ListModel(
      Server("https://test", transport: MockTransport { respond($0) }), "/rows", paging: .automatic)
  }

  @Test func `a Link header is followed to the end, and the recognized paging is valid code`() async {
    let model = model { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (number * 3..<number * 3 + 3).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let response = MockResponse.json("[\(rows)]")
      return number == 3
        ? response.headers(["Link": #"</rows?page=1>; rel="first""#])
        : response.headers(["Link": #"</rows?page=\#(number + 1)>; rel="next""#])
    }
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.rows.items.map(\.id) == Array(3..<12))
    #expect(model.recognized?.description == "paging: .link")
  }

  @Test func `a total without a link is tried, and confirmed by the rows`() async {
    let model = model { request in
      let start = request.query["skip"].flatMap { Int($0) } ?? 0
      return .json(page(start..<min(start + 10, 35), #""total":35"#))
    }
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.rows.items.map(\.id) == Array(0..<35))
    #expect(model.recognized?.grounds == .tried)
  }

  @Test func `a server with more rows but no known parameter leaves the list incomplete`()
    async
  {
    let model = model { _ in .json(page(0..<10, #""total":35"#)) }
    guard case .reachedEnd(.incomplete(let error)) = await model.loadAll() else {
      Issue.record("\(model.state(of: .next))")
      return
    }
    #expect("\(error)".contains("declare"))
    #expect(model.rows.items.map(\.id) == Array(0..<10))
  }

  @Test func `a response with several lists fails and names them`() async {
    let model = model { _ in .json(#"{"a":[{"id":1}],"b":[{"id":2}]}"#) }
    guard case .failed(let error) = await model.refresh().outcome else {
      Issue.record("one of the lists was chosen")
      return
    }
    #expect("\(error)".contains("“a”") && "\(error)".contains("“b”"))
  }

  @Test func `a refresh of a recognized list starts at its first page`() async {
    let model = model { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      return .json(
        page(number * 3..<number * 3 + 3, #""current_page":\#(number),"last_page":3"#))
    }
    _ = await model.loadAll()
    _ = await model.refresh().outcome
    #expect(model.rows.items.map(\.id) == [3, 4, 5])
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.count == 9)
  }

  @Test func `a first page that comes again under number 0 may link to a later last page`() async {
    let model = model { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      guard number == 0 else { return .json("[]") }
      let rows = (0..<8).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return MockResponse.json("[\(rows)]").headers(["Link": #"</rows?page=1>; rel="last""#])
    }
    let outcome = await model.loadAll()
    guard case .reachedEnd(.incomplete(let reason)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect("\(reason)".contains("the server reported 2 pages"))
  }
}
