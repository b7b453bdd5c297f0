import Testing

@testable import ItemMapping

@Suite struct ItemMapperTests {
  static let page = #"{"data":{"list":[{"id":1},{"id":2}],"one":{"id":3},"none":null},"n":[]}"#

  @Test func `a mapping starts at a path`() throws {
    let document = try JSONDocument(Self.page)
    let mapper = ItemMapper()
    #expect(try mapper.items(Work.self, in: document, at: "data.list").value.map(\.id) == [1, 2])
    #expect(try mapper.items(Work.self, in: document, at: "/data/list").value.map(\.id) == [1, 2])
    #expect(try mapper.item(Work.self, in: document, at: "data.list[-1]").value.id == 2)
    #expect(try mapper.item(Work.self, in: document, at: "data.one").value.id == 3)
    #expect(try mapper.items(Work.self, in: document, at: "n").value.isEmpty)
  }

  static let wrong: [(JSONPath, String)] = [
    ("data.items", "no value at $['data']['items']: "),
    ("data.list[2]", "no value at $['data']['list'][2]: "),
    ("data.one", "can't map the response: expected an array at $['data']['one'], found an object"),
    ("data.none", "can't map the response: expected an array at $['data']['none'], found null"),
    (
      "data.list[0].id",
      "can't map the response: expected an array at $['data']['list'][0]['id'], found number 1"
    ),
  ]

  @Test(arguments: wrong)
  func `a path without a list is an error`(_ path: JSONPath, _ text: String) throws {
    let document = try JSONDocument(Self.page)
    #expect {
      try ItemMapper().items(Work.self, in: document, at: path)
    } throws: { error in
      error is MappingError && "\(error)".hasPrefix(text)
    }
  }

  static let losses: [(String, String)] = [
    (#"[{"id":1},{},{"id":"x"}]"#, "$[1]['id']: Work.id expects Int, found nothing (dropped)"),
    (#"[{"id":1},null]"#, "$[1]: expects Work, found null (dropped)"),
    (
      #"[{"id":1,"title":[]}]"#,
      "$[0]['title']: Work.title expects String, found an empty array (property unchanged)"
    ),
  ]

  @Test(arguments: losses)
  func `a mapper that fails fast ends at the first loss`(_ json: String, _ text: String) throws {
    var mapper = ItemMapper()
    mapper.failsFast = true
    let document = try JSONDocument(json)
    #expect {
      try mapper.items(Work.self, in: document)
    } throws: {
      "\($0)" == text
    }
  }

  @Test func `a report counts the dropped elements of a list that is read as one value`() throws {
    let document = try JSONDocument(#"{"list":[{"id":1},{},{"id":3},null],"none":null}"#)
    let works = try ItemMapper().item([Work].self, in: document, at: "list")
    #expect(works.value.map(\.id) == [1, 3])
    #expect(works.report.droppedItems == 2)
    let optional = try ItemMapper().item([Work]?.self, in: document, at: "list")
    #expect(optional.value?.count == 2 && optional.report.droppedItems == 2)
    let none = try ItemMapper().item([Work]?.self, in: document, at: "none")
    #expect(none.value == nil && none.report.droppedItems == 0)
  }

  @Test func `a conversion is not a loss`() throws {
    var mapper = ItemMapper()
    mapper.failsFast = true
    let mapped = try mapper.items(Work.self, in: JSONDocument(#"[{"id":"1","title":2}]"#))
    #expect(mapped.value.map(\.title) == ["2"])
    #expect(mapped.report.count(.used) == 2)
  }

  @Test func `a mapper can be reused, also concurrently`() async throws {
    let mapper = ItemMapper()
    let document = try JSONDocument(Self.page)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try mapper.items(Work.self, in: document, at: "data.list").value.count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2, count: 8))
  }

  @Test func `items outlive their document`() throws {
    func novel() throws -> Novel { try read(Novel.self, BaseItemTests.emma).value }
    let novels = try (0..<50).map { _ in try novel() }
    #expect(Set(novels.map(\.debugDescription)).count == 1)
    #expect(novels[0].tags[1] == "a longer string than that")
  }
}
