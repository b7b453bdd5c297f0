import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Servers that refuse a page instead of sending one without rows.
@MainActor @Suite(.timeLimit(.minutes(1))) struct RefusedPageTests {
  @Test(
    arguments: [(.pagesRefusedAfterEnd, 40, 40), (.offsetsWithinLimit, 300, 220)]
      as [(ServedList.Way, Int, Int)])
  func `a refused page after a full one is the end, which proves nothing`(
    way: ServedList.Way, rows: Int, read: Int
  ) async throws {
    let run = ServedRun(ServedList(rows: rows, pageSize: 20, by: way))
    let (reading, walk) = try await run.walk()
    // Overlaps don't begin where pages do, so that the last one may be beyond the limit.
    let isBeyond = way == .offsetsWithinLimit && reading.ids.count == read - 1
    #expect((reading.ids.count == read || isBeyond) && walk.end == .complete)
    #expect(walk.consistency.claim == .unproven)

    let list = ListModel<ServedRow>(
      ServedRun(run.list).server(), "/rows", items: "rows", paging: run.list.paging)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.count == read && list.consistency.claim == .unproven)
  }

  @Test func `a refused page where the server counts more rows is an end that lacks some`()
    async throws
  {
    let run = ServedRun(ServedList(rows: 300, pageSize: 20, by: .offsetsWithinLimit, total: .exact))
    let (reading, walk) = try await run.walk()
    #expect(reading.ids.count == 220 && reading.claim == .mayLack(atMost: nil))
    guard case .incomplete(let error) = walk.end else {
      Issue.record("ended as \(String(describing: walk.end))")
      return
    }
    #expect("\(error)".contains("80 of 300 rows are missing"), "\(error)")
  }
}
