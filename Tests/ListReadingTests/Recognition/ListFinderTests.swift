import ItemMapping
import Testing

@testable import ListReading

struct ListFinderTests {
  @Test(arguments: [
    (#"[{"id":1}]"#, "$"),
    (#"[]"#, "$"),
    (#"{"data":[{"id":1}],"included":[{"id":2},{"id":3}]}"#, "$['data']"),
    (#"{"results":[]}"#, "$['results']"),
    (#"{"code":0,"data":{"list":[{"id":1}],"tags":[1,2,3]}}"#, "$['data']['list']"),
    (#"{"kind":"Listing","data":{"after":null,"children":[]}}"#, "$['data']['children']"),
    (
      #"{"response":{"docs":[{"id":1}]},"facet_counts":{"facet_queries":[]}}"#,
      "$['response']['docs']"
    ),
    (#"{"hits":{"total":{"value":1},"hits":[{"_id":"1"}]}}"#, "$['hits']['hits']"),
    (#"{"_embedded":{"orders":[{"id":1}]},"_links":{}}"#, "$['_embedded']['orders']"),
    (#"{"query":{"allpages":[{"pageid":1}]}}"#, "$['query']['allpages']"),
    (
      #"{"data":{"me":{"books":{"edges":[{"node":{}}],"pageInfo":{}}}}}"#,
      "$['data']['me']['books']['edges']"
    ),
    (
      #"{"data":{"me":{"books":{"edges":[{}],"nodes":[{}],"pageInfo":{}}}}}"#,
      "$['data']['me']['books']['nodes']"
    ),
    (#"{"ok":true,"members":[{"id":1}]}"#, "$['members']"),
    (#"{"ok":true,"members":[]}"#, "$['members']"),
    (#"{"users":[{"id":1}],"meta":{"items":[{"a":1},{"a":2},{"a":3}]}}"#, "$['users']"),
    (#"{"orders":[{"id":1},{"id":2},{"id":3},{"id":4}],"shops":[{"id":1}]}"#, "$['orders']"),
    (#"{"names":["a","b"],"total":2}"#, "$['names']"),
    (#"{"rows":[[1,2]],"columns":["a","b"]}"#, "$['rows']"),
    (#"{"errors":[],"payload":{"list":[]}}"#, "$['payload']['list']"),
  ])
  func `the rows are found in their usual places`(json: String, path: String) throws {
    guard case .found(let found, _) = ListFinder.find(in: try JSONDocument(json).root) else {
      Issue.record("nothing found")
      return
    }
    #expect(found.description == path)
  }

  @Test(arguments: [
    (
      #"{"orders":[{"id":1}],"shops":[{"id":1}]}"#,
      "2 arrays that could be the list: “orders”, “shops”"
    ),
    (#"{"data":[{"id":1}],"items":[]}"#, "2 arrays that could be the list: “data”, “items”"),
    (#"{"a":{"x":["1"]},"b":["2"]}"#, "2 arrays that could be the list: “b”, “a.x”"),
    (#"{"id":1}"#, "the response has no array"),
    (#"{"errors":[{"code":1}]}"#, "the response has no array"),
    (#""text""#, "the response has no array"),
    (#"{"a":{"b":{"c":{"d":{"e":[{"id":1}]}}}}}"#, "the response has no array"),
  ])
  func `ambiguous lists are named, not chosen`(json: String, message: String) throws {
    let found = ListFinder.find(in: try JSONDocument(json).root)
    let error = #expect(throws: PagingError.self) { try found.path() }
    guard case .listNotFound(let seen, _)? = error else {
      Issue.record("chose \(found)")
      return
    }
    #expect(seen.contains(message), "\(seen)")
  }

  @Test func `of ten thousand arrays, five are named`() throws {
    let json = "{" + (0..<10_000).map { #""a\#($0)":[{"id":1}]"# }.joined(separator: ",") + "}"
    let found = ListFinder.find(in: try JSONDocument(json).root)
    let error = #expect(throws: PagingError.self) { try found.path() }
    #expect(error?.description.contains("and 9995 more") == true)
  }

  @Test func `the deepest envelope that the parser accepts is searched quickly`() throws {
    let depth = 900
    let json =
      String(repeating: #"{"data":"#, count: depth) + "[]" + String(repeating: "}", count: depth)
    #expect(ListFinder.find(in: try JSONDocument(json).root) == .missing)
  }
}
