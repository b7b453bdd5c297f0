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
    #expect(walk.consistency.assumptions == [.instants, .ids, .order, .cursors, .end])
    #expect(walk.consistency.seams == [.chained: 1])
    let claim = walk.consistency.without([.order]).claim
    #expect(claim == .unproven)
  }

  @MainActor @Test func `a list can be whole too`() async throws {
    struct Order: Decodable, Identifiable, Sendable { let id: Int }
    let transport = MockTransport { request in
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      let rows = (0..<120).dropFirst(offset).prefix(50).map { #"{"id":\#($0)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))]}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    let orders = ListModel<Order>(server, "/orders", paging: .offset(limit: 50)) {
      $0.consistency = .seams
    }
    await orders.loadAll()
    #expect(orders.count == 120 && orders.consistency.claim == .whole)
  }

  @Test func `pages that overlap are whole`() async throws {
    let transport = MockTransport { request in
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      let limit = request.query["limit"].flatMap { Int($0) } ?? 100
      let rows = (0..<1_000).dropFirst(offset).prefix(limit).map { #"{"id":\#($0)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))]}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    var count = 0
    let walk = PageWalk(server, "/events", paging: .offset(limit: 100))
    while let page = try await walk.next() { count += page.rows.count }
    #expect(walk.consistency.claim == .whole)
    #expect(count == 1_000 && transport.requests.count == 11)
  }

  @Test func `a list with a version is exact`() async throws {
    let transport = MockTransport { request in
      request.query["cursor"] == nil
        ? .json(#"{"rows":[{"id":1},{"id":2}],"next":"c2","revision":7}"#)
        : .json(#"{"rows":[{"id":3}],"next":null,"revision":7}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    var count = 0
    let walk = PageWalk(server, "/events", paging: .cursor(at: "next"), version: "revision")
    while let page = try await walk.next() { count += page.rows.count }
    #expect(walk.consistency.claim == .exact)
    #expect(count == 3 && walk.consistency.assumptions == [.ids, .version, .end])
  }

  @MainActor @Test func `a list claims nothing that the program doesn't assume`() async {
    struct Player: Decodable, Identifiable, Sendable { var id: Int }
    let transport = MockTransport { request in
      request.query["cursor"] == nil
        ? .json(#"{"rows":[{"id":1},{"id":2}],"next":"c2"}"#)
        : .json(#"{"rows":[{"id":3}],"next":null}"#)
    }
    let server = Server("https://api.example.com", transport: transport)
    let trusting = ListModel<Player>(server, "/players", paging: .cursor(at: "next"))
    let players = ListModel<Player>(server, "/players", paging: .cursor(at: "next")) {
      $0.distrusts = [.order]
    }
    for list in [trusting, players] { await list.loadAll() }
    #expect(trusting.consistency.claim == .whole && players.consistency.claim == .unproven)
  }
}
