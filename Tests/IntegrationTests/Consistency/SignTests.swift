import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Lists that are looked at more closely only after something has shown that they change.
@MainActor struct SignTests {
  private nonisolated static let lists: [ServedList] = [
    // The total rises, although a row has gone from the first page.
    ServedList(
      rows: 12, pageSize: 4, by: .offsets, total: .exact,
      churn: [.before(request: 2, .delete(at: 0), .insert(at: 11), .insert(at: 11))]),
    // A row that was inserted first shows rows again, and then two go.
    ServedList(
      rows: 12, pageSize: 4, by: .ranges,
      churn: [
        .before(request: 2, .insert(at: 0)), .before(request: 3, .delete(at: 0), .delete(at: 0)),
      ]),
    // A page in the middle has one row.
    ServedList(rows: 12, pageSize: 4, by: .offsets, total: .exact, faults: [2: .shortPage]),
  ]

  @Test(arguments: lists.prefix(2)) func `after a sign, rows that slipped are found`(
    list: ServedList
  )
    async throws
  {
    for level in [Consistency.Level.any, .signs] {
      let run = ServedRun(list)
      let (reading, walk) = try await run.walk(consistency: level)
      let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
      #expect(!verdict.isFalse && verdict.doubled.isEmpty, "\(verdict)")
      #expect(verdict.lost.isEmpty == (level == .signs), "\(verdict)")

      let other = ServedRun(list)
      let model = other.list(level)
      await model.loadAll()
      #expect(Set(model.rows.items.map(\.id)) == Set(reading.ids))
      #expect(model.consistency.claim == walk.consistency.claim)
      #expect(
        other.transport.requests.map(\.url) == run.transport.requests.map(\.url)
          && other.transport.requests.map(\.headers) == run.transport.requests.map(\.headers))
    }
  }

  @Test(arguments: [
    (lists[0], ["0", "4", "3", "1"]), (lists[2], ["0", "4", "4"]),
  ])
  func `a page is looked at once, and the pages after it overlap`(
    list: ServedList, first: [String]
  ) async throws {
    let run = ServedRun(list)
    _ = try await run.walk(consistency: .signs)
    let offsets = run.transport.requests.map { $0.url.queryParams["offset"] ?? "" }
    #expect(Array(offsets.prefix(first.count)) == first, "\(offsets)")
    #expect(run.transport.requests.count <= 8, "\(offsets)")
  }

  @Test(arguments: Consistency.Level.allCases)
  func `a list whose server rounds offsets is read no further than its end`(
    level: Consistency.Level
  ) async throws {
    let list = ServedList(
      rows: 14, pageSize: 5, by: .offsetsRoundedToPages, total: .estimated)
    let (run, other) = (ServedRun(list), ServedRun(list))
    let (reading, _) = try await run.walk(consistency: level)
    #expect(reading.ids == Array(1...14))
    let model = other.list(level)
    await model.loadAll()
    #expect(model.rows.items.map(\.id) == Array(1...14))
    #expect(max(run.requestCount, other.requestCount) <= 18)
  }

  /// Histories after which a row has another number in the order of reading than in the list.
  private nonisolated static let passed: [ServedList] = [
    ServedList(
      rows: 6, pageSize: 5, by: .keysWithTies, total: .late,
      churn: [.before(request: 3, .delete(at: 5))])
  ]

  @Test(arguments: passed, Consistency.Level.allCases.filter { $0 < .exact })
  func `a list and a walk claim the same after rows have moved`(
    list: ServedList, level: Consistency.Level
  ) async throws {
    let (run, other) = (ServedRun(list), ServedRun(list))
    let (reading, walk) = try await run.walk(consistency: level)
    let model = other.list(level)
    await model.loadAll()
    #expect(Set(model.rows.items.map(\.id)) == Set(reading.ids))
    #expect(model.consistency.claim == walk.consistency.claim)
    #expect(model.consistency.seams == walk.consistency.seams)
  }
}
