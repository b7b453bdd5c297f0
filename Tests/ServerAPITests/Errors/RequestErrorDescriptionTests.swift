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
    (.status(404), "the server responded with 404; check the address"),
    (.status(502), "the server responded with 502; check the server, or try again later"),
    (
      .rateLimited(wait: .seconds(90)),
      "the server asked to wait 90 s; send fewer requests, or try again later"
    ),
  ])
  func `a failed connection is explained`(kind: RequestError.Kind, text: String) {
    #expect(RequestError(kind).description == text)
  }

  /// One error of each kind, and of each part of a kind.
  static let kinds: [RequestError.Kind] =
    [
      .nameNotResolved(host: "h"), .connectRefused, .connectFailed("x"), .proxy("x"), .sendFailed,
      .connectionLost(bytesReceived: 1, reused: false), .undecodable("x"), .notStored,
      .protocolViolation("x"), .offline, .rateLimited(wait: nil), .authentication("x"),
      .retryRequested(after: nil, reason: "x"), .unexpectedContent(.captivePortal),
      .unexpectedContent(.empty), .unexpectedContent(.mediaType(expected: "a/b", received: "")),
    ]
    + [
      .requiredBySystem, .untrusted, .expired, .wrongHost, .notPinned, .handshake("x"),
      .clientCertificate("x"),
    ].map { .tls($0) }
    + [.queue, .resolve, .connect, .handshake, .idle, .total].map { .timeout($0) }
    + [.headerBytes, .headerCount, .wireBytes, .decodedBytes, .decompressionRatio, .memory]
    .map { .tooLarge($0, allowed: 9) }
    + [
      .tooMany(9), .loop, .noLocation, .badLocation, .downgrade, .scheme("x"), .crossOrigin("x"),
      .crossOriginBody("x"),
    ].map { .redirect($0) }
    + [301, 400, 401, 403, 404, 405, 407, 409, 410, 413, 415, 418, 429, 500, 503]
    .map { .status($0) }

  @Test(arguments: kinds)
  func `each failure has a cause and something to do about it`(kind: RequestError.Kind) throws {
    let (fact, hint) = kind.explanation
    let text = RequestError(kind, request: "GET https://host/x").description
    #expect(try text == "GET https://host/x failed: \(fact); \(#require(hint))")
    #expect(!text.contains("responseBody") && !text.contains("\n"))
    let starts = [
      "check ", "raise ", "send ", "set ", "try ", "wait ", "allow ", "update ", "load ",
    ]
    #expect(starts.contains { hint?.hasPrefix($0) == true }, "\(text)")
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
