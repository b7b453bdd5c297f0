import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Responses that are not a page or have invalid facts: each is reported, and the list stays
/// whole.
@Suite(.timeLimit(.minutes(1))) @MainActor struct BadPageTests {
  /// A second page that can't be read, and the words that the error has to contain.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: LoopbackResponse
    let isExpected: @Sendable (LoadError) -> Bool
    let words: [String]

    init(
      _ name: String, _ response: LoopbackResponse, says words: String...,
      isExpected: @escaping @Sendable (LoadError) -> Bool
    ) {
      testDescription = name
      self.response = response
      self.words = words
      self.isExpected = isExpected
    }
  }

  nonisolated static let refused = [
    Refused("no rows at the path", .json(#"{"list":[],"more":true}"#), says: "rows", "no value") {
      if case .mapping(.notFound) = $0 { true } else { false }
    },
    Refused("an object for rows", .json(#"{"rows":{"a":1}}"#), says: "rows", "array", "object") {
      if case .mapping(.wrongRoot) = $0 { true } else { false }
    },
    Refused("null for rows", .json(#"{"rows":null}"#), says: "rows", "array", "null") {
      if case .mapping = $0 { true } else { false }
    },
    Refused("a text for rows", .json(#"{"rows":"none"}"#), says: "rows", "array", "none") {
      if case .mapping(.wrongRoot) = $0 { true } else { false }
    },
    Refused(
      "an empty body", .bytes([], type: "application/json"), says: "line 1", "empty", "expected"
    ) {
      if case .mapping(.invalidJSON) = $0 { true } else { false }
    },
    Refused(
      "a web page", .html("<!DOCTYPE html><p>Sorry"), says: "a web page instead of data",
      "/rows?page=2", "check the address"
    ) {
      $0.status == 200 && $0.url?.contains("/rows?page=2") == true
        && $0.responseBody?.utf8Text == "<!DOCTYPE html><p>Sorry"
    },
    Refused(
      "XML", .bytes(Array("<?xml version='1.0'?><a/>".utf8), type: "application/xml"),
      says: "line 1", "<?xml", "expected"
    ) {
      if case .mapping(.invalidJSON) = $0 { true } else { false }
    },
    Refused("half of the JSON", .json(#"{"rows":[{"id":51},{"id":"#), says: "line 1") {
      if case .mapping(.invalidJSON) = $0 { true } else { false }
    },
    Refused(
      "a connection cut in the middle",
      .json(#"{"rows":[{"id":51},{"id":52}]}"#).failing(.close(.bodySent(12))), says: "12"
    ) {
      guard case .request(let error) = $0, case .connectionLost = error.kind else { return false }
      return true
    },
  ]

  @Test(arguments: refused)
  func `an unreadable page fails with a clear error, leaves the rows, and can be retried`(
    _ bad: Refused
  ) async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return Catalogue.page((number - 1) * 3..<number * 3, #""more":\#(number < 3)"#)
    }
    let list = catalogueList(loopback, paging: .pageNumber(size: 3, endsBy: .hasNext("more")))
    _ = await list.refresh().outcome
    loopback.enqueue(bad.response)
    let outcome = await list.loadNextPage().outcome
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(bad.isExpected(error), "\(error)")
    for word in bad.words { #expect("\(error)".contains(word), "\(error)") }
    #expect(list.ids == (0..<3).map(Catalogue.id))
    #expect(list.state(of: .next) == .failed(error))
    #expect(await list.retry().outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.ids == (0..<9).map(Catalogue.id))
  }

  @Test func `rows of a web page are an error with its address`() async throws {
    let loopback = try LoopbackServer { _ in .html("<!DOCTYPE html><p>Hello") }
    let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
    let error = await #expect(throws: LoadError.self) {
      for try await _ in server.items(CatalogueRow.self, "/books.html") {}
    }
    let text = "\(error as Any)"
    #expect(error?.url == loopback.baseURL + "/books.html")
    #expect(text.contains("GET \(loopback.baseURL)/books.html"), "\(text)")
    #expect(text.contains("the response is a web page instead of data"), "\(text)")
  }

  /// An invalid fact in the first of three pages.
  struct WrongFact: Sendable, CustomTestStringConvertible {
    let paging: Paging
    /// The JSON of the fact, and the words that the problem has to contain.
    let fact: String
    let words: [String]
    var testDescription: String { "\(paging): \(fact)" }
  }

  nonisolated static let wrongFacts: [WrongFact] = [
    ("-5", "-5"), (#""many""#, "many"), ("true", "true"), ("[3]", "[3]"),
    ("1e300", "1e300"), ("9223372036854775808", "9223372036854775808"),
    ("-9223372036854775809", "-9223372036854775809"), ("null", "nothing"), ("{}", "{}"),
    (#""1e400""#, "1e400"), ("1e400", "1e400"), ("0", "0"),
  ].flatMap { fact, found in
    [
      WrongFact(
        paging: .pageNumber(size: 3, endsBy: .total("meta.fact")), fact: fact,
        words: ["meta.fact", found]),
      WrongFact(
        paging: .pageNumber(size: 3, endsBy: .pageCount("meta.fact")), fact: fact,
        words: ["meta.fact", found]),
      WrongFact(
        paging: .pageNumber(size: 3, endsBy: .lastPage("meta.fact")), fact: fact,
        words: ["meta.fact", found]),
    ]
  }

  @Test(arguments: wrongFacts)
  func `an invalid fact is reported, and the list continues without it`(
    _ wrong: WrongFact
  ) async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return Catalogue.page(
        Catalogue(count: 8).positions(from: (number - 1) * 3, 3),
        #""meta":{"fact":\#(wrong.fact)}"#)
    }
    let list = catalogueList(loopback, paging: wrong.paging)
    let keeper = ReportKeeper()
    list.delegate = keeper
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.ids == (0..<8).map(Catalogue.id))
    #expect(loopback.requestCount == 3)
    let text = try #require(keeper.reports.first).description
    for word in wrong.words + ["expected"] { #expect(text.contains(word), "\(text)") }
  }

  @Test(
    arguments: [
      (.pageNumber(size: 3, endsBy: .total("fact")), "at least 9,007,199,254,740,992"),
      (.pageNumber(size: 3, endsBy: .pageCount("fact")), nil),
      (.pageNumber(size: 3, endsBy: .lastPage("fact")), nil),
      (.offset(limit: 3, endsBy: .total("fact")), "at least 9,007,199,254,740,992"),
    ] as [(Paging, String?)])
  func `the largest number neither stops a list nor keeps it loading`(
    _ paging: Paging, bound: String?
  ) async throws {
    let loopback = try LoopbackServer { request in
      let offset = request.number("offset") ?? ((request.number("page") ?? 1) - 1) * 3
      return Catalogue.page(
        Catalogue(count: 8).positions(from: offset, 3), #""fact":\#(Int.max)"#)
    }
    let list = catalogueList(loopback, paging: paging)
    guard case .reachedEnd(.incomplete(let reason)) = await list.loadAll(parallel: 4) else {
      Issue.record("\(list.state(of: .next))")
      return
    }
    #expect(list.ids == (0..<8).map(Catalogue.id))
    // No list has so many rows, so such a total is only a bound. A number of pages is wrong.
    if let bound {
      #expect("\(reason)".contains(bound), "\(reason)")
    } else {
      #expect(list.page?.facts.problems.isEmpty == false)
    }
  }

  @Test(arguments: [
    ("9223372036854775807", false), ("3", false), ("1e300", true), ("2", true), ("1", true),
    ("-1", true),
  ])
  func `a next page far ahead or behind is not followed`(
    _ next: String, isRead: Bool
  ) async throws {
    let loopback = try LoopbackServer { request in
      request.number("page") == 1
        ? Catalogue.page(0..<3, #""next":\#(next)"#) : Catalogue.page(0..<0, #""next":null"#)
    }
    let list = catalogueList(loopback, paging: .pageNumber(size: 3, endsBy: .nextPage("next")))
    let end = await list.loadAll()
    #expect(isRead ? end == .reachedEnd(.complete) : end != .reachedEnd(.complete))
    #expect(list.ids == (0..<3).map(Catalogue.id))
    #expect(loopback.requestCount == (isRead ? 2 : 1))
  }

  @Test func `a page larger than requested loses no row and requests none twice`() async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return Catalogue.page(Catalogue(count: 25).positions(from: (number - 1) * 10, 10))
    }
    let list = catalogueList(loopback, paging: .pageNumber(size: 3))
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.ids == (0..<25).map(Catalogue.id))
    #expect(loopback.requestCount == 3)
    #expect(list.duplicateCount == 0)
  }

  @Test(arguments: [Paging.link, .nextURL(at: "next")])
  func `a next page at another server is refused without a request`(
    _ paging: Paging
  ) async throws {
    let stranger = try LoopbackServer { _ in Catalogue.page(3..<6) }
    let loopback = try LoopbackServer { [other = stranger.baseURL] _ in
      Catalogue.page(0..<3, #""next":"\#(other)/rows?key=secret""#)
        .with("Link", "<\(other)/rows?key=secret>; rel=next")
    }
    let list = catalogueList(loopback, paging: paging)
    let outcome = await list.loadAll()
    guard case .reachedEnd(.incomplete(.otherOrigin)) = outcome,
      case .reachedEnd(.incomplete(let error)) = list.state(of: .next)
    else {
      Issue.record("\(outcome)")
      return
    }
    #expect("\(error)".contains("127.0.0.1:\(stranger.port)"))
    #expect("\(error)".contains("127.0.0.1:\(loopback.port)"))
    #expect(!"\(error)".contains("secret"))
    #expect(list.ids == (0..<3).map(Catalogue.id))
    #expect(stranger.acceptedConnections == 0)
  }
}

/// A delegate that keeps the reports.
@MainActor final class ReportKeeper: ListModelDelegate {
  var reports: [PageReport] = []
  func listModel(_ model: ListModel<CatalogueRow>, didReport report: PageReport) {
    reports.append(report)
  }
}
