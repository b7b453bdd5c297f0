import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Walks with several pages in flight, through lists that change before each request.
@Suite(.timeLimit(.minutes(10))) struct ServedParallelTests {
  private static let ways: [ServedList.Way] = [
    .offsets, .offsetsOfCappedSize, .ranges, .pagesOfAnySize, .pagesOfCappedSize, .linksOfAnySize,
    .nextAddresses,
  ]

  private static let churns: [ServedList.Rates] = [
    .init(), .init(delete: 1, at: .head), .init(insert: 1, at: .head), .init(insert: 1, delete: 1),
    .init(delete: 1, burst: 3, at: .head), .init(delete: 0.05, burst: 50, at: .head),
  ]

  private func isNumbered(_ way: ServedList.Way) -> Bool {
    [.pagesOfAnySize, .pagesOfCappedSize, .linksOfAnySize].contains(way)
  }

  @Test(arguments: ways, churns.indices)
  private func `no claim about pages in flight is false`(
    way: ServedList.Way, churn: Int
  ) async throws {
    let first = try SeededGenerator.fromEnvironment().seed
    let runs = UInt64(Thoroughness.runs(3, full: 100))
    var weak: [String] = []
    for seed in first..<first &+ runs {
      let run = ServedRun(
        ServedList(
          rows: 1_000, pageSize: 20, by: way, total: .exact,
          churn: .random(seed: seed, Self.churns[churn])))
      let walk = PageWalk(
        run.server(), run.list.call, items: run.list.items, paging: run.list.paging,
        identity: .by("id"), parallel: 4, consistency: isNumbered(way) ? .whole : .seams)
      let ids = try await walk.ids()
      let verdict = run.verdict(ids: ids, claim: ServedList.Claim(walk.consistency))
      let name = "\(way), \(Self.churns[churn]), seed \(seed): \(walk.consistency)"
      #expect(verdict.isTrue && verdict.doubled.isEmpty && walk.end != nil, "\(name) \(verdict)")
      #expect(run.requestCount <= 3 * 60 + 20, "\(name): \(run.requestCount)")
      // Rows that came where the list was read already look like rows that moved there, where a total counts them.
      var isShort = false
      if case .incomplete(let reason)? = walk.end { isShort = "\(reason)".contains("reported") }
      if walk.consistency.claim < .whole && !isShort || !verdict.lost.isEmpty {
        weak.append("\(name), lost \(verdict.lost.count)")
      }
    }
    // Links that count pages can't be made to overlap.
    if Self.churns[churn] == ServedList.Rates(), way != .nextAddresses {
      #expect(weak.isEmpty, "\(weak)")
    }
    // Pages in flight are of instants in any order, which differs from run to run: a few may end with a weaker claim.
    if way != .nextAddresses {
      #expect(weak.count * 10 <= max(10, Int(runs)), "\(weak)")
    }
  }
}

/// The requests of walks that only read pages.
@Suite(.timeLimit(.minutes(2))) struct PlainWalkTests {
  private func text(_ request: HTTPRequest) -> String {
    let fields = request.headers.fields.map { "\($0.name): \($0.value)" }
    let body = (try? request.body?.bytes()) ?? []
    return
      "\(request.method.rawValue) \(request.url) \(fields) \(String(decoding: body, as: UTF8.self))"
  }

  @MainActor @Test(arguments: ServedList.Way.allCases, [Consistency.Level.any, .signs])
  func `a walk sends the requests of a list, byte for byte`(
    way: ServedList.Way, level: Consistency.Level
  ) async throws {
    for total in [ServedList.Total.absent, .exact] {
      let list = ServedList(rows: 8, pageSize: 3, by: way, total: total)
      let (plain, run) = (ServedRun(list), ServedRun(list))
      let model = plain.list(.signs)
      await model.loadAll()
      _ = try await run.walk(consistency: level)
      #expect(run.transport.requests.map(text) == plain.transport.requests.map(text), "\(total)")
    }
  }

  @Test(arguments: ServedList.Way.allCases)
  func `a walk at the level any sends nothing but its pages`(way: ServedList.Way) async throws {
    for seed: UInt64 in 0..<20 {
      let run = ServedRun(
        ServedList(
          rows: 60, pageSize: 6, by: way, total: .exact,
          churn: .random(seed: seed, .init(insert: 0.3, delete: 0.7))))
      let (_, walk) = try await run.walk(consistency: .any)
      #expect(run.requestCount == walk.pages && walk.consistency.checks == 0)
    }
  }
}
