import ItemMapping
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// An update has the id of its row.
@MainActor struct UpdateIdentityTests {
  private let bench = ListBench(pages: 2)

  @Test func `an update with an item of another id is refused`() async throws {
    _ = await bench.model.loadAll()
    #expect(throws: ListEditError.differentID(4, expected: 3)) {
      try bench.model.edit(.update(3, Row(id: 4)))
    }
    #expect(throws: ListEditError.differentID(9, expected: 3)) {
      try bench.model.edit(.update(3, Row(id: 9)))
    }
    #expect(bench.ids == Array(0..<6))
    try bench.model.edit(.update(3, Row(id: 3)))
    #expect(throws: ListEditError.differentID(4, expected: 3)) {
      try bench.model.edit(.update(3, Row(id: 4)))
    }
    #expect(throws: ListEditError.unknownRow(9)) {
      try bench.model.edit(.update(9, Row(id: 3)))
    }
  }

  @Test func `an item with an id needs no other one`() async throws {
    _ = await bench.model.refresh().outcome
    let edit = try bench.model.edit(.update(Row(id: 2)))
    bench.model.confirm(edit)
    #expect(bench.ids == [0, 1, 2])
    #expect(throws: ListEditError.unknownRow(9)) { try bench.model.edit(.update(Row(id: 9))) }
    #expect(ListEdit.update(Row(id: 2)).row == 2)
  }

  @Test func `a draft keeps the id of its item`() async throws {
    _ = await bench.model.refresh().outcome
    try bench.model.edit(.insert(Row(id: 0), id: "draft", at: .start))
    try bench.model.edit(.update("draft", Row(id: 0)))
    #expect(throws: ListEditError.differentID(2, expected: "draft")) {
      try bench.model.edit(.update("draft", Row(id: 2)))
    }
    #expect(bench.ids == [0, 0, 1, 2])
  }

  @Test func `a row without an id of its own is updated with one without`() async throws {
    struct Note: Decodable, Equatable {
      var id: Int?
      var text = ""
    }
    let transport = MockTransport { _ in .json(#"{"rows":[{"text":"a"},{"id":2,"text":"b"}]}"#) }
    let list = ListModel<Note>(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(size: 3), identity: .by(\.id))
    _ = await list.refresh().outcome
    let row = try #require(list.brain.store.id(atRow: 0))
    try list.edit(.update(row, Note(id: nil, text: "c")))
    #expect(list.items.map(\.text) == ["c", "b"])
    #expect(throws: ListEditError.self) { try list.edit(.update(row, Note(id: 2, text: "d"))) }
  }
}
