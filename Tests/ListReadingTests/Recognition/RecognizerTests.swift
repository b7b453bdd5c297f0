import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

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

  @Test(arguments: ["/\u{301}x", "?\u{301}page=2", "./\u{301}x"])
  func `a combining character doesn't hide that a text is an address`(link: String) throws {
    let found = try recognize(#"{"items":[{"id":1}],"next":"\#(link)"}"#)
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
    #expect(try recognize(json).likely?.description == declaration)
  }

  @Test func `a recognized paging prints as the arguments to declare`() throws {
    let call = Call("/books", params: ["page": 1, "per_page": 20])
    let found = try recognize(#"{"data":{"list":[{"id":1}],"page":1,"has_next":true}}"#, call)
    #expect(
      found.recognized?.description
        == #"items: "data.list", paging: .pageNumber(size: 20, endsBy: .hasNext("data.has_next"))"#)
    #expect(found.recognized?.reason == "the body has “data.page” and “data.has_next”")
  }
}

extension Recognizer.Recognition {
  /// The recognized paging, or the one that is tried first.
  var likely: Paging? {
    if let recognized { return recognized.paging }
    guard case .page(let key) = facts.next, case .trial(let trial) = key.place else { return nil }
    return trial.candidate.paging
  }
}
