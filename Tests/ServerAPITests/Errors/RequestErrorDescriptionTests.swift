import Testing

@testable import ServerAPI

@Suite struct RequestErrorDescriptionTests {
  @Test func `a description names the request, the cause, what to do, and each attempt`() throws {
    var error = RequestError(.timeout(.idle), request: "GET https://host/books")
    let url = try WebURL("https://host/books")
    error.attempts = [
      HTTPResponse.Attempt(
        address: url, outcome: .responded(503), followedBy: "retry after 503", delay: .seconds(2)),
      HTTPResponse.Attempt(address: url, outcome: .failed(.timeout(.idle))),
    ]
    #expect(
      error.description == """
        GET https://host/books failed: the request timed out because no data was sent or received; \
        check the load of the server, or raise timeouts.idle
        attempts:
          1. https://host/books: status 503; retry after 503, 2.00 s later
          2. https://host/books: the request timed out because no data was sent or received
        """)
  }

  @Test func `a program can tell cancelled and offline calls from others`() {
    let kinds: [RequestError.Kind] = [
      .offline, .cancelled(.byCaller), .cancelled(.superseded), .cancelled(.ownerGone),
      .connectRefused, .nameNotResolved(host: "h"), .connectFailed("x"), .timeout(.connect),
      .status(503), .notStored,
    ]
    #expect(kinds.filter { RequestError($0).isOffline } == [.offline])
    #expect(kinds.filter { RequestError($0).isCancelled } == Array(kinds[1...3]))
  }

  @Test(arguments: [
    (
      RequestError.Kind.connectRefused,
      "the connection was refused; check the port and that the server is running"
    ),
    (
      .nameNotResolved(host: "h"),
      "the host name h can't be resolved; check the spelling of the host and the DNS server"
    ),
    (
      .connectFailed("there is no route to 10.0.0.7"),
      "can't connect: there is no route to 10.0.0.7; "
        + "check the network between this device and the server"
    ),
    (
      .timeout(.resolve),
      "the request timed out while resolving the host name; "
        + "check the DNS server, or raise timeouts.connect"
    ),
    (
      .timeout(.handshake),
      "the request timed out during the TLS handshake; "
        + "check that the port of the server uses TLS, or raise timeouts.connect"
    ),
    (.offline, "the device is probably offline; check its network connection"),
  ])
  func `a failed connection is explained`(kind: RequestError.Kind, text: String) {
    #expect(RequestError(kind).description == text)
  }

  @Test func `a defect names the invalid part`() {
    let defect = RequestError.Defect(.headerValue("X-Name"), "contains a control character")
    #expect(
      RequestError(.invalidRequest(defect)).description == """
        the header X-Name contains a control character
        """)
  }

  @Test func `the response body is kept but not part of the description`() throws {
    let body = String(repeating: "secret ", count: 1000)
    let response = HTTPResponse(
      status: 500, body: ResponseBody(text: body), url: try WebURL("https://host/"))
    let error = RequestError(.status(500), request: "GET https://host/").about(response)
    #expect(error.responseBody?.utf8Text == String(body.utf8.prefix(4096)))
    #expect(!error.description.contains("secret"))
  }
}
