import ItemMapping
import ListModel
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Servers that don't respond to windows as they should. Each list ends, within a bounded number of requests, and
/// claims nothing false.
@Suite(.timeLimit(.minutes(2))) struct StubbornServerTests {
  /// What a server does with a request that does not begin where a page does.
  enum Habit: String, CaseIterable {
    case roundsDown, roundsToTens, refuses, refusesAsUnprocessable, fails, sendsFirstPage,
      sendsNothing
    case sendsText, capsAtSeven
  }

  private static let rows = 203
  private static let size = 20

  private static func page(_ ids: some Sequence<Int>, total: Int?) -> MockResponse {
    let rows = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    return .json(#"{"rows":[\#(rows)]\#(total.map { #","total":\#($0)"# } ?? "")}"#)
  }

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
        case .sendsNothing: return Self.page([], total: total)
        case .sendsText: return .json("no list")
        case .capsAtSeven: limit = limit > Self.size ? 7 : limit
        }
      }
      return Self.page((0..<Self.rows).dropFirst(offset).prefix(limit), total: total)
    }
  }

  /// The ids that a walk delivers, and the error that it ends with.
  private func read(_ walk: PageWalk) async throws -> [Int] {
    var ids: [Int] = []
    while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    return ids
  }

  @Test(arguments: Habit.allCases, [true, false])
  func `a list is exact although its server does not send windows`(
    habit: Habit, tellsTotal: Bool
  ) async throws {
    let transport = transport(habit, total: tellsTotal ? Self.rows : nil)
    let walk = walk(transport, tellsTotal: tellsTotal, level: .exact)
    let ids = try await read(walk)
    #expect(transport.requests.count <= 5 * 11 + 40, "\(transport.requests.count) requests")
    #expect(walk.consistency.claim == .exact, "\(walk.consistency)")
    #expect(ids.sorted() == Array(0..<Self.rows))
  }

  @Test(arguments: Habit.allCases, [true, false])
  func `windows that a server does not send are given up`(habit: Habit, tellsTotal: Bool)
    async throws
  {
    let transport = transport(habit, total: tellsTotal ? Self.rows : nil)
    let walk = walk(transport, tellsTotal: tellsTotal)
    let ids = try await read(walk)
    let requests = transport.requests.count
    #expect(requests <= 3 * 11 + 20, "\(requests) requests")
    if walk.consistency.claim >= .unproven {
      #expect(ids == Array(0..<Self.rows), "\(walk.consistency) \(ids)")
    }
    // Only nothing at all is a sign that rows are missing.
    #expect(walk.consistency.claim >= .unproven || habit == .sendsNothing, "\(walk.consistency)")
  }

  @Test(
    arguments: ["other rows each time", "pages that shrink", "inserts faster than they are read"],
    [Consistency.Level.seams, .exact])
  func `a list that can't be followed ends`(kind: String, level: Consistency.Level) async throws {
    let requests = Atomic(0)
    let transport = MockTransport { request in
      let number = requests.wrappingAdd(1, ordering: .relaxed).newValue
      let offset = request.query["offset"].flatMap { Int($0) } ?? 0
      let limit = request.query["limit"].flatMap { Int($0) } ?? Self.size
      switch kind {
      case "other rows each time":
        let ids = (offset..<min(offset + limit, 200)).map { $0 * 1_000 + number }
        return Self.page(ids, total: 200)
      case "pages that shrink":
        return Self.page((offset..<200).prefix(max(1, limit - number)), total: 200)
      default:
        // The list grows by two pages before each request, up to a thousand rows.
        let new = min(number * 40, 1_000)
        return Self.page((0 - new..<200).dropFirst(offset).prefix(limit), total: 200 + new)
      }
    }
    let walk = walk(transport, tellsTotal: true, level: level)
    let ids = try await read(walk)
    #expect(Set(ids).count == ids.count)
    #expect(walk.end != nil)
    let plain = kind == "pages that shrink" ? 200 : 60
    // A second walk may be twice as long again.
    let most = level == .exact ? 5 * plain + 40 : 3 * plain + 20
    #expect(transport.requests.count <= most, "\(transport.requests.count) requests")
    if kind == "other rows each time" { #expect(walk.consistency.claim <= .unproven) }
  }
}
