import QuireTesting
import TestSupport
import Testing

/// What lists cost that don't change and that their servers describe truly.
@Suite(.timeLimit(.minutes(1))) struct SaidRequestsTests {
  private static let sizes = [0, 1, 4, 5, 8, 10]
  private static let size = 4

  /// The requests for lists of these sizes, with pages of four rows: nothing said, a declared total, a declared flag, and
  /// a recognized total. Lists without a number are not complete today.
  private static let requests: [SaidServer.Way: [String]] = [
    .pages: ["1 2 2 2 3 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 - 3 4"],
    .pagesFromZero: ["1 2 2 2 3 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 - 2 3"],
    .pagesOfAnySize: ["1 2 2 2 3 3", "1 1 2 2 2 3", "1 1 1 2 2 3", "1 1 1 - 3 4"],
    .pagesOfOwnSize: ["1 2 2 2 3 3", "1 1 2 2 2 3", "1 1 1 2 2 3", "1 1 1 - 3 4"],
    .pageHeaders: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .offsets: ["1 3 2 2 4 4", "1 1 2 2 2 3", "1 1 1 2 4 4", "1 1 1 4 5 5"],
    .offsetsOfCappedSize: ["1 3 2 2 4 4", "1 1 2 2 3 3", "1 1 1 2 4 4", "1 1 1 4 5 5"],
    .offsetsRounded: ["1 - 3 3 5 5", "1 1 3 3 3 5", "1 1 1 3 3 5", "1 1 1 - - -"],
    .ranges: ["1 1 2 2 4 4", "1 1 2 2 3 3", "1 1 2 2 4 4", "1 3 2 2 3 3"],
    .links: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .nextURL: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .nextURLOfOffset: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .cursors: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .countingCursors: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3"],
    .keys: ["1 2 2 2 3 3", "1 2 2 2 3 3", "1 1 1 2 2 3", "1 1 1 - - -"],
    .keysWithTies: ["1 2 3 3 3 3", "1 2 2 2 3 3", "1 1 1 2 2 3", "1 1 1 - - -"],
    .relay: ["1 1 1 2 2 3", "1 1 1 2 2 3", "1 1 1 2 2 3", "- - - - - -"],
  ]

  private static var columns: [(SaidCase.Declaration, (SaidServer.Way) -> SaidFact?)] {
    [
      (.plain, { _ in nil }), (.withRules, total), (.withRules, { _ in .flag(.hasMore, .list) }),
      (.automatic, total),
    ]
  }

  private static func total(_ way: SaidServer.Way) -> SaidFact? {
    .total(name: way == .relay ? "totalCount" : "total", .all)
  }

  @Test(arguments: SaidServer.Way.allCases.filter { $0 != .single })
  func `a list that is described truly costs no request more`(way: SaidServer.Way) async throws {
    let table = try #require(Self.requests[way])
    for ((declaration, fact), texts) in zip(Self.columns, table) {
      for (rows, text) in zip(Self.sizes, texts.split(separator: " ")) {
        guard let most = Int(text) else { continue }
        let sayings = fact(way).map { [SaidServer.Saying($0)] } ?? []
        let item = SaidCase(
          SaidServer(way, rows: rows, cap: rows, size: Self.size, stop: .empty, sayings: sayings),
          declaration)
        let reading = await item.read()
        #expect(reading.end.isComplete && reading.ids.count == rows, "\(item)\n\(reading)")
        #expect(reading.responses.count <= most, "\(item)\n\(reading)")
      }
    }
  }
}
