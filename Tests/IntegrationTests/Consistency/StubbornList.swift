import ItemMapping
import ListModel
import ListReading
import QuireTesting

/// The parts of lists whose servers don't respond as they should.
enum StubbornList {
  /// The number of rows of a page.
  static let size = 20

  static func page(_ ids: some Sequence<Int>, total: Int?) -> MockResponse {
    let rows = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    return .json(#"{"rows":[\#(rows)]\#(total.map { #","total":\#($0)"# } ?? "")}"#)
  }

  /// Why a list can't be followed.
  enum Unrest: String, CaseIterable {
    case otherRowsEachTime, pagesThatShrink, insertsFasterThanReads
  }

  /// Returns a page of such a list.
  ///
  /// - Parameters:
  ///   - start: The number of rows before it.
  ///   - count: The number of rows requested.
  ///   - request: The number of the request.
  static func page(of unrest: Unrest, from start: Int, _ count: Int, request: Int) -> MockResponse {
    switch unrest {
    case .otherRowsEachTime:
      let rows = start..<max(start, min(start + count, 200))
      return page(rows.map { $0 * 1_000 + request }, total: 200)
    case .pagesThatShrink:
      return page((0..<200).dropFirst(start).prefix(max(1, count - request)), total: 200)
    case .insertsFasterThanReads:
      // The list grows by two pages before each request, up to a thousand rows.
      let new = min(request * 40, 1_000)
      return page((0 - new..<200).dropFirst(start).prefix(count), total: 200 + new)
    }
  }
}

extension PageWalk {
  /// The ids of all rows that the walk delivers.
  func ids() async throws -> [Int] {
    var ids: [Int] = []
    while let page = try await next() { ids += page.rows.compactMap { $0["id"]?.int } }
    return ids
  }
}
