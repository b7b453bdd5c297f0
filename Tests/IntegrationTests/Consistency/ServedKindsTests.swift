import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks over sockets, through lists of a thousand rows that change before each request.
@Suite(.timeLimit(.minutes(10))) struct ServedKindsTests {
  private static let ways: [ServedList.Way] = [
    .pages, .offsets, .ranges, .links, .nextAddresses, .keys, .cursors, .countingCursors,
  ]

  private static let churns: [(name: String, rates: ServedList.Rates)] = [
    ("still", .init()),
    ("a delete at the head", .init(delete: 1, at: .head)),
    ("a delete anywhere", .init(delete: 1)),
    ("an insert at the head", .init(insert: 1, at: .head)),
    ("an insert at the tail", .init(insert: 1, at: .tail)),
    ("a delete and an insert anywhere", .init(insert: 1, delete: 1)),
    ("a delete or an insert by a coin", .init(insert: 0.5, delete: 0.5)),
    ("three deletes at the head", .init(delete: 1, burst: 3, at: .head)),
    ("fifty at the head, now and then", .init(delete: 0.05, burst: 50, at: .head)),
    ("rows that return", .init(insert: 0.5, delete: 1, restore: 0.5)),
  ]

  @Test(arguments: ways, churns.indices)
  private func `no claim is false, and no row comes twice`(
    way: ServedList.Way, churn: Int
  ) async throws {
    for total in [ServedList.Total.absent, .exact] {
      let list = ServedList(
        rows: 1_000, pageSize: 20, by: way, total: total,
        churn: .random(seed: UInt64(churn), Self.churns[churn].rates))
      let run = ServedRun(list)
      let loopback = try run.loopback()
      let server = Server(loopback.baseURL, transport: CurlTransport()) { $0.retry = .never }
      let (reading, walk) = try await run.walk(server)
      let verdict = run.verdict(ids: reading.ids, claim: reading.claim)
      let name = "\(way), \(Self.churns[churn].name), total \(total): \(verdict)"
      #expect(verdict.isTrue && verdict.doubled.isEmpty, "\(name)")
      #expect(walk.end != nil)
      if case .whole = reading.claim { #expect(verdict.lost.isEmpty, "\(name)") }
      guard churn == 0 else { continue }
      #expect(walk.end == .complete && verdict.instant == 0, "\(name)")
      // A full last page of a counted list is known to be the last one only by a total or an empty page.
      let isStated =
        total == .exact || [.links, .nextAddresses, .cursors, .countingCursors].contains(way)
      #expect(run.requestCount == (isStated && way != .keys ? 50 : 51), "\(name)")
    }
  }
}
