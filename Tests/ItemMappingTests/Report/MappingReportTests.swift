import Testing

@testable import ItemMapping

@Suite struct MappingReportTests {
  final class Row: BaseItem {
    var id = 0
    var likes = 0
    var rating: Double?
    var parts: [Row] = []
    override class var fields: FieldTable {
      FieldTable(Row.self) { f in
        f(\.id, "id", .required)
        f(\.likes, "likes")
        f(\.rating, "rating")
        f(\.parts, "parts")
      }
    }
  }

  private func page(_ rows: Int, _ row: (Int) -> String) throws -> JSONDocument {
    try JSONDocument("[" + (0..<rows).map(row).joined(separator: ",") + "]")
  }

  @Test func `one bad element never discards the page`() throws {
    let bad = ["{}", "null", "7", "[]", "\"x\"", #"{"id":"x"}"#, #"{"id":null}"#, #"{"id":[1]}"#]
    let document = try page(1000) { $0 % 100 == 7 ? bad[$0 / 100 % 8] : "{\"id\":\($0)}" }
    let mapped = try ItemMapper().items(Row.self, in: document)
    #expect(mapped.value.map(\.id) == (0..<1000).filter { $0 % 100 != 7 })
    #expect(mapped.report.count(.dropped) == 10)
  }

  @Test func `a repeated issue is reported once, with its count`() throws {
    let document = try page(1000) { "{\"id\":\($0),\"likes\":\($0 < 2 ? "1" : "\"1\"")}" }
    let report = try ItemMapper().items(Row.self, in: document).report
    #expect(report.count(.used) == 998)
    #expect(report.groups.count == 1)
    #expect(report.groups[0].count == 998)
    #expect(report.groups[0].total == 1000)
    #expect(report.groups[0].samples.map(\.path.description) == (2...4).map { "$[\($0)]['likes']" })
    #expect(
      report.description
        == "998 of 1000 times: $[2]['likes']: Row.likes expects Int, found string \"1\" (converted)"
    )
  }

  @Test(arguments: [0, 1, 2, 10])
  func `the report describes the requested number of issues, at least one`(_ samples: Int) throws {
    var mapper = ItemMapper()
    mapper.samples = samples
    let report = try mapper.items(Row.self, in: page(5) { "{\"id\":\($0),\"likes\":[]}" }).report
    #expect(report.groups.map(\.samples.count) == [min(5, max(1, samples))])
    #expect(report.groups.map(\.count) == [5])
  }

  @Test func `kinds, fields and effects are separate groups`() throws {
    let report = try ItemMapper().items(
      Row.self,
      in: JSONDocument(
        """
        [{"id":1,"likes":"x"},{"id":2,"likes":[]},{"id":3,"likes":1.5},{"id":4,"likes":"5"},{"likes":1},
         {"id":5,"rating":"x"},{"id":6,"parts":[{"id":7,"likes":"y"},{}]}]
        """)
    ).report
    #expect(
      report.groups.map { "\($0.samples[0].kind) \($0.samples[0].effect) \($0.count)/\($0.total)" }
        == [
          "unreadable kept 2/9", "wrongType kept 1/9", "fraction kept 1/9", "converted used 1/9",
          "missing dropped 2/9", "unreadable kept 1/9",
        ])
    #expect(report.count(.dropped) == 2)
    #expect(report.count(.used) == 1)
    #expect(report.count(.kept) == 5)
    #expect(!report.isClean)
  }

  @Test func `paths start at the document's root`() throws {
    let document = try JSONDocument(#"{"data":{"a.b":[{"id":1,"parts":[{"id":2,"likes":{}}]}]}}"#)
    let report = try ItemMapper().items(Row.self, in: document, at: "data['a.b']").report
    #expect(
      report.description == """
        $['data']['a.b'][0]['parts'][0]['likes']: Row.likes expects Int, found an object (property unchanged)
        """)
  }

  @Test func `long values are cut and control characters are replaced`() throws {
    let long = String(repeating: "é", count: 100)
    let report = try read(Row.self, "{\"id\":1,\"likes\":\"a\\n\\u0000\\u007f\(long)\"}").report
    let found = try #require(report.groups.first?.samples.first?.found)
    #expect(found == "string \"a   " + String(repeating: "é", count: 60) + "…\"")
    #expect(report.description.split(separator: "\n").count == 1)
  }

  @Test func `items are counted once, however their class is selected`() throws {
    let posts = try ItemMapper().items(
      ItemVariantsTests.Post.self,
      in: JSONDocument(#"[{"text":[]},{"text":"a"},{"kind":"photo","text":{}}]"#))
    #expect(posts.report.groups.map(\.total) == [3, 1])
    let desk = ItemVariantsTests.Desk()
    let report = try ItemMapper().update(
      desk,
      from: JSONDocument(#"{"below":{"id":"x"},"papers":[{"type":"book","id":1,"pages":[]}]}"#))
    #expect(report.groups.map(\.total) == [1, 1])
  }

  @Test func `a repaired document is not clean`() throws {
    let report = try ItemMapper().item(
      Row.self, in: JSONDocument("\u{FEFF}{\"id\":1}")
    ).report
    #expect(!report.isClean)
    #expect(report.description == "byte 0: a byte order mark was skipped")
  }

  /// Reads anything on a second attempt; gives no reason for `null`.
  struct Either: JSONValue {
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Either? {
      if run.view(place).isNull { return nil }
      return Int.read(place, in: &run).map { _ in Either() } ?? Either()
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .null }
  }

  @Test func `an element rejected without a reason is reported at its own place`() throws {
    let list = try JSONDocument(#"["read in another way",null]"#)
    #expect(
      try ItemMapper().items(Either.self, in: list).report.description
        == "$[1]: expects another value, found null (dropped)")
  }
}
