import ItemMapping
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListReading

/// Walks that are resumed or begin again, over servers that have changed meanwhile.
struct SecondWalkTests {
  @Test func `a second walk that can't go on doesn't prove a version`() async throws {
    let count = Lock(0)
    let transport = MockTransport { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let isFirst = request.query["page"] ?? "1" == "1"
      // The version changes during the first walk, and the second one finds a row without an id.
      let rows = isFirst ? number == 1 ? #"{"id":1},{"id":2}"# : #"{"id":1},{"name":"b"}"# : #"{"id":3}"#
      return .json(#"{"rows":[\#(rows)],"more":\#(isFirst)}"#)
        .headers(["X-Version": number == 1 ? "1" : "2"])
    }
    let walk = PageWalk(
      Server("https://test", transport: transport), "/rows", items: "rows",
      paging: .pageNumber(endsBy: .hasNext("more")), identity: .by("id"), consistency: .exact,
      version: .header("X-Version"))
    while try await walk.next() != nil {}
    #expect(count.withLock { $0 } >= 3)
    #expect(walk.consistency.claim != .exact, "\(walk.consistency)")
  }

  @Test func `a walk that stopped before a trial goes on where its paging is known by then`() async throws {
    let hasLinks = Lock(false)
    let transport = MockTransport { request in
      let page = request.query["page"].flatMap { Int($0) } ?? 1
      let rows = (0..<(page < 3 ? 10 : 4)).map { #"{"id":\#(page * 10 + $0)}"# }.joined(separator: ",")
      let next =
        hasLinks.withLock { $0 } && page < 3 ? #","next":"https://test/rows?page=\#(page + 1)""# : ""
      return .json(#"{"rows":[\#(rows)]\#(next)}"#)
    }
    let server = Server("https://test", transport: transport)
    let first = PageWalk(server, "/rows", items: "rows", identity: .by("id"))
    var ids = try #require(try await first.next()).rows.compactMap { $0["id"]?.int }
    let checkpoint = try #require(first.checkpoint)
    hasLinks.withLock { $0 = true }
    let second = PageWalk(
      server, "/rows", items: "rows", identity: .by("id"), from: checkpoint, knownIDs: ids.map { RowID($0) })
    while let page = try await second.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    #expect(ids == Array(10..<30) + Array(30..<34))
  }

  @Test func `a walk that has nothing to confirm has no position`() {
    let paging = Paging.pageNumber(size: 10)
    var checkpoint = PageWalk.Checkpoint(key: paging.strategy.first)
    (checkpoint.pages, checkpoint.isConfirming) = (1, true)
    let brain = WalkBrain(paging, WalkedRows(.by("id")), checking: .seams, from: checkpoint)
    #expect(brain.end != nil && brain.checkpoint == nil)
  }
}
