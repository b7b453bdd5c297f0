import ItemMapping
import Testing

@testable import ListReading

struct RowFingerprintsTests {
  @Test(arguments: [
    (#"[{"id":1,"n":"a"},{"id":2,"n":"a"}]"#, ["id"]),
    (#"[{"node":{"id":"x"},"cursor":"1"},{"node":{"id":"y"},"cursor":"2"}]"#, ["cursor"]),
    (#"[{"kind":"t3","data":{"id":"x"}},{"kind":"t3","data":{"id":"y"}}]"#, ["data.id"]),
    // An id that is the same in all rows identifies none of them.
    (#"[{"id":0,"name":"a","at":1},{"id":0,"name":"b","at":2}]"#, ["name", "at"]),
    (#"["a","b"]"#, []),
  ])
  func `rows are told apart by the members that differ in each`(json: String, columns: [String])
    throws
  {
    let rows = try JSONDocument(json).root
    #expect(RowFingerprints(of: rows).columns.map(\.plainText) == columns)
    #expect(RowFingerprints(of: rows).seen(in: rows) == [true, true])
  }

  @Test func `the last row is recognized at any position`() throws {
    let rows = try JSONDocument(#"[{"id":1},{"id":2},{"id":3}]"#).root
    let fingerprints = RowFingerprints(of: rows)
    let other = try JSONDocument(#"[{"id":3,"title":"changed"},{"id":4}]"#).root
    #expect(fingerprints.isLast(try #require(other[0])))
    #expect(!fingerprints.isLast(try #require(rows[0])))
    #expect(fingerprints.seen(in: other) == [true, false])
  }
}
