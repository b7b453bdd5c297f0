import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Still lists some of whose rows have no id, or one that is none.
@Suite(.timeLimit(.minutes(1))) struct RowsWithoutIDTests {
  /// Serves rows by offset and limit.
  private static func transport(_ rows: [String]) -> MockTransport {
    MockTransport { request in
      let start = request.query["offset"].flatMap { Int($0) } ?? 0
      let limit = request.query["limit"].flatMap { Int($0) } ?? 20
      let page = rows.dropFirst(start).prefix(limit)
      return .json(#"{"items":[\#(page.joined(separator: ","))],"total":\#(rows.count)}"#)
    }
  }

  @Test(arguments: Consistency.Level.allCases, [1, 7, 20, 21, 55, 150, 199])
  func `a still list whose rows partly have no id has each row once`(
    level: Consistency.Level, first: Int
  ) async throws {
    let rows = (0..<200).map { number in
      let hasNone = number >= first && (number - first).isMultiple(of: 3)
      return #"{"id":\#(hasNone ? "null" : "\(number)"),"place":\#(number)}"#
    }
    let server = Server("https://test", transport: Self.transport(rows)) { $0.retry = .never }
    for identity in [PageWalk.Identity.recognized, .by("id")] {
      let walk = PageWalk(
        server, "/rows", items: "items",
        paging: .offset(limit: 20, endsBy: .total(.body("total"))), identity: identity,
        consistency: level)
      var places: [Int] = []
      while let page = try await walk.next() {
        places += page.rows.compactMap { $0["place"]?.int }
      }
      #expect(places == Array(0..<200), "\(identity): \(places.count) rows")
    }
  }

  private struct Row: Decodable, Identifiable, Sendable {
    let id: Int?
    let place: Int
  }

  @MainActor @Test(arguments: Consistency.Level.allCases, [1, 7, 20, 21, 55, 150, 199])
  func `a still list on a screen has each row once, also those without an id`(
    level: Consistency.Level, first: Int
  ) async throws {
    let rows = (0..<200).map { number in
      let hasNone = number >= first && (number - first).isMultiple(of: 3)
      return #"{"id":\#(hasNone ? "null" : "\(number)"),"place":\#(number)}"#
    }
    let server = Server("https://test", transport: Self.transport(rows)) { $0.retry = .never }
    let list = ListModel<Row>(
      server, "/rows", items: "items",
      paging: .offset(limit: 20, endsBy: .total(.body("total")))
    ) { $0.consistency = level }
    _ = await list.loadAll()
    #expect(list.items.map(\.place) == Array(0..<200), "\(list.rows.count) rows")
    _ = await list.refresh().outcome
    _ = await list.loadAll()
    #expect(list.items.map(\.place) == Array(0..<200), "\(list.rows.count) rows")
  }

  @Test(arguments: Consistency.Level.allCases)
  func `a member that counts the rows of a page is no id`(level: Consistency.Level) async throws {
    let rows = (0..<100).map { #"{"id":\#($0 % 20 + 1),"name":"n\#($0)","place":\#($0)}"# }
    let server = Server("https://test", transport: Self.transport(rows)) { $0.retry = .never }
    let walk = PageWalk(
      server, "/rows", items: "items", paging: .offset(limit: 20, endsBy: .total(.body("total"))),
      consistency: level)
    var places: [Int] = []
    var problems: [String] = []
    while let page = try await walk.next() {
      places += page.rows.compactMap { $0["place"]?.int }
      problems += page.facts.problems.map(\.description)
    }
    #expect(Set(places) == Set(0..<100) && places.count <= 102, "\(places.count) rows")
    #expect(problems.contains { $0.contains("“id” is no id") }, "\(problems)")
  }
}
