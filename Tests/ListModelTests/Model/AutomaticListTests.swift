import ItemMapping
import ListModel
import QuireTesting
import ServerAPI
import Testing

/// Lists whose paging nobody declared.
@MainActor struct AutomaticListTests {
  private func model(_ answer: @escaping @Sendable (HTTPRequest) -> MockResponse) -> ListModel<Row>
  {
    ListModel(
      Server("https://test", transport: MockTransport { answer($0) }), "/rows", paging: .automatic)
  }

  @Test func `a Link header is followed to the end, and what was recognized can be pasted`() async {
    let model = model { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (number * 3..<number * 3 + 3).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let answer = MockResponse.json("[\(rows)]")
      return number == 3
        ? answer.headers(["Link": #"</rows?page=1>; rel="first""#])
        : answer.headers(["Link": #"</rows?page=\#(number + 1)>; rel="next""#])
    }
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.rows.items.map(\.id) == Array(3..<12))
    #expect(model.recognized?.description == "paging: .link")
  }

  @Test func `a total without a way on is tried, and believed when the rows show it`() async {
    let model = model { request in
      let start = request.query["skip"].flatMap { Int($0) } ?? 0
      return .json(page(start..<min(start + 10, 35), #""total":35"#))
    }
    #expect(await model.loadAll() == .reachedEnd(.complete))
    #expect(model.rows.items.map(\.id) == Array(0..<35))
    #expect(model.recognized?.grounds == .tried)
  }

  @Test func `a server that says there is more and knows no parameter leaves the list incomplete`()
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

  @Test func `an answer with several lists fails and names them`() async {
    let model = model { _ in .json(#"{"a":[{"id":1}],"b":[{"id":2}]}"#) }
    guard case .failed(let error) = await model.refresh().outcome else {
      Issue.record("a list was guessed")
      return
    }
    #expect("\(error)".contains("“a”") && "\(error)".contains("“b”"))
  }

  @Test func `a refresh of a recognized list begins at its first page`() async {
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
}
