import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// Numbers of all rows as servers write them, and which of them are only lower bounds.
@Suite struct ReportedTotalTests {
  private func total(_ json: String, beside members: String = "", named name: String = "total")
    throws -> ReportedTotal?
  {
    let body = try JSONDocument(#"{"rows":[{"id":1}],"\#(name)":\#(json)\#(members)}"#).root
    let page = PageResponse(
      key: PageKey(.start), call: Call("/rows"),
      response: HTTPResponse(status: 200, url: try WebURL("https://test/rows")), envelope: body,
      itemsPath: "rows", count: 1)
    guard case .found(let total) = page.total(at: .body(JSONPath([.name(name)]))) else {
      return nil
    }
    return total
  }

  @Test(arguments: [
    ("2500", 2500, false), (#""2500""#, 2500, false), ("2500.0", 2500, false),
    (#""1,000""#, 1000, false), (#""1 234 567""#, 1_234_567, false), (#""1'000""#, 1000, false),
    (#""1,000+""#, 1000, true), (#""200+""#, 200, true), (#""> 10,000""#, 10_000, true),
    (#""about 5000""#, 5000, true), (#""~300""#, 300, true), (#""1000 or more""#, 1000, true),
    ("1234.5", 1234, true), (#""1234.5""#, 1234, true),
    (#"{"value":1000,"relation":"eq"}"#, 1000, false),
    (#"{"value":1000,"relation":"gte"}"#, 1000, true),
    (#"{"value":1000,"is_estimate":true}"#, 1000, true),
  ])
  func `a total is read with what it says of itself`(json: String, rows: Int, isAtLeast: Bool)
    throws
  {
    #expect(try total(json) == ReportedTotal(rows: rows, isAtLeast: isAtLeast))
  }

  @Test(arguments: [
    "-1", #""many""#, "true", "[1]", "{}", "1e300", #""1 2""#, #""12,34""#, #""page 3""#, "null",
  ])
  func `what is no number of rows is none`(json: String) throws {
    #expect(try total(json) == nil)
  }

  @Test(arguments: [
    (#","total_is_estimate":true"#, true), (#","total_is_estimate":false"#, false),
    (#","approximate":true"#, true), (#","exact_count":false"#, true),
    (#","exact_count":true"#, false), (##","count_type":"estimated""##, true),
    (##","total_relation":"gte""##, true), (#","other":true"#, false),
  ])
  func `a member beside it says whether it is exact`(members: String, isAtLeast: Bool) throws {
    #expect(try total("1000", beside: members)?.isAtLeast == isAtLeast)
  }

  @Test func `its name may say that it is an estimate`() throws {
    #expect(try total("1000", named: "estimatedTotalHits")?.isAtLeast == true)
    #expect(try total("1000", named: "total_hits")?.isAtLeast == false)
  }

  @Test func `a total of something else is not the total of the list`() throws {
    for other in [
      #""comments":{"total":2000}"#, #""featured":{"id":7,"total":2000}"#,
      #""data":{"others":[{"id":1}],"total":2000}"#, #""comments_total":2000"#,
      #""filtered_out":2000"#,
    ] {
      #expect(try evidence(beside: other).total == nil, "\(other)")
    }
  }

  @Test(arguments: [
    #""recordsTotal":2000,"recordsFiltered":30"#, #""filteredCount":30,"totalCount":2000"#,
    #""total":2000,"total_filtered":30"#,
  ])
  func `a total of filtered rows counts in place of one of all rows`(members: String) throws {
    let evidence = try evidence(beside: members)
    #expect(evidence.total?.value == 30)
    #expect(evidence.bodyTotals.map(\.value) == [ReportedTotal(rows: 30)])
  }

  private func evidence(beside members: String) throws -> Evidence {
    let body = try JSONDocument(#"{"rows":[{"id":1},{"id":2}],\#(members)}"#).root
    return Evidence(
      PageResponse(
        key: PageKey(.start), call: Call("/rows"),
        response: HTTPResponse(status: 200, url: try WebURL("https://test/rows")), envelope: body,
        itemsPath: "rows", count: 2))
  }
}
