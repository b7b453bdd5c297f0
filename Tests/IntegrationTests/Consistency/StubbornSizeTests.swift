import ItemMapping
import ListModel
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Servers of numbered pages that don't send pages of other sizes as they should. Each list ends, within a bounded number
/// of requests, and claims nothing false.
@Suite(.timeLimit(.minutes(2))) struct StubbornSizeTests {
  /// What a server does with a request for another size than usual.
  enum Habit: String, CaseIterable {
    case ignores, roundsUp, roundsDown, refuses, refusesAsUnprocessable, fails, sendsFirstPage
    case sendsNothing, sendsText, capsAtSeven
  }

  private static let size = 20

  private static func page(_ ids: some Sequence<Int>, total: Int?) -> MockResponse {
    let rows = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    return .json(#"{"rows":[\#(rows)]\#(total.map { #","total":\#($0)"# } ?? "")}"#)
  }

  /// A server of a still list.
  private func transport(_ habit: Habit, rows: Int, tellsTotal: Bool) -> MockTransport {
    MockTransport { request in
      var number = request.query["page"].flatMap { Int($0) } ?? 1
      var size = request.query["per_page"].flatMap { Int($0) } ?? Self.size
      let total = tellsTotal ? rows : nil
      if size != Self.size {
        switch habit {
        case .ignores: size = Self.size
        case .roundsUp: size = (size + 9) / 10 * 10
        case .roundsDown: size = max(5, size / 5 * 5)
        case .refuses: return .status(400)
        case .refusesAsUnprocessable: return .status(422)
        case .fails: return .status(500)
        case .sendsFirstPage: (number, size) = (1, Self.size)
        case .sendsNothing: return Self.page([], total: total)
        case .sendsText: return .json("no list")
        case .capsAtSeven: size = 7
        }
      }
      return Self.page((0..<rows).dropFirst((number - 1) * size).prefix(size), total: total)
    }
  }

  private func walk(
    _ transport: MockTransport, tellsTotal: Bool, level: Consistency.Level
  ) -> PageWalk {
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let paging =
      tellsTotal
      ? Paging.pageNumber(size: Self.size, endsBy: .total("total")) : .pageNumber(size: Self.size)
    return PageWalk(
      server, "/rows", items: "rows", paging: paging, identity: .by("id"), consistency: level)
  }

  private func read(_ walk: PageWalk) async throws -> [Int] {
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    return ids
  }

  @Test(arguments: Habit.allCases, [true, false])
  func `sizes that a server does not send are given up`(habit: Habit, tellsTotal: Bool)
    async throws
  {
    for rows in [0, 1, 20, 25, 38, 40, 203] {
      let transport = transport(habit, rows: rows, tellsTotal: tellsTotal)
      let walk = walk(transport, tellsTotal: tellsTotal, level: .whole)
      let ids = try await read(walk)
      #expect(transport.requests.count <= rows / Self.size + 5, "\(rows) rows")
      #expect(ids == Array(0..<rows), "\(rows) rows: \(walk.consistency)")
      if rows > Self.size {
        #expect(walk.end == .incomplete(.lowClaim(.unproven, asked: .whole)), "\(rows) rows")
      }
    }
  }

  @Test(
    arguments: [
      "other rows each time", "pages that shrink", "inserts faster than they are read",
    ])
  func `a list that can't be followed ends`(kind: String) async throws {
    let requests = Atomic(0)
    let transport = MockTransport { request in
      let count = requests.wrappingAdd(1, ordering: .relaxed).newValue
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let size = request.query["per_page"].flatMap { Int($0) } ?? Self.size
      let start = (number - 1) * size
      switch kind {
      case "other rows each time":
        return Self.page(
          (start..<max(start, min(start + size, 200))).map { $0 * 1_000 + count }, total: 200)
      case "pages that shrink":
        return Self.page((0..<200).dropFirst(start).prefix(max(1, size - count)), total: 200)
      default:
        let new = min(count * 40, 1_000)
        return Self.page((0 - new..<200).dropFirst(start).prefix(size), total: 200 + new)
      }
    }
    let walk = walk(transport, tellsTotal: true, level: .whole)
    let ids = try await read(walk)
    #expect(Set(ids).count == ids.count && walk.end != nil)
    #expect(transport.requests.count <= 3 * 60 + 20, "\(transport.requests.count) requests")
    if kind != "inserts faster than they are read" { #expect(walk.end != .complete) }
  }
}
