import ItemMapping
import TestSupport
import Testing

@testable import ListReading

/// A member that was unique on the first page, and comes again with other rows.
struct FirstRowsTests {
  private func page(_ rows: [String]) throws -> [JSONView] {
    Array(try JSONDocument("[" + rows.joined(separator: ",") + "]").root.elements)
  }

  /// Rows whose `id` counts the rows of each page.
  private func ranked(_ numbers: Range<Int>, size: Int) -> [String] {
    numbers.map { #"{"id":\#($0 % size + 1),"name":"row \#($0)","code":\#(1000 + $0)}"# }
  }

  @Test func `an id that comes again with other rows is none, and all rows are kept`() throws {
    var rows = WalkedRows(.recognized)
    #expect(rows.add(try page(ranked(0..<20, size: 20))).rows.count == 20)
    #expect(rows.idPath == "id")
    let added = rows.add(try page(ranked(20..<40, size: 20)))
    #expect(added.rows.count == 20 && added.duplicates == 0 && added.rejectedID == "id")
    #expect(rows.idPath == nil)
  }

  @Test func `rows that were dropped before the id was rejected come with that page`() throws {
    var rows = WalkedRows(.recognized)
    _ = rows.add(try page(ranked(0..<20, size: 100)))
    let few = ranked(20..<38, size: 100) + ranked(100..<102, size: 100)
    #expect(rows.add(try page(few)).rows.count == 18)
    let added = rows.add(try page(ranked(102..<120, size: 100)))
    #expect(added.rejectedID == "id" && added.rows.count == 20)
    #expect(Set(added.rows.compactMap { $0["code"]?.int }) == Set(1100..<1120))
  }

  @Test(arguments: [199, 200, 220])
  func `the row that an overlap begins with comes once, where its id turns out to be none`(
    limit: Int
  ) throws {
    var rows = WalkedRows(.recognized)
    var all: [Int?] = []
    for (number, range) in [0..<100, 99..<200, 199..<250].enumerated() {
      all += rows.add(
        try page(ranked(range, size: limit)),
        showsOrder: number > 0
      ).rows.map { $0["code"]?.int }
    }
    #expect(rows.idPath == nil)
    #expect(all.compactMap(\.self).sorted() == Array(1000..<1250))
  }

  @Test func `rows that were updated or have moved keep their id`() throws {
    var rows = WalkedRows(.recognized)
    _ = rows.add(try page(ranked(0..<20, size: 100)))
    let updated = (10..<20).map { #"{"id":\#($0 + 1),"name":"new \#($0)","code":\#(1000 + $0)}"# }
    let second = updated + ranked(20..<30, size: 100)
    let added = rows.add(try page(second))
    #expect(added.rows.count == 10 && added.duplicates == 10 && rows.idPath == "id")
  }

  @Test func `a declared id is one whatever its rows have`() throws {
    var rows = WalkedRows(.by("id"))
    _ = rows.add(try page(ranked(0..<20, size: 20)))
    let added = rows.add(try page(ranked(20..<40, size: 20)))
    #expect(added.duplicates == 20 && added.rejectedID == nil)
  }
}
