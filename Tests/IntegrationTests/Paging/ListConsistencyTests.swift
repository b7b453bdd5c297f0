import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// What a list claims of its rows, and that a walk over the same server claims the same.
@MainActor @Suite(.timeLimit(.minutes(2))) struct ListConsistencyTests {
  private struct Row: Decodable, Identifiable, Sendable {
    let id: Int
  }

  /// A list of numbers on a server that changes before some requests.
  private final class Shelf: Sendable {
    private let served = ResponseCounter()
    private let lists: [[Int]]
    private let tellsTotal: Bool

    /// Creates a server that has each of these lists at one response, and the last one from then on.
    init(_ lists: [[Int]], tellsTotal: Bool) { (self.lists, self.tellsTotal) = (lists, tellsTotal) }

    func respond(_ way: Way, _ request: HTTPRequest) -> MockResponse {
      let list = lists[min(served.next(), lists.count - 1)]
      let start: Int
      switch way {
      case .pages: start = ((request.query["page"].flatMap { Int($0) } ?? 1) - 1) * 4
      case .counting: start = request.query["cursor"].flatMap { Int($0) } ?? 0
      case .cursor:
        let last = request.query["cursor"].flatMap { Int($0.dropFirst()) }
        start = last.flatMap { last in list.firstIndex { $0 > last } ?? list.count } ?? 0
      case .keys:
        let last = request.query["after"].flatMap { Int($0) }
        start = last.flatMap { last in list.firstIndex { $0 > last } ?? list.count } ?? 0
      }
      let rows = list.dropFirst(start).prefix(4)
      let end = start + rows.count
      let next =
        end >= list.count ? "null" : way == .counting ? "\"\(end)\"" : "\"k\(rows.last ?? 0)\""
      let text = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      let total = tellsTotal ? #","total":\#(list.count)"# : ""
      return .json(#"{"rows":[\#(text)],"next":\#(next),"more":\#(end < list.count)\#(total)}"#)
    }
  }

  private enum Way: CaseIterable {
    case pages, counting, cursor, keys

    var paging: Paging {
      switch self {
      case .pages: .pageNumber(size: 4, endsBy: .hasNext("more"))
      case .counting, .cursor: .cursor(at: "next")
      case .keys: .keyset(["id"], into: [.query("after")], endsBy: .hasNext("more"))
      }
    }
  }

  private func server(_ way: Way, _ lists: [[Int]], tellsTotal: Bool) -> Server {
    let shelf = Shelf(lists, tellsTotal: tellsTotal)
    return Server("https://test", transport: MockTransport { shelf.respond(way, $0) })
  }

  /// The lists of the server, and what is claimed for each way of paging.
  private nonisolated static let histories: [(lists: [[Int]], claims: [Consistency.Claim])] = [
    ([[]], [.exact, .exact, .exact, .exact]),
    ([Array(1...3)], [.exact, .exact, .exact, .exact]),
    ([Array(1...11)], [.unproven, .unproven, .whole, .whole]),
    // The first row goes, and another comes at the end: row 5 is on no numbered page.
    ([Array(1...8), Array(2...9)], [.unproven, .unproven, .whole, .whole]),
    // A row comes on top: the last row of page 1 is the first of page 2.
    ([Array(10...16), Array(9...16)], [.whole, .whole, .whole, .whole]),
  ]

  @Test(arguments: Way.allCases, histories.indices)
  private func `a list and a walk claim the same`(_ way: Way, _ number: Int) async throws {
    let (lists, claims) = Self.histories[number]
    let claim = claims[Way.allCases.firstIndex(of: way) ?? 0]
    let walk = PageWalk(
      server(way, lists, tellsTotal: false), "/rows", items: "rows", paging: way.paging)
    while try await walk.next() != nil {}
    #expect(walk.end == .complete && walk.consistency.claim == claim, "\(walk.consistency)")

    let list = ListModel<Row>(
      server(way, lists, tellsTotal: false), "/rows", items: "rows", paging: way.paging)
    await list.loadAll()
    #expect(list.state(of: .next) == .reachedEnd(.complete))
    #expect(list.consistency.claim == claim, "\(list.consistency)")
    #expect(list.consistency.seams == walk.consistency.seams)
    #expect(list.consistency.assumptions == walk.consistency.assumptions)
  }

  @Test func `a list whose total fell without a way back may lack rows`() async {
    let list = ListModel<Row>(
      server(.counting, [Array(1...12), Array(2...12)], tellsTotal: true), "/rows", items: "rows",
      paging: .cursor(at: "next", endsBy: .total("total")))
    await list.loadAll()
    guard case .reachedEnd(.incomplete) = list.state(of: .next) else {
      Issue.record("\(list.refreshState)")
      return
    }
    #expect(list.consistency.claim == .mayLack(atMost: nil))
  }

  @Test func `a refresh begins a new claim`() async {
    let list = ListModel<Row>(
      server(.pages, [Array(1...8)], tellsTotal: false), "/rows", items: "rows",
      paging: Way.pages.paging)
    #expect(list.consistency.claim == .unproven && list.consistency.moments == nil)
    await list.loadAll()
    #expect(list.consistency.seams == [.assumed: 1])
    _ = await list.refresh().outcome
    #expect(list.consistency.seams.isEmpty && list.consistency.claim == .whole)
  }

  @Test func `a list that starts in the middle claims nothing of the pages before`() async {
    // A server without links to the page before.
    let transport = MockTransport { request in
      let page = request.query["part"].flatMap { ["a": 0, "b": 1, "c": 2][$0] } ?? 0
      let next = page < 2 ? #"</rows?part=\#(["b", "c"][page])>; rel="next""# : ""
      return .json(#"[{"id":\#(page * 2 + 1)},{"id":\#(page * 2 + 2)}]"#).headers(["Link": next])
    }
    let list = ListModel<Row>(Server("https://test", transport: transport), "/rows", paging: .link)
    await list.loadAll()
    #expect(list.count == 6 && list.consistency.claim == .whole)
    _ = await list.refresh(.around(.number(3))).outcome
    await list.loadAll()
    #expect(list.count == 4 && list.consistency.claim == .unproven)
  }

  @Test func `a row of the program is no witness for what the server had before it`() async throws {
    let run = ServedRun(
      ServedList(rows: 5, pageSize: 2, by: .offsets, churn: [.before(request: 2, .delete(at: 0))]))
    let list = ListModel<Row>(
      run.server(), "/rows", items: "rows", paging: .offset(limit: 2))
    _ = await list.refresh().outcome
    // The server inserts row 6 before row 4, and confirms that; then row 1 goes and row 3 moves up.
    run.change(.insert(at: 3))
    let edit = try list.edit(.insert(Row(id: 6), id: 6, at: .end))
    list.confirm(edit)
    await list.loadAll()
    let verdict = run.verdict(
      ids: list.rows.items.map(\.id), claim: ServedList.Claim(list.consistency))
    #expect(!verdict.isFalse, "\(verdict) \(list.consistency)")
    #expect(list.consistency.claim == .unproven, "\(list.rows.items.map(\.id))")
  }
}
