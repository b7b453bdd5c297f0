import ListModel
import ListReading
import QuireTesting
import Testing

/// Walks through lists that change once while they are read, as a script says.
struct ScriptedDriftTests {
  private func burst(_ changes: [ServedList.Change], before request: Int) -> ServedList.Churn {
    ServedList.Churn([ServedList.Step(request: request, changes: changes)])
  }

  /// Walks through a list, and expects that nothing is doubled or claimed falsely.
  private func walk(
    _ list: ServedList, location: SourceLocation = #_sourceLocation
  ) async throws -> (ids: [Int], walk: PageWalk, requests: Int) {
    let run = ServedRun(list)
    let (reading, walk) = try await run.walk()
    let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
    #expect(
      verdict.isTrue && verdict.doubled.isEmpty, "\(verdict), \(walk.consistency)",
      sourceLocation: location)
    return (reading.ids, walk, run.requestCount)
  }

  @Test func `a page that is read again mends nothing if it doesn't meet the page after it`()
    async throws
  {
    // The first row goes before page 2 is read, and another comes while page 1 is read again: row 5 is on neither page.
    let (ids, walk, requests) = try await walk(
      ServedList(
        rows: 8, pageSize: 4, by: .pages, total: .exact,
        churn: [.before(request: 2, .delete(at: 0)), .before(request: 3, .insert(at: 0))]))
    #expect(ids.sorted() == [1, 2, 3, 4, 6, 7, 8, 9])
    walk.expectIncomplete("fell from 8 to 7")
    #expect(walk.consistency.claim == .mayLack(atMost: nil) && requests == 3)
  }

  @Test func `without a link back, rows that moved up are found on the pages that were read`()
    async throws
  {
    let (ids, walk, _) = try await walk(
      ServedList(
        rows: 400, pageSize: 50, by: .nextAddresses, total: .exact,
        churn: burst(Array(repeating: .delete(at: 0), count: 30), before: 3)))
    #expect(ids.count == 400 && walk.end == .complete)
  }

  @Test(arguments: [ServedList.Way.cursors, .countingCursors])
  func `a total that falls is a loss only if the cursor counts rows`(way: ServedList.Way)
    async throws
  {
    let (ids, walk, _) = try await walk(
      ServedList(
        rows: 400, pageSize: 50, by: way, total: .exact,
        churn: burst(Array(repeating: .delete(at: 370), count: 30), before: 3)))
    #expect(ids == Array(1...370))
    if way == .cursors {
      #expect(walk.consistency.claim == .whole && walk.end == .complete)
    } else {
      #expect(walk.consistency.claim == .mayLack(atMost: nil))
      walk.expectIncomplete("fell from 400")
    }
  }

  @Test(arguments: [ServedList.Way.pagesOfAnySize, .pagesOfCappedSize], 1...12)
  func `a total that is too high costs few requests at the level whole`(
    way: ServedList.Way, rows: Int
  ) async throws {
    for size in 2...5 {
      let run = ServedRun(ServedList(rows: rows, pageSize: size, by: way, total: .estimated))
      let (reading, walk) = try await run.walk(consistency: .whole)
      #expect(reading.ids == Array(1...rows))
      if rows != 10 { #expect(walk.end != .complete, "\(rows), \(size)") }
      #expect(run.requestCount <= 2 * (rows / size + 1) + 3, "\(rows), \(size)")
    }
  }

  @Test(
    arguments: [
      ServedList(rows: 3, pageSize: 2, by: .relay, faults: [2: .shortPage]),
      ServedList(
        rows: 7, pageSize: 3, by: .countingRelay, faults: [1: .repeatedCursor, 3: .shortPage]),
    ])
  func `a page that lacks rows and says that it is the last one breaks no claim`(list: ServedList)
    async throws
  {
    let run = ServedRun(list)
    let (reading, walk) = try await run.walk()
    let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
    #expect(verdict.broken.contains(.end) && !verdict.isFalse, "\(verdict)")
    #expect(walk.consistency.without([.end]).claim < .whole)
  }

  @Test func `rows inserted at the top are no loss`() async throws {
    let (ids, walk, _) = try await walk(
      ServedList(
        rows: 120, pageSize: 50, by: .pages, total: .exact,
        churn: burst(Array(repeating: .insert(at: 0), count: 10), before: 2)))
    #expect(ids == Array(1...120))
    #expect(walk.end == .complete && walk.consistency.seams[.seen] == 1)
  }
}
