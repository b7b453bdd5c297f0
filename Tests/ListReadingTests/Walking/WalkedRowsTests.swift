import ItemMapping
import QuireTesting
import TestSupport
import Testing

@testable import ListReading

/// Rows whose ids turn out to be none are not told apart any longer. That is looked at only for pages on which an id
/// may repeat.
struct WalkedRowsTests {
  /// A page of rows with ids of a small range, so that they repeat within the page and among pages.
  private static func page(_ random: inout SeededGenerator) throws -> [JSONView] {
    let start = Int.random(in: 0..<40, using: &random)
    var rows = (0..<Int.random(in: 0...6, using: &random)).map { offset in
      #"{"id":\#(start + offset),"name":"a"}"#
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) where !rows.isEmpty {
      let place = Int.random(in: 0...rows.count, using: &random)
      let row =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: #"{"name":"no id"}"#
        case 1: rows[place % rows.count].replacing(#""a""#, with: #""b""#)
        default: rows[place % rows.count]
        }
      rows.insert(row, at: place)
    }
    return Array(try JSONDocument("[" + rows.joined(separator: ",") + "]").root.elements)
  }

  private static func hasOneIDForDifferentRows(_ rows: [JSONView]) -> Bool {
    let texts = Dictionary(grouping: rows.filter { $0["id"] != nil }, by: { $0["id"]?.int })
    return texts.values.contains { Set($0.map(\.text)).count > 1 }
  }

  /// Says how the results of a page differ.
  private static func difference(_ a: WalkedRows.Added, _ b: WalkedRows.Added) -> String? {
    if a.rows.map(\.text) != b.rows.map(\.text) { return "other rows" }
    if a.duplicates != b.duplicates || a.received != b.received
      || a.fingerprint != b.fingerprint
    {
      return "other counts"
    }
    return a.indices != b.indices || a.shared != b.shared ? "other shared rows" : nil
  }

  @Test func `ids are given up on the first page that has two rows with one id`() throws {
    var (givenUp, keptOn) = (0, 0)
    for seeded in try SeededGenerator.runs(Thoroughness.runs(300, full: 20_000)) {
      var random = seeded
      // The one looks at ids that may repeat, the other one trusts them.
      let delivered = (0..<Int.random(in: 0...20, using: &random)).map { RowID(2 * $0) }
      let keepsSightings = Bool.random(using: &random)
      var rows = WalkedRows(.recognized, delivered: delivered, keepsSightings: keepsSightings)
      var trusting = WalkedRows(.by("id"), delivered: delivered, keepsSightings: keepsSightings)
      var mayResume = Bool.random(using: &random)
      if mayResume {
        rows.resume(with: "id")
        trusting.resume(with: "id")
      } else {
        let first = Array(
          try JSONDocument(#"[{"id":1,"name":"a"},{"id":2,"name":"a"}]"#).root.elements)
        #expect(
          Self.difference(rows.add(first), trusting.add(first)) == nil)
      }
      for number in 1...12 {
        let page = try Self.page(&random)
        let rowsToSkip = mayResume ? Int.random(in: 0...min(2, page.count), using: &random) : 0
        mayResume = false
        let showsOrder = Bool.random(using: &random)
        let readsIDs = Bool.random(using: &random)
        let added = rows.add(
          page, readsIDs ? rows.ids(of: page) : nil, rowsToSkip: rowsToSkip,
          showsOrder: showsOrder)
        if Self.hasOneIDForDifferentRows(page) {
          givenUp += 1
          #expect(rows.idPath == nil && rows.knowsNone, "\(seeded): page \(number)")
          let (all, kept) = (page.dropFirst(rowsToSkip).map(\.text), added.rows.map(\.text))
          // An overlap may begin with the last rows before it.
          #expect(showsOrder ? all.suffix(kept.count) == kept[...] : all == kept, "\(seeded)")
          #expect(showsOrder || added.received == page.count, "\(seeded)")
          #expect(added.duplicates == 0, "\(seeded)")
          break
        }
        keptOn += 1
        let trusted = trusting.add(
          page, readsIDs ? trusting.ids(of: page) : nil, rowsToSkip: rowsToSkip,
          showsOrder: showsOrder)
        #expect(rows.idPath == "id", "\(seeded): page \(number)")
        #expect(Self.difference(added, trusted) == nil, "\(seeded): page \(number)")
        if Int.random(in: 0..<20, using: &random) == 0 {
          (rows, trusting) = (rows.restarted(), trusting.restarted())
          rows.resume(with: "id")
          trusting.resume(with: "id")
        }
      }
    }
    if Thoroughness.current != .brief { #expect(givenUp > 3 && keptOn > 20) }
  }

  @Test func `rows that were found on several pages join once, before those of the page`() throws {
    func rows(_ ids: [Int]) throws -> [JSONView] {
      let texts = ids.map { "{\"id\":\($0)}" }
      return Array(try JSONDocument("[\(texts.joined(separator: ","))]").root.elements)
    }
    var walked = WalkedRows(.by("id"))
    _ = walked.add(try rows([1, 2, 3]))
    let joined = walked.joined([try rows([2, 3, 4, 5]), try rows([5, 6])], before: try rows([6, 7]))
    #expect(joined.compactMap { $0["id"]?.int } == [4, 5, 6, 7])
    let added = walked.add(joined)
    #expect(added.shared?.repeatsID == false && added.received == 4)
  }
}
