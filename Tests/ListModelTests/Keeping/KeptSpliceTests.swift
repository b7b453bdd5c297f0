import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

@testable import ListModel

/// Lists whose refreshes kept the pages further down, released and restored.
@MainActor @Suite(.timeLimit(.minutes(10))) struct KeptSpliceTests {
  /// A server that changes between requests: rows are inserted and removed.
  @MainActor private final class ChangingServer {
    var rows: [Int]
    private var fresh = 1_000

    init(_ count: Int) { rows = Array(0..<count) }

    func change(using random: inout SeededGenerator) {
      if Bool.random(using: &random) {
        fresh += 1
        rows.insert(fresh, at: Int.random(in: 0...min(4, rows.count), using: &random))
      } else if !rows.isEmpty {
        rows.remove(at: Int.random(in: 0..<min(8, rows.count), using: &random))
      }
    }

    func bench() -> KeptListBench {
      let bench = KeptListBench(
        MockTransport { request in
          await MainActor.run {
            let page = request.query["page"].flatMap { Int($0) }
            let offset = request.query["offset"].flatMap { Int($0) } ?? page.map { $0 * 3 } ?? 0
            let rows = self.rows.dropFirst(offset).prefix(3).map { #"{"id":\#($0)}"# }
            let rest = #""total":\#(self.rows.count)"#
            return .json(#"{"rows":[\#(rows.joined(separator: ","))],\#(rest)}"#)
          }
        })
      bench.paging = .offset(limit: 3, endsBy: .total("total"))
      return bench
    }
  }

  @Test func `a list is restored with its refreshed start and all pages below`() async throws {
    let server = ChangingServer(12)
    let bench = server.bench()
    let list = bench.list()
    await list.loadAll(upTo: 9)
    server.rows.insert(contentsOf: [100, 101], at: 0)
    server.rows.remove(at: 3)
    let requests = bench.transport.requests.count
    _ = await list.refresh(.splice).outcome
    #expect(bench.transport.requests.count == requests + 1)
    #expect(list.ids == [100, 101] + Array(0..<9))
    #expect(await bench.restored() == list.ids)
    let again = bench.list()
    _ = await again.restore().outcome
    _ = await again.refresh(.splice).outcome
    #expect(again.ids == list.ids && again.consistency.claim == .unproven)
    await again.loadAll()
    // Row 1 is gone from behind the last row of the first page, where the list can't see it. The total shows that rows have
    // moved up.
    #expect(again.ids == [100, 101] + Array(0..<12))
  }

  @Test func `the next page moves with the rows, and back where the total says that rows are gone`() async {
    let server = ChangingServer(12)
    let list = server.bench().list()
    await list.loadAll(upTo: 9)
    server.rows.insert(contentsOf: [100, 101], at: 0)
    server.rows.remove(at: 3)
    _ = await list.refresh(.splice).outcome
    await list.loadAll()
    #expect(list.ids == [100, 101] + Array(0..<12))
  }

  @Test(arguments: [false, true])
  func `numbered pages go back by a page where rows are gone`(isRestored: Bool) async {
    let server = ChangingServer(12)
    let bench = server.bench()
    bench.paging = .pageNumber(size: 3, first: 0, endsBy: .total("total"))
    var list = bench.list()
    await list.loadAll(upTo: 9)
    server.rows.removeFirst()
    _ = await list.refresh(.splice).outcome
    if isRestored {
      list = bench.list()
      _ = await list.restore().outcome
    }
    #expect(list.ids == Array(1..<9))
    await list.loadAll()
    #expect(list.ids == Array(1..<12))
  }

  @Test func `a list of one page is not one response any more`() async {
    let server = ChangingServer(2)
    let list = server.bench().list()
    await list.loadAll()
    #expect(list.consistency.claim == .exact)
    server.rows.insert(contentsOf: [100, 101], at: 0)
    _ = await list.refresh(.splice).outcome
    #expect(list.ids == [100, 101, 0, 1] && list.consistency.claim == .whole)
    // Which rows are gone rests on their order.
    #expect(list.consistency.assumptions.contains(.order))
  }

  @Test func `a restored list equals the one that was closed, after any refreshes`() async throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(60, full: 6_000)) {
      var random = seeded
      let server = ChangingServer(20)
      let bench = server.bench()
      var list = bench.list()
      var steps: [String] = []
      for _ in 0..<14 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          _ = await list.refresh(.splice).outcome
          steps.append("splice")
        case 2, 3, 4:
          _ = await list.loadNextPage().outcome
          steps.append("next")
        case 5 where list.hasLoaded:
          let old = list.ids
          list = bench.list()
          _ = await list.restore().outcome
          steps.append("restore")
          #expect(list.ids == old, "\(seeded) after \(steps)")
        case 6:
          server.change(using: &random)
          server.change(using: &random)
        default: server.change(using: &random)
        }
      }
      await list.loadAll()
      let missing = server.rows.filter { $0 < 1_000 && !list.ids.contains($0) }
      #expect(Set(list.ids).count == list.ids.count, "\(seeded) after \(steps)")
      #expect(
        missing.isEmpty || list.consistency.claim <= .unproven, "\(missing) \(seeded) after \(steps)")
    }
  }

  @Test func `after many refreshes only the start is kept`() async {
    let server = ChangingServer(12)
    let bench = server.bench()
    let list = bench.list()
    await list.loadAll()
    for row in 100..<170 {
      server.rows.insert(row, at: 0)
      _ = await list.refresh(.splice).outcome
    }
    #expect(list.ids.count == 82)
    let restored = await bench.restored()
    #expect(restored == Array(list.ids.prefix(restored.count)) && restored.count >= 3)
  }
}
