import ItemMapping
import Testing

@testable import ListReading

/// Which member of the rows is taken for their id.
struct RowIDFinderTests {
  private func path(_ rows: String) throws -> String? {
    let document = try JSONDocument(rows)
    return RowIDFinder.path(in: Array(document.root.elements))?.description
  }

  @Test func `usual names are enough if no two rows have the same`() throws {
    #expect(try path(#"[{"id":2},{"id":1}]"#) == "$['id']")
    #expect(try path(#"[{"id":1,"uuid":"b"},{"id":1,"uuid":"a"}]"#) == "$['uuid']")
    #expect(try path(#"[{"node":{"id":1}}]"#) == "$['node']['id']")
    #expect(try path("[3, 1]") == "$")
    #expect(try path("[1, 1]") == nil)
    #expect(try path("[]") == "$")
  }

  private func orders(_ numbers: [Int], customer: (Int) -> String = { "\($0 * 7 % 5)" }) -> String {
    let rows = numbers.map {
      #"{"CustomerID":"\#(customer($0))","OrderID":\#($0),"Freight":\#($0)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test func `other names count if they order the rows`() throws {
    #expect(try path(orders([1, 2, 3, 4, 5])) == "$['OrderID']")
    #expect(try path(orders([50, 40, 30, 20, 10])) == "$['OrderID']")
    #expect(try path(orders([1, 2, 3, 4])) == nil, "in order by chance")
    #expect(try path(orders([1, 3, 2, 4, 5])) == nil, "without an order")
    #expect(try path(orders([1, 2, 2, 4, 5])) == nil, "not unique")
    #expect(try path(orders([1, 2, 3, 4, 5]) { "c\($0)" }) == "$['CustomerID']")
    #expect(
      try path(#"[{"n":1},{"n":2},{"n":3},{"n":4},{"n":5}]"#) == nil, "a number of the row")
    #expect(
      try path(##"[{"b_id":"1"},{"b_id":"2"},{"b_id":"3"},{"b_id":"4"},{"b_id":5}]"##) == nil)
  }
}
