import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListModel

/// Recognition where facts are missing, contradictory or invalid.
struct RecogniserTests {
  private func recognize(
    _ json: String, _ call: Call = Call("/books"), headers: HTTPHeaders = [:]
  ) throws -> Recognizer.Recognition {
    let root = try JSONDocument(json).root
    guard case .found(let path, _) = ListFinder.find(in: root) else {
      Issue.record("no list")
      return Recognizer.Recognition(facts: PageFacts(next: .end))
    }
    return Recognizer.recognize(
      PageResponse(
        key: PageKey(.start), call: call,
        response: HTTPResponse(headers: headers, url: try WebURL("https://api.test/books")),
        envelope: root, itemsPath: path, count: root[path]?.count ?? 0))
  }

  @Test(arguments: [
    #"{"items":[{"id":1},{"id":2}],"total":2}"#,
    #"{"items":[{"id":1},{"id":2}],"has_more":false}"#,
    #"{"items":[{"id":1},{"id":2}],"has_more":0}"#,
    #"{"items":[{"id":1},{"id":2}],"hasNext":"false"}"#,
    #"{"items":[{"id":1},{"id":2}],"next":null}"#,
    #"{"items":[{"id":1},{"id":2}],"next_cursor":""}"#,
    #"{"items":[{"id":1},{"id":2}],"page":1,"total_pages":1}"#,
    #"{"items":[{"id":1},{"id":2}],"offset":0,"limit":20,"total":2}"#,
    #"{"items":[{"id":1},{"id":2}],"links":{"self":"/books"}}"#,
    #"{"items":[],"total":0}"#,
    "[]",
  ])
  func `a list that says it is complete ends there`(json: String) throws {
    #expect(try recognize(json).facts.next == .end)
  }

  @Test func `a Link header wins over null in the body`() throws {
    let found = try recognize(
      #"{"items":[{"id":1}],"next":null}"#, headers: ["Link": #"<?page=2>; rel="next""#])
    #expect(found.recognized?.paging == .link)
    #expect(found.facts.next == .page(PageKey(.url(try WebURL("https://api.test/books?page=2")))))
  }

  @Test func `an address in the body wins over an ended Link header`() throws {
    let found = try recognize(
      #"{"items":[{"id":1}],"next":"/books?page=2"}"#,
      headers: ["Link": #"</books?page=9>; rel="last""#])
    #expect(found.recognized?.paging.description == #".nextURL(at: "next")"#)
  }

  @Test func `a total that contradicts the end leads to a trial`() throws {
    let found = try recognize(#"{"items":[{"id":1},{"id":2}],"next":null,"total":9}"#)
    guard case .page(let key) = found.facts.next, case .trial(let trial) = key.place else {
      Issue.record("\(found.facts.next)")
      return
    }
    #expect(
      trial.reason
        == "“total” is 9 and the response has 2 rows, but nothing leads to the next page")
  }

  @Test func `the same total in the middle of a list is no contradiction`() throws {
    let call = Call("/books", params: ["page": 5])
    let found = try recognize(#"{"items":[{"id":1}],"next":null,"total":9}"#, call)
    #expect(found.facts.next == .end)
  }

  @Test(arguments: [
    (#"{"items":[{"id":1}],"total":"many"}"#, "total, expected the total number of rows"),
    (#"{"items":[{"id":1}],"total":-1}"#, "total, expected the total number of rows"),
    (#"{"items":[{"id":1}],"has_more":"perhaps"}"#, "has_more, expected true or false"),
    (#"{"items":[{"id":1}],"next":true}"#, "next, expected an address or a token"),
  ])
  func `an invalid fact is reported and decides nothing`(json: String, message: String)
    throws
  {
    let facts = try recognize(json).facts
    #expect(facts.problems.map(\.description).joined().contains(message), "\(facts.problems)")
    #expect(facts.next != .end)
  }

  @Test func `an address at another origin stops the list`() throws {
    let next = try recognize(#"{"items":[{"id":1}],"next":"https://evil.test/books?page=2"}"#).facts
      .next
    guard case .stopped(.otherOrigin) = next else {
      Issue.record("\(next)")
      return
    }
  }

  @Test func `an address of the page itself stops the list`() throws {
    let next = try recognize(#"{"items":[{"id":1}],"next":"https://api.test/books"}"#).facts.next
    #expect(next == .stopped(.noProgress(PageKey(.start))))
  }

  @Test(arguments: [
    (
      #"{"rows":[{"id":1}],"page":0,"total_pages":3}"#,
      ".pageNumber(first: 0, endsBy: .pageCount(\"total_pages\"))"
    ),
    (
      #"{"rows":[{"id":1}],"page":1,"total_pages":3}"#,
      ".pageNumber(endsBy: .pageCount(\"total_pages\"))"
    ),
    // Named a count, but 9 rows in pages of 3 make 3 pages, and the last one has the number 2.
    (
      #"{"rows":[{"id":1},{"id":2},{"id":3}],"page":0,"pages":2,"size":3,"total":9}"#,
      ".pageNumber(first: 0, endsBy: .lastPage(\"pages\"), .total(\"total\"))"
    ),
    (
      #"{"rows":[{"id":1}],"start":1,"total":3}"#,
      ".offset(limit: 1, first: 1, parameter: \"start\", limitParameter: nil, endsBy: .total(\"total\"))"
    ),
    (
      #"{"rows":[{"id":1}],"start":0,"total":3}"#,
      ".offset(limit: 1, parameter: \"start\", limitParameter: nil, endsBy: .total(\"total\"))"
    ),
  ])
  func `the first response shows whether pages count from 0 or 1`(json: String, declaration: String)
    throws
  {
    #expect(try recognize(json).recognized?.paging.description == declaration)
  }

  @Test func `a recognized paging prints as the arguments to declare`() throws {
    let call = Call("/books", params: ["page": 1, "per_page": 20])
    let found = try recognize(#"{"data":{"list":[{"id":1}],"page":1,"has_next":true}}"#, call)
    #expect(
      found.recognized?.description
        == #"items: "data.list", paging: .pageNumber(size: 20, endsBy: .hasNext("data.has_next"))"#)
    #expect(found.recognized?.reason == "the body has “data.page” and “data.has_next”")
  }

  @Test func `no envelope of known names traps`() throws {
    let generator = try SeededGenerator.fromEnvironment()
    var random = RandomEnvelope(generator: generator)
    for _ in 0..<Thoroughness.runs(500) {
      let json = random.envelope(depth: 4).text()
      let root = try JSONDocument(json).root
      guard case .found(let path, _) = ListFinder.find(in: root) else { continue }
      let page = PageResponse(
        key: PageKey(.start), call: Call("/books"),
        response: HTTPResponse(url: try WebURL("https://api.test/books")), envelope: root,
        itemsPath: path, count: root[path]?.count ?? 0)
      let found = Recognizer.recognize(page)
      if case .page(let key) = found.facts.next, case .trial(let trial) = key.place {
        // The same response again is never the next page.
        if case .accepted = trial.judge(page) {
          Issue.record("\(generator): \(json)")
        }
      } else if case .page(let key) = found.facts.next {
        #expect(found.recognized != nil, "\(generator): \(key) in \(json)")
      }
    }
  }
}

/// Random envelopes of the names and values that recognition searches for.
struct RandomEnvelope {
  var generator: SeededGenerator

  private mutating func next(_ count: Int) -> Int { .random(in: 0..<count, using: &generator) }

  private static let names =
    FactNames.total + FactNames.hasMore + FactNames.isLast + FactNames.nextURL + FactNames.page
    + FactNames.pageCount + FactNames.lastPage + FactNames.size + FactNames.offset
    + FactNames.places.map(\.0) + ["items", "data", "edges", "continue", "object", "next_cursor"]

  mutating func envelope(depth: Int) -> JSONAny {
    var object = JSONObject()
    for _ in 0..<(1 + next(6)) {
      object[Self.names[next(Self.names.count)]] = value(depth: depth)
    }
    return .object(object)
  }

  private mutating func value(depth: Int) -> JSONAny {
    switch next(depth > 0 ? 10 : 7) {
    case 0: .null
    case 1: .bool(next(2) == 0)
    case 2: .int(next(7) - 1)
    case 3: .int([.max, .min, 1 << 53][next(3)])
    case 4: .string(["", "abc", "/books?page=2", "?", "http://[", "12"][next(6)])
    case 5: .double(0.5)
    case 6: .array((0..<next(4)).map { ["id": .int($0)] })
    default: envelope(depth: depth - 1)
    }
  }
}
