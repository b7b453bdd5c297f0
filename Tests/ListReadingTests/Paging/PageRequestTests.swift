import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

/// Requests on the wire, combined from server and call.
struct PageRequestTests {
  /// The addresses of the first pages of a list, as the server receives them.
  private func addresses(
    _ paging: Paging, _ call: Call, pages: Int, base: String = "https://api.test/v1",
    transport: MockTransport
  ) async throws -> [String] {
    let server = Server(base, transport: transport) {
      $0.params = ["key": "k"]
      $0.headers["Authorization"] = "secret"
    }
    var key = paging.strategy.first
    for page in 1...pages {
      var asked = call
      try paging.strategy.apply(key, to: &asked)
      let response = try await server.send(asked)
      let root = try JSONDocument(response.body.utf8Text ?? "").root
      let facts = paging.strategy.facts(
        in: PageResponse(
          key: key, call: asked, response: response, envelope: root, itemsPath: itemsPath,
          count: root[itemsPath]?.count ?? 0))
      guard page < pages else { break }
      guard case .page(let next) = facts.next else {
        Issue.record("page \(page) led to \(facts.next)")
        break
      }
      key = next
    }
    return transport.requests.map(\.url.description)
  }

  @Test func `the parameters of a link are sent once and take precedence over the call`()
    async throws
  {
    let transport = MockTransport { request in
      let next = (request.query["page"].flatMap { Int($0) } ?? 1) + 1
      return .json(#"{"items": [1], "next": "/v1/books?q=new&page=\#(next)&key=k"}"#)
    }
    let addresses = try await addresses(
      .nextURL(at: "next"), Call("/books", params: ["q": "old", "page": 1]), pages: 3,
      transport: transport)
    #expect(
      addresses == [
        "https://api.test/v1/books?key=k&q=old&page=1",
        "https://api.test/v1/books?q=new&page=2&key=k",
        "https://api.test/v1/books?q=new&page=3&key=k",
      ])
    #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == "secret" })
  }

  @Test func `a page number replaces the one in the address of the call`() async throws {
    let transport = MockTransport { _ in .json(#"{"items": [1]}"#) }
    let addresses = try await addresses(
      .pageNumber(size: 1), Call("/books?page=1&q=new"), pages: 2, transport: transport)
    #expect(
      addresses == [
        "https://api.test/v1/books?q=new&key=k&page=1&per_page=1",
        "https://api.test/v1/books?q=new&key=k&page=2&per_page=1",
      ])
  }
}
