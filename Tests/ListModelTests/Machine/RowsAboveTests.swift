import QuireTesting
import Testing

@testable import ListModel

/// The rows of a first page that are new above those of a list.
struct RowsAboveTests {
  /// A case: the page, with -1 for a new row, the new rows by index, and whether there may be more.
  private typealias Case = (page: [Int], new: [Int], isAtLeast: Bool)

  @Test func `new rows above the first known one are counted`() {
    let cases: [Case] = [
      // Nothing is new, or all rows are.
      ([0, 1, 2], [], false), ([], [], true), ([-1, -1, -1], [0, 1, 2], true),
      // New rows above the list, and others between its rows.
      ([-1, -1, 0, 1], [0, 1], false), ([-1, 0, -1, 1], [0], false), ([0, -1, -1], [], false),
      // The first rows of the list are gone: as many in order say so, fewer leave it open.
      ([-1, 2, 3, 4], [0], false), ([-1, 2, 3], [0], true), ([-1, 7], [0], true), ([-1, 1, 2], [0], false),
      // A row came up from further down, above new ones and below them.
      ([-1, 9, -1, 0, 1], [0, 2], false), ([9, -1, -1, 0, 1], [1, 2], false), ([9, 0, 1], [], false),
      // The first row moved down.
      ([-1, 1, 2, 3, 0], [0], false), ([1, 0], [], false),
      // One row of each order: the higher row of the list decides.
      ([-1, 9, -1, 0], [0, 2], false),
    ]
    for (page, new, isAtLeast) in cases {
      let above = RowsAbove(places: page.map { $0 < 0 ? nil : $0 }, isAll: false)
      #expect(above.new == new && above.isAtLeast == isAtLeast, "\(page)")
      let all = RowsAbove(places: page.map { $0 < 0 ? nil : $0 }, isAll: true)
      #expect(all.new == new && !all.isAtLeast, "\(page)")
    }
  }

  @Test func `a number that is sure is that of the server's rows above the list`() throws {
    var sure = 0
    for seeded in try SeededGenerator.runs(Thoroughness.runs(5_000, full: 500_000)) {
      var random = seeded
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      var server: [Int] = (0..<number(1...20)).map(\.self)
      let list = [Int](server.prefix(number(1...20)))
      // Rows keep their order.
      for fresh in 0..<number(0...8) {
        if number(0...2) < 2 {
          server.insert(100 + fresh, at: min(server.count, number(0...1) * number(0...9)))
        } else if !server.isEmpty {
          server.remove(at: number(0...server.count - 1))
        }
      }
      let page = [Int](server.prefix(number(1...12)))
      let above = RowsAbove(
        places: page.map { list.firstIndex(of: $0) }, isAll: page.count == server.count)
      let border = server.firstIndex { list.contains($0) } ?? server.count
      sure += above.isAtLeast ? 0 : 1
      let isRight = above.isAtLeast ? above.new.count <= border : above.new.count == border
      guard isRight, above.new == Array(0..<min(border, page.count)) else {
        Issue.record("\(seeded): \(above) of \(page) above \(list), not \(border)")
        return
      }
    }
    #expect(sure > Thoroughness.runs(5_000, full: 500_000) / 2)
  }

  @Test func `a number is said in words`() {
    #expect("\(NewRows(count: 1))" == "1 new row" && "\(NewRows(count: 3))" == "3 new rows")
    #expect("\(NewRows(count: 20, isAtLeast: true))" == "20 or more new rows")
    #expect("\(NewRows(count: 1, isAtLeast: true))" == "1 or more new rows")
  }
}
