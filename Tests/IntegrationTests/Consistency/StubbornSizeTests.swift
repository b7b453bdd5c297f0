import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Servers of numbered pages, or of links with numbers, that don't send pages of other sizes as they should. Each list
/// ends, within a bounded number of requests, and claims nothing false.
@Suite(.timeLimit(.minutes(2))) struct StubbornSizeTests {
  /// What a server does with a request for another size than usual.
  enum Habit: String, CaseIterable {
    case ignores, roundsUp, roundsDown, refuses, refusesAsUnprocessable, fails, sendsFirstPage
    case sendsNothing, sendsText, capsAtSeven
  }

  /// What leads from page to page.
  enum Chain: String, CaseIterable {
    case numbers, numbersAndTotal, links
  }

  private static let size = StubbornList.size

  /// A server of a still list.
  private func transport(_ habit: Habit, rows: Int, chain: Chain) -> MockTransport {
    MockTransport { request in
      var number = request.query["page"].flatMap { Int($0) } ?? 1
      var size = request.query["per_page"].flatMap { Int($0) } ?? Self.size
      let total = chain == .numbersAndTotal ? rows : nil
      let asked = size
      if size != Self.size {
        switch habit {
        case .ignores: size = Self.size
        case .roundsUp: size = (size + 9) / 10 * 10
        case .roundsDown: size = max(5, size / 5 * 5)
        case .refuses: return .status(400)
        case .refusesAsUnprocessable: return .status(422)
        case .fails: return .status(500)
        case .sendsFirstPage: (number, size) = (1, Self.size)
        case .sendsNothing: return StubbornList.page([], total: total)
        case .sendsText: return .json("no list")
        case .capsAtSeven: size = 7
        }
      }
      var page = StubbornList.page(
        (0..<rows).dropFirst((number - 1) * size).prefix(size), total: total)
      if chain == .links, number * size < rows {
        page.headers["Link"] = "</rows?page=\(number + 1)&per_page=\(asked)>; rel=\"next\""
      }
      return page
    }
  }

  private func walk(
    _ transport: MockTransport, _ chain: Chain, level: Consistency.Level
  ) -> PageWalk {
    let server = Server("https://test", transport: transport) { $0.retry = .never }
    let paging: Paging =
      switch chain {
      case .numbers: .pageNumber(size: Self.size)
      case .numbersAndTotal: .pageNumber(size: Self.size, endsBy: .total("total"))
      case .links: .link
      }
    return PageWalk(
      server, "/rows", items: "rows", paging: paging, identity: .by("id"), consistency: level)
  }

  @Test(arguments: Habit.allCases, Chain.allCases)
  func `sizes that a server does not send are given up`(habit: Habit, chain: Chain)
    async throws
  {
    for rows in [0, 1, 20, 25, 38, 40, 203] {
      let transport = transport(habit, rows: rows, chain: chain)
      let walk = walk(transport, chain, level: .whole)
      let ids = try await walk.ids()
      #expect(transport.requests.count <= rows / Self.size + 5, "\(rows) rows")
      #expect(ids == Array(0..<rows), "\(rows) rows: \(walk.consistency)")
      if rows > Self.size {
        #expect(walk.end == .incomplete(.lowClaim(.unproven, asked: .whole)), "\(rows) rows")
      }
    }
  }

  @Test(arguments: StubbornList.Unrest.allCases)
  func `a list that can't be followed ends`(unrest: StubbornList.Unrest) async throws {
    let requests = Atomic(0)
    let transport = MockTransport { request in
      let count = requests.wrappingAdd(1, ordering: .relaxed).newValue
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let size = request.query["per_page"].flatMap { Int($0) } ?? Self.size
      return StubbornList.page(of: unrest, from: (number - 1) * size, size, request: count)
    }
    let walk = walk(transport, .numbersAndTotal, level: .whole)
    let ids = try await walk.ids()
    #expect(Set(ids).count == ids.count && walk.end != nil)
    #expect(transport.requests.count <= 3 * 60 + 20, "\(transport.requests.count) requests")
    if unrest != .insertsFasterThanReads { #expect(walk.end != .complete) }
  }
}
