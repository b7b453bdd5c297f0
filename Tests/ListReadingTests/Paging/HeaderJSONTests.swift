import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct HeaderJSONTests {
  @Test(arguments: [
    (#"{"page":{"next":"a"}}"#, "a" as JSONAny?), (#"{"page":{"next":{"k":1.10}}}"#, nil),
    (#"{"page":{"next":7}}"#, 7), (#"{"page":{}}"#, nil), ("no JSON", nil), ("", nil),
    (#"{"page":{"next":null}}"#, nil),
  ])
  func `a cursor is read from the JSON of a header`(_ header: String, _ cursor: JSONAny?) throws {
    let paging = Paging.cursor(at: .headerJSON("X-Page", at: "page.next"))
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, ["items": []], headers: ["x-page": header]))
    if header.contains("1.10") {
      guard case .page(let key) = facts.next, case .after(let value) = key.place else {
        Issue.record("\(facts.next)")
        return
      }
      #expect(value.text() == #"{"k":1.10}"#)
    } else {
      #expect(facts.next == cursor.map { .page(PageKey(.after($0))) } ?? .end)
    }
  }

  @Test func `the page count is read from the JSON of a header`() throws {
    let paging = Paging.pageNumber(endsBy: .pageCount(.headerJSON("X-Page", at: "pages")))
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, ["items": [1, 2]], headers: ["X-Page": #"{"pages":1}"#]))
    #expect(facts.next == .end && facts.pageCount == 1)
    #expect("\(paging)" == #".pageNumber(endsBy: .pageCount(.headerJSON("X-Page", at: "pages")))"#)
  }

  @Test(arguments: [
    ("rows?page=2", "https://api.test/v2/rows?page=2"), ("/rows", "https://api.test/rows"),
    ("?page=2", "https://api.test/v2/?page=2"), ("https://api.test/x", "https://api.test/x"),
  ])
  func `an address is resolved against the declared base`(
    _ link: String, _ target: String
  ) throws {
    let paging = Paging.nextURL(at: "next", base: try WebURL("https://api.test/v2/"))
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, ["items": [], "next": .string(link)]))
    #expect(facts.next == .page(PageKey(.url(try WebURL(target)))))
    #expect("\(paging)" == #".nextURL(at: "next", base: try WebURL("https://api.test/v2/"))"#)
  }

  @Test func `a base at another origin stops the list`() throws {
    let paging = Paging.nextURL(at: "next", base: try WebURL("https://other.test/"))
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["items": [], "next": "rows"]))
    guard case .stopped(.otherOrigin) = facts.next else {
      Issue.record("\(facts.next)")
      return
    }
  }
}
