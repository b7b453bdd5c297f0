import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “How sure is this list?”.
@Suite struct ConsistencySamples {
  @Test func `a walk says how sure it is`() async throws {
    let transport = MockTransport { request in
      request.query["cursor"] == nil
        ? .json(#"{"rows":[{"id":1},{"id":2}],"next":"c2"}"#)
        : .json(#"{"rows":[{"id":3}],"next":null}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    var count = 0
    let walk = PageWalk(server, "/events", paging: .cursor(at: "next"))
    while let page = try await walk.next() { count += page.rows.count }
    switch walk.consistency.claim {
    case .exact, .whole: print("no row that stayed is missing")
    case .unproven: print("nothing says that rows are missing")
    case .mayLack: print("rows may be missing")
    }
    #expect(count == 3 && walk.consistency.claim == .whole)
    #expect(walk.consistency.assumptions == [.instants, .ids, .order, .cursors])
    #expect(walk.consistency.seams == [.chained: 1])
    let claim = walk.consistency.without([.order]).claim
    #expect(claim == .unproven)
  }
}
