import ListReading
import ListSync
import QuireTesting
import Testing

@Suite struct RowTableTests {
  private static let texts = [
    "", "a", "é", "e\u{301}", "\0true", "123e4567-e89b-12d3-a456-426614174000",
    "123E4567-E89B-12D3-A456-426614174000", "123e4567-E89B-12d3-a456-426614174000",
    "123e4567-e89b-12d3-a456-42661417400g", String(repeating: "x", count: 70_000),
  ]

  @Test func `ids come back as they were`() {
    var table = RowTable()
    let ids = Self.texts.map { RowID($0) } + [0, 1, .number(-1), .number(.max), .number(.min), .number(1 << 40)]
    for (place, id) in ids.enumerated() {
      let added = table.insert(PackedID(id).bytes, mark: UInt64(place), round: place)
      #expect(added.isNew && added.index == place)
    }
    for (place, id) in ids.enumerated() {
      #expect(table.index(of: PackedID(id).bytes) == place && table.id(at: place).id == id)
      #expect(table[markOf: place] == UInt64(place) && table[roundOf: place] == place)
      #expect(!table.insert(PackedID(id).bytes, mark: 0, round: 0).isNew)
    }
    #expect(table.index(of: PackedID("b").bytes) == nil && table.count == ids.count)
    #expect(PackedID(.text(Self.texts[5])).bytes.count == 17)
  }

  @Test func `many ids are found, and no others`() {
    var random = SeededGenerator(seed: 5)
    var (table, known) = (RowTable(), [RowID: Int]())
    for _ in 0..<20_000 {
      let number = Int.random(in: 0..<50_000, using: &random)
      let id: RowID = number.isMultiple(of: 3) ? .text("id-\(number)") : .number(number)
      let added = table.insert(PackedID(id).bytes, mark: 1, round: 1)
      #expect(added.isNew == (known[id] == nil) && added.index == known[id] ?? known.count)
      known[id] = added.index
    }
    for number in 0..<50_000 {
      let id: RowID = number.isMultiple(of: 3) ? .text("id-\(number)") : .number(number)
      #expect(table.index(of: PackedID(id).bytes) == known[id])
    }
  }
}
