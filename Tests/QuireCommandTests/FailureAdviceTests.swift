import Quire
import Testing

@testable import QuireCommand

/// Every kind of failure: what failed, the cause, and what to do with the options of a command.
@Suite struct FailureAdviceTests {
  private static let crawl = FailureAdvice(.crawl(isRecorded: false))
  private static let gateway = "check the server and any gateway in front of it"
  private static let proxy =
    "check --proxy, or http_proxy, https_proxy and all_proxy in the environment"
  private static let size = "raise --max-memory, or request smaller pages, as in --size 100"
  private static let location = "check the Location header of the response"

  private static let requests: [(kind: RequestError.Kind, hint: String?)] = [
    (.invalidRequest(.init(.url, "is empty")), "check the address, and the links of the server"),
    (
      .invalidRequest(.init(.baseURL, "is empty")), "check the address, and the links of the server"
    ),
    (.invalidRequest(.init(.method, "is empty")), "check --method"),
    (.invalidRequest(.init(.headerName, "is empty")), "check --header"),
    (.invalidRequest(.init(.headerValue("A"), "is empty")), "check --header"),
    (.invalidRequest(.init(.body, "is empty")), "check --body and --form"),
    (.invalidRequest(.init(.configuration, "it is empty")), "check the options"),
    (.nameNotResolved(host: "a"), "check the spelling of the host and the DNS server"),
    (.connectRefused, "check the port and that the server is running"),
    (.connectFailed("x"), "check the network between this device and the server"),
    (.tls(.untrusted), "check the certificate chain and --cacert"),
    (.tls(.expired), "check the certificate and the clock of this device"),
    (.tls(.wrongHost), "check the spelling of the host"),
    (.tls(.notPinned), "check whether a proxy intercepts TLS"),
    (.tls(.handshake("x")), "check the TLS versions of the server"),
    (.tls(.clientCertificate("x")), "check --cert and --key"),
    (.proxy("x"), proxy), (.status(407), proxy),
    (.sendFailed, "check the server's limits on the size of requests"),
    (.connectionLost(bytesReceived: 1, reused: false), gateway),
    (.timeout(.queue), "raise --timeout, or use --resume to continue later"),
    (.timeout(.resolve), "check the DNS server, or raise --timeout"),
    (.timeout(.connect), "check the address and the network, or raise --timeout"),
    (.timeout(.handshake), "check that the port of the server uses TLS, or raise --timeout"),
    (.timeout(.idle), "check the load of the server, or raise --timeout"),
    (
      .rateLimited(wait: .seconds(9)),
      "send fewer requests with --rate, or use --resume to continue later"
    ), (.timeout(.total), "check the load of the server, or raise --timeout"),
    (.tooLarge(.headerBytes, allowed: 1), gateway),
    (.tooLarge(.headerCount, allowed: 1), gateway), (.tooLarge(.wireBytes, allowed: 1), size),
    (.tooLarge(.decodedBytes, allowed: 1), size), (.tooLarge(.memory, allowed: 1), size),
    (.tooLarge(.decompressionRatio, allowed: 1), "check the server"),
    (.undecodable("x"), "check Content-Encoding and Content-Type of the response"),
    (.notStored, "check --cache, or load the page once without --offline"),
    (.protocolViolation("x"), gateway),
    (.redirect(.tooMany(5)), "check the address, or use the one that it leads to"),
    (.redirect(.loop), "check the address and the server"), (.redirect(.noLocation), location),
    (.redirect(.badLocation), location), (.redirect(.scheme("ftp")), location),
    (.redirect(.downgrade), "check the address, or use the one that it leads to"),
    (
      .redirect(.crossOrigin("https://b")),
      "use --allow-other-origin if the list may continue there"
    ),
    (.redirect(.crossOriginBody("b")), "check the address, or use the one that it leads to"),
    (.offline, "check its network connection"), (.cancelled(.byCaller), nil),
    (.status(401), "sign in with --token-env NAME or --header @FILE"),
    (.status(403), "sign in with --token-env NAME or --header @FILE"),
    (.status(404), "check the address and its parameters"),
    (.status(500), "check the server, or use --resume to continue later"),
    (
      .unexpectedContent(.captivePortal),
      "check the address, or sign in with --token-env NAME or --header @FILE"
    ),
    (
      .unexpectedContent(.mediaType(expected: "a", received: "b")),
      "check the address and the header Accept"
    ), (.unexpectedContent(.empty), "check the server"),
    (
      .business(code: "1", message: "x"),
      "check the address and its parameters, or use --no-failure NAME if that member is no failure"
    ), (.authentication("x"), "check --token-command"),
    (
      .retryRequested(after: nil, reason: "x"), "raise --retries, or use --resume to continue later"
    ),
    (.receiverFailed("x"), "use --resume to continue later"),
    (.unusable("x"), "use --resume to continue later"),
  ]

  @Test(arguments: requests)
  func `a failed request has a cause and names options`(
    _ kind: RequestError.Kind, _ hint: String?
  ) {
    let error = RequestError(kind)
    let text = Self.crawl.text(of: .request(error), nil)
    #expect(text.cause == error.explanation.fact && text.hint == hint && text.details.isEmpty)
    check(text.text)
    let browse = FailureAdvice(.browse).text(of: .request(error), nil).text
    check(browse)
    #expect(!browse.contains("--resume") && !browse.contains("--max-pages"))
  }

  private static let pagings: [(error: PagingError, line: String)] = [
    (
      .badLink("x y", RequestError(.invalidRequest(.init(.url, "has a blank")))),
      "can't follow the link “x y”: the address has a blank; check the server, or name the paging, as in"
        + " --paging page"
    ),
    (
      .wrongFact("$.total", expected: "a number", found: "\"x\""),
      "wrong paging data in the response: $.total, expected a number, found \"x\"; check the options that say"
        + " where this is, such as --total, or leave them out"
    ),
    (
      .fewerRows(received: 3, reported: 9),
      "6 of 9 rows are missing: the server reported 9; read the list again, or name another number with"
        + " --total if this one isn't that of rows"
    ), (.missingRows("3 of 9"), "rows may be missing: 3 of 9; read the list again"),
    (
      .lowClaim(.unproven, asked: .exact),
      "the list is not known to be exact: no sign that rows are missing;"
        + " read the list again, or ask for less, as in --consistency seams"
    ), (.unreadableRows(2, first: "x"), "2 rows could not be read: x; check the server"),
    (
      .nextPageNotFound("next", because: "there is more", hint: "declare .pageNumber()"),
      "can't find the next page: the response has no “next”, but there is more; leave the option out, so that"
        + " the paging is detected"
    ),
    (
      .nextPageNotFound("next", because: "there is more", hint: "did you mean 'nxt'?"),
      "can't find the next page: the response has no “next”, but there is more; did you mean 'nxt'?"
    ),
    (
      .wrongCall("the body of the call is a/b, expected a form; write .body(…) for JSON"),
      "can't request a page: the body of the call is a/b, expected a form; check the PLACE of the paging,"
        + " --body and --form"
    ),
    (
      .emptyPages(9),
      "can't continue: the server sent 9 pages in a row without a new row; check the paging, or raise --max-empty"
    ),
    (
      .listNotFound("the response has no array", hint: "x"),
      "can't find the list: the response has no array"
    ),
    (
      .notRecognized(seen: "50 rows and no link", declaration: ".pageNumber()"),
      "can't tell how this server pages: 50 rows and no link; name the paging, as in --paging page,"
        + " --paging offset or --cursor PATH, or use --paging none if this is the whole list"
    ),
    (
      .notNumbered("a cursor"),
      "can't load a page by number: a cursor has no page numbers; check the paging"
    ),
    (.noSuchPage(-1), "can't load page -1: pages are counted from 0; check the paging"),
    (.custom("x"), "x"),
  ]

  @Test(arguments: pagings)
  func `an unknown place in the list has a cause and names options`(
    _ error: PagingError, _ line: String
  ) {
    let text = Self.crawl.text(of: .paging(error), nil).text
    #expect(text == line)
    check(text)
    check(FailureAdvice(.browse).text(of: .paging(error), nil).text)
  }

  @Test func `numbered pages without a size name the options for a whole list`() {
    var advice = Self.crawl
    advice.paging = .pageNumber(endsBy: .total("count"))
    advice.pageSize = 30
    let error = PagingError.lowClaim(.unproven, asked: .whole)
    #expect(
      advice.text(of: error).hint
        == "--consistency whole needs --size with numbered pages, to request them in other sizes that overlap:"
        + " use --paging page --total count --size 30, and --size-param NAME unless the server calls it per_page"
    )
    advice.paging = .pageNumber(size: 20)
    #expect(advice.text(of: error).hint?.contains("--size") == false)
  }

  @Test func `a response without rows has a cause, and what it has instead`() {
    let missing = MappingError.notFound(
      "data.rows", found: "$ is an object", hint: "did you mean 'row'?")
    let text = Self.crawl.text(of: .mapping(missing), nil)
    #expect(text.text == "no rows at “data.rows”: the response is an object; did you mean 'row'?")
    let other = MappingError.wrongRoot("data", expected: .array, found: "null")
    check(Self.crawl.text(of: .mapping(other), nil).text)
    #expect(Self.crawl.text(of: LoadError.decoding("x"), nil).text == "x")
    #expect(Self.crawl.text(of: LoadError.custom("x"), nil).text == "x")
  }

  @Test(arguments: [true, false])
  func `a TLS failure says that a scheme was added`(isAdded: Bool) {
    var advice = Self.crawl
    advice.isSchemeAdded = isAdded
    let added =
      "https:// was added to the address, so type http:// if the server has no TLS, or check"
    for kind in [RequestError.Kind.tls(.handshake("x")), .tls(.wrongHost), .timeout(.handshake)] {
      let hint = advice.text(of: RequestError(kind)).hint ?? ""
      #expect(hint.hasPrefix(added) == isAdded, "\(hint)")
    }
    #expect(advice.text(of: RequestError(.connectRefused)).hint?.contains("https") == false)
  }

  /// A text for people who type options has no name of Swift.
  private func check(_ text: String) {
    let swift =
      /responseBody|\b(limits|retry|timeouts|redirects)\.|[a-z](sOtherOrigins|mumEmptyPages|eadableRows)\b|RequestBody|\.[a-zA-Z]+\(/
    #expect(!text.contains(swift), "\(text)")
    #expect(!text.contains("the credentials and their provider"))
  }
}
