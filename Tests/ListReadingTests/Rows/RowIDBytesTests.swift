import ItemMapping
import Testing

@testable import ListReading

/// Ids are equal if their JSON is.
struct RowIDBytesTests {
  /// Values that are different ids, although some are equal as strings or numbers of Swift.
  static let different = [
    #""é""#, #""e\u0301""#, #""1""#, "1", "1.0", "1e0", "0", "-0", "0.0", #""""#, #""0""#, "true",
    "false", #""true""#, "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "0.1", "0.10", "1e400", #""a""#, #""A""#, #""\u00c5""#, #""\u212b""#,
  ]

  private func rows(_ values: [String]) throws -> [JSONView] {
    let text = "[" + values.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    return Array(try JSONDocument(text).root.elements)
  }

  @Test func `ids are different where their JSON is, in all places`() throws {
    let rows = try rows(Self.different)
    let ids = rows.compactMap { RowID(at: "id", in: $0) }
    #expect(Set(ids).count == rows.count)
    #expect(Set(ids.map(RowDigest.init)).count == rows.count)
    #expect(Set(rows.compactMap { RowDigest(at: "id", in: $0) }).count == rows.count)
    #expect(RowIDFinder.path(in: rows) == nil || RowIDFinder.path(in: rows) == "id")
    let fingerprints = RowFingerprints(of: try document(Self.different))
    for (place, value) in Self.different.enumerated() {
      let others = Self.different.filter { $0 != value }
      #expect(!fingerprints.seen(in: try document(others)).contains(false))
      let without = RowFingerprints(of: try document(others))
      #expect(without.seen(in: try document([value])) == [false], "\(Self.different[place])")
    }
  }

  private func document(_ values: [String]) throws -> JSONView {
    let text = "[" + values.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    return try JSONDocument(text).root
  }

  @Test func `an id and its digest are equal to those of the same JSON`() throws {
    for (first, second) in zip(try rows(Self.different), try rows(Self.different)) {
      let id = try #require(RowID(at: "id", in: first))
      #expect(id == RowID(at: "id", in: second))
      #expect(id.hashValue == RowID(at: "id", in: second)?.hashValue)
      #expect(RowDigest(id) == RowDigest(at: "id", in: second))
    }
    #expect(RowID(at: "id", in: try rows(["null"])[0]) == nil)
    #expect(RowDigest(at: "id", in: try rows(["null"])[0]) == nil)
  }

  @Test func `a walk keeps rows whose ids differ by bytes only`() throws {
    var walked = WalkedRows(.by("id"))
    let added = walked.add(try rows(Self.different))
    #expect(added.rows.count == Self.different.count && added.duplicates == 0)
    let again = walked.add(try rows(Self.different))
    #expect(again.rows.isEmpty && again.duplicates == Self.different.count)
  }
}
