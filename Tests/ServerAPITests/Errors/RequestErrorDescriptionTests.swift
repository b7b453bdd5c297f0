import Testing

@testable import ServerAPI

@Suite struct RequestErrorDescriptionTests {
  @Test func `an error says what was done, what happened and what to look at`() {
    var error = RequestError(.timeout(.idle), request: "GET https://host/books")
    error.attempts = [
      HTTPResponse.Attempt(
        address: "https://host/books", outcome: .responded(503), followedBy: "retry after 503",
        delay: .seconds(2)),
      HTTPResponse.Attempt(address: "https://host/books", outcome: .failed(.timeout(.idle))),
    ]
    #expect(
      error.description == """
        GET https://host/books failed.
        What happened: time ran out because no byte moved.
        Look at: the load of the server, and timeouts.idle.
        Tries:
          1. https://host/books: answered 503; retry after 503, 2.00 s later
          2. https://host/books: time ran out because no byte moved
        """)
  }

  @Test func `a defect reads as a sentence`() {
    let defect = RequestError.Defect(.headerValue("X-Name"), "contains a control character")
    #expect(
      RequestError(.invalidRequest(defect)).description == """
        The request failed.
        What happened: the header X-Name contains a control character; nothing was sent.
        """)
  }

  @Test func `the words of the server are kept but not shown`() throws {
    let body = String(repeating: "secret ", count: 1000)
    let response = HTTPResponse(
      status: 500, body: ResponseBody(text: body), url: try WebURL("https://host/"))
    let error = RequestError(.status(500), request: "GET https://host/").about(response)
    #expect(error.responseBody?.utf8Text == String(body.utf8.prefix(4096)))
    #expect(!error.description.contains("secret"))
  }
}
