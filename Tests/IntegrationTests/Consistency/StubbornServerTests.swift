import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Servers that don't respond to overlaps as they should. Each list ends, within a bounded number of requests, and
/// claims nothing false.
@Suite(.timeLimit(.minutes(2))) struct StubbornServerTests {
  /// What a server does with a request that does not begin where a page does.
  enum Habit: String, CaseIterable {
    case roundsDown, roundsToTens, refuses, refusesAsUnprocessable, fails, sendsFirstPage,
      sendsNothing
    case sendsText, capsAtSeven
  }

  private static let rows = 203
  private static let size = StubbornList.size

  private func walk(
    _ transport: MockTransport, tellsTotal: Bool, level: Consistency.Level = .seams
  ) -> PageWalk {
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let paging =
      tellsTotal
      ? Paging.offset(limit: Self.size, endsBy: .total("total")) : .offset(limit: Self.size)
    return PageWalk(
      server, "/rows", items: "rows", paging: paging, identity: .by("id"), consistency: level)
  }

  /// A server of a still list.
  private func transport(_ habit: Habit, total: Int?) -> MockTransport {
    MockTransport { request in
      var offset = request.query["offset"].flatMap { Int($0) } ?? 0
      var limit = request.query["limit"].flatMap { Int($0) } ?? Self.size
      if offset % Self.size != 0 || limit > Self.size {
        switch habit {
        case .roundsDown: (offset, limit) = (offset / Self.size * Self.size, Self.size)
        case .roundsToTens: offset = offset / 10 * 10
        case .refuses: return .status(400)
        case .refusesAsUnprocessable: return .status(422)
        case .fails: return .status(500)
        case .sendsFirstPage: (offset, limit) = (0, Self.size)
        case .sendsNothing: return StubbornList.page([], total: total)
        case .sendsText: return .json("no list")
        case .capsAtSeven: limit = limit > Self.size ? 7 : limit
        }
      }
      return StubbornList.page((0..<Self.rows).dropFirst(offset).prefix(limit), total: total)
    }
  }

  @Test(arguments: Habit.allCases, [true, false])
  func `a list is exact although its server does not send overlaps`(
    habit: Habit, tellsTotal: Bool
  ) async throws {
    let transport = transport(habit, total: tellsTotal ? Self.rows : nil)
    let walk = walk(transport, tellsTotal: tellsTotal, level: .exact)
    let ids = try await walk.ids()
    #expect(transport.requests.count <= 5 * 11 + 40, "\(transport.requests.count) requests")
    // A short page is no count of the rows.
    #expect((walk.consistency.claim == .exact) == tellsTotal, "\(walk.consistency)")
    #expect(ids.sorted() == Array(0..<Self.rows))
  }

  @Test(arguments: Habit.allCases, [true, false])
  func `overlaps that a server does not send are given up`(habit: Habit, tellsTotal: Bool)
    async throws
  {
    let transport = transport(habit, total: tellsTotal ? Self.rows : nil)
    let walk = walk(transport, tellsTotal: tellsTotal)
    let ids = try await walk.ids()
    let requests = transport.requests.count
    #expect(requests <= 3 * 11 + 20, "\(requests) requests")
    if walk.consistency.claim >= .unproven {
      #expect(ids == Array(0..<Self.rows), "\(walk.consistency) \(ids)")
    }
    // Only nothing at all is a sign that rows are missing.
    #expect(walk.consistency.claim >= .unproven || habit == .sendsNothing, "\(walk.consistency)")
  }

  @Test(arguments: StubbornList.Unrest.allCases, [Consistency.Level.seams, .exact])
  func `a list that can't be followed ends`(
    unrest: StubbornList.Unrest, level: Consistency.Level
  ) async throws {
    let requests = Atomic(0)
    let transport = MockTransport { request in
      let number = requests.wrappingAdd(1, ordering: .relaxed).newValue
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      let limit = request.query["limit"].flatMap { Int($0) } ?? Self.size
      return StubbornList.page(of: unrest, from: offset, limit, request: number)
    }
    let walk = walk(transport, tellsTotal: true, level: level)
    let ids = try await walk.ids()
    #expect(Set(ids).count == ids.count)
    #expect(walk.end != nil)
    let plain = unrest == .pagesThatShrink ? 200 : 60
    // A second walk may be twice as long again.
    let most = level == .exact ? 5 * plain + 40 : 3 * plain + 20
    #expect(transport.requests.count <= most, "\(transport.requests.count) requests")
    if unrest == .otherRowsEachTime { #expect(walk.consistency.claim <= .unproven) }
  }
}
