import ItemMapping
import QuireTesting
import Testing

@testable import ListReading

/// The ids that a walk keeps.
struct KnownRowsTests {
  private static func ids(_ generator: inout SeededGenerator) -> [RowID] {
    (0..<Int.random(in: 0...20_000, using: &generator)).map { _ in
      let number = Int.random(in: -6_000...6_000, using: &generator)
      return switch Int.random(in: 0..<8, using: &generator) {
      case 0: .text("\(number)")
      case 1: .text("ä\(number) and a text of more than fifteen bytes")
      case 2: RowID([number])
      case 3: .number(number << 40)
      default: .number(number)
      }
    }
  }

  @Test func `each row is known with its index, order and id`() throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(10, full: 300)) {
      var generator = seeded
      var rows = KnownRows(keepsIDs: true)
      var expected: [RowID: (index: Int, order: Int)] = [:]
      for (order, id) in Self.ids(&generator).enumerated() {
        let (isNew, index) = rows.insert(RowDigest(id), order: order, id: id)
        #expect(isNew == (expected[id] == nil))
        let known = expected[id] ?? (expected.count, order)
        expected[id] = known
        #expect(index == known.index && rows[orderOf: index] == known.order)
      }
      #expect(rows.count == expected.count && rows.isEmpty == expected.isEmpty)
      for (id, known) in expected {
        #expect(rows.index(of: RowDigest(id)) == known.index && rows.id(at: known.index) == id)
      }
      #expect(rows.index(of: RowDigest("another")) == nil)
      let asked = Self.ids(&generator)
      // Between two rows without an id.
      let digests = [nil] + asked.map { RowDigest($0) } + [nil]
      #expect(rows.indices(of: digests) == [nil] + asked.map { expected[$0]?.index } + [nil])
    }
  }

  @Test func `rows of another walk have no order, and those known to both are not added`() {
    var rows = KnownRows(keepsIDs: true)
    var others = KnownRows(keepsIDs: true)
    for number in 0..<10 {
      _ = rows.insert(RowDigest(.number(number)), order: 7, id: .number(number))
    }
    for number in 5..<15 {
      _ = others.insert(RowDigest(.number(number)), order: 9, id: .number(number))
    }
    rows.insert(others)
    #expect((0..<rows.count).compactMap(rows.id(at:)) == (0..<15).map(RowID.number))
    #expect(
      (0..<rows.count).map { rows[orderOf: $0] } == [Int](repeating: 7, count: 10) + [
        -1, -1, -1, -1, -1,
      ])
  }

  @Test func `an order can change, and be unknown`() {
    var rows = KnownRows()
    let index = rows.insert(RowDigest("a"), order: 3, id: "a").index
    rows[orderOf: index] = 1 << 31
    #expect(rows[orderOf: index] == 1 << 31 && rows.id(at: index) == nil)
    rows[orderOf: index] = KnownRows.unordered
    #expect(rows[orderOf: index] == KnownRows.unordered)
  }

  @Test func `ids in rows are the same as ids of a program`() throws {
    let texts = [
      "1", "-7", "1.0", "1e3", "12345678901234567890", "0.5", "\"1\"", "\"\"", "\"a\\u0041\"",
      "\"ä\"",
      "\"a\\u0308\"", "true", "[1]", "{\"a\":1}",
    ]
    let rows = try JSONDocument("[" + texts.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
      .root
    let ids = rows.elements.map { RowID(at: "id", in: $0) }
    let digests = rows.elements.map { RowDigest(at: "id", in: $0) }
    #expect(ids.map { $0.map { RowDigest($0) } } == digests)
    #expect(Set(digests).count == texts.count)
    for row in try JSONDocument(#"[{"id":null},{"a":1},[],7]"#).root.elements {
      #expect(RowDigest(at: "id", in: row) == nil)
    }
  }

  @Test(arguments: [("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")])
  func `a character beyond ASCII that is equal to one of ASCII as a string makes another id`(
    ascii: String, other: String
  ) {
    #expect(ascii == other && RowID.text(ascii) != .text(other))
    #expect(RowDigest(.text(ascii)) != RowDigest(.text(other)))
    #expect(RowDigest(.text("a" + ascii)) != RowDigest(.text("a" + other)))
  }
}
