import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel

/// A refresh of all loaded pages, step by step.
@MainActor struct DeepRefreshSequenceTests {
  private struct Row: Decodable, Hashable, Identifiable, Sendable {
    let id: Int
  }

  /// A server whose pages have validators.
  private final class Shelf: Sendable {
    let rows: Lock<[Int]>
    /// The number of bodies that were sent, and the number of the request that fails.
    let bodies = Lock(0)
    let failing = Lock<Int?>(nil)
    private let requests = Lock(0)

    init(_ count: Int) { rows = Lock(Array(1...count)) }

    var count: Int { requests.withLock { $0 } }

    func respond(to request: HTTPRequest) -> MockResponse {
      let number = requests.withLock { count in
        count += 1
        return count
      }
      if failing.withLock({ $0 == number }) { return .status(500) }
      let all = rows.withLock { $0 }
      let start = request.query["cursor"].flatMap { Int($0.dropFirst()) }.map { cursor in
        all.firstIndex { $0 > cursor } ?? all.count
      }
      let rows = all[(start ?? 0)...].prefix(5)
      let next = rows.last.flatMap { $0 == all.last ? nil : "\"k\($0)\"" } ?? "null"
      let json = #"{"rows":[\#(rows.map { #"{"id":\#($0)}"# }.joined(separator: ","))],"next":\#(next)}"#
      let tag = "\"\(json.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 })\""
      if request.headers["If-None-Match"] == tag { return MockResponse(status: 304, headers: ["ETag": tag]) }
      bodies.withLock { $0 += 1 }
      return MockResponse(
        status: 200, headers: ["Content-Type": "application/json", "ETag": tag, "Cache-Control": "no-cache"],
        body: ResponseBody(text: json))
    }
  }

  private func list(_ shelf: Shelf) -> ListModel<Row> {
    let server = Server("https://test", transport: MockTransport { shelf.respond(to: $0) }) {
      $0.retry = .never
      $0.cache = HTTPCache()
    }
    return ListModel<Row>(server, "/rows", items: "rows", paging: .cursor(at: "next"))
  }

  private func ids(_ model: ListModel<Row>) -> [Int] { model.rows.items.map(\.id) }

  @Test func `pages that have not changed have no body`() async throws {
    let shelf = Shelf(40)
    let model = list(shelf)
    await model.loadAll()
    let (requests, bodies) = (shelf.count, shelf.bodies.withLock { $0 })
    let before = model.consistency.moments
    var events: [ListEvent] = []
    model.onChange = { events.append(.didChange($0)) }
    model.onFinish = { events.append(.didFinish($0)) }
    guard case .replaced(let change) = await model.refresh(.deep).outcome else { Issue.record("it failed"); return }
    #expect(change.isEmpty && events == [.didFinish(.deep)])
    #expect(shelf.count == requests + 8 && shelf.bodies.withLock { $0 } == bodies)
    let after = try #require(model.consistency.moments)
    #expect(after.lowerBound >= (try #require(before)).upperBound)
    // One row goes, on a page in the middle.
    shelf.rows.withLock { $0.removeAll { $0 == 23 } }
    _ = await model.refresh(.deep).outcome
    #expect(ids(model) == (1...40).filter { $0 != 23 })
    #expect(shelf.bodies.withLock { $0 } <= bodies + 4)
  }

  @Test func `a refresh that failed goes on where it stopped`() async {
    let shelf = Shelf(40)
    let model = list(shelf)
    await model.loadAll()
    shelf.rows.withLock { $0.removeAll { [2, 33].contains($0) } }
    let requests = shelf.count
    shelf.failing.withLock { $0 = requests + 4 }
    guard case .failed = await model.refresh(.deep).outcome else { Issue.record("it succeeded"); return }
    #expect(ids(model) == (1...40).filter { $0 != 2 })
    guard case .failed = model.deepRefreshState else { Issue.record("\(model.deepRefreshState)"); return }
    shelf.failing.withLock { $0 = nil }
    let failed = shelf.count
    guard case .replaced = await model.retry().outcome else { Issue.record("it failed again"); return }
    #expect(ids(model) == (1...40).filter { ![2, 33].contains($0) })
    #expect(shelf.count <= failed + 6 && model.deepRefreshState == .idle)
    #expect(model.consistency.claim == .whole && model.state(of: .next) == .reachedEnd(.complete))
    // A refresh of the start in between makes the next one begin there.
    let load = model.refresh(.deep)
    load.cancel()
    #expect(await load.outcome == .cancelled(.byCaller))
  }

  @Test func `it waits for edits, and the list is used meanwhile`() async throws {
    let shelf = Shelf(40)
    let model = list(shelf)
    for _ in 0..<4 { _ = await model.loadNextPage().outcome }
    let edit = try model.edit(.remove(RowID(7)))
    let deep = model.refresh(.deep)
    guard case .appended = await model.loadNextPage().outcome else { Issue.record("no next page"); return }
    #expect(deep.outcomeIfFinished == nil && model.deepRefreshState == .loading)
    shelf.rows.withLock { $0.removeAll { [7, 12].contains($0) } }
    model.confirm(edit)
    guard case .replaced = await deep.outcome else { Issue.record("it failed"); return }
    #expect(ids(model) == (1...ids(model).count + 2).filter { ![7, 12].contains($0) })
    await model.loadAll()
    #expect(ids(model) == (1...40).filter { ![7, 12].contains($0) })
  }

  @Test func `another refresh and a reset end it`() async {
    let shelf = Shelf(40)
    let model = list(shelf)
    await model.loadAll()
    let (deep, splice) = (model.refresh(.deep), model.refresh(.splice))
    #expect(await deep.outcome == .cancelled(.superseded))
    guard case .replaced = await splice.outcome else { Issue.record("it failed"); return }
    #expect(model.count == 40)
    let last = model.refresh(.deep)
    model.reset()
    #expect(await last.outcome == .cancelled(.superseded) && model.count == 0)
  }

  @Test func `one asked for during another load of all rows follows it`() async {
    let shelf = Shelf(40)
    let model = list(shelf)
    await model.loadAll()
    let (splice, deep) = (model.refresh(.splice), model.refresh(.deep))
    guard case .replaced = await splice.outcome, case .replaced = await deep.outcome else {
      Issue.record("it failed")
      return
    }
    #expect(model.count == 40)
    // A list that was never loaded has nothing to read again.
    let other = list(shelf)
    guard case .replaced = await other.refresh(.deep).outcome else { Issue.record("it failed"); return }
    #expect(other.count == 5)
  }

  @Test func `visible rows are read again first`() async {
    let shelf = Shelf(40)
    let model = list(shelf)
    await model.loadAll()
    model.rowsWillAppear(21..<24)
    shelf.rows.withLock { $0.removeAll { [3, 23].contains($0) } }
    var first: ListChange?
    model.onChange = { first = first ?? $0 }
    let requests = shelf.count
    _ = await model.refresh(.deep).outcome
    #expect(first == ListChange(removed: [22..<23]))
    #expect(ids(model) == (1...40).filter { ![3, 23].contains($0) } && shelf.count <= requests + 10)
  }

  @Test func `the row in sight stays, and its rows stay although no page has them`() async {
    let shelf = Shelf(60)
    let model = list(shelf)
    for _ in 0..<6 { _ = await model.loadNextPage().outcome }
    model.rowsWillAppear(26..<30)
    // The last loaded rows go, which no page of the refresh can show.
    shelf.rows.withLock { $0.removeAll { $0 > 27 && $0 <= 30 } }
    let visible = ids(model)[26]
    _ = await model.refresh(.deep).outcome
    #expect(ids(model).contains(visible))
    model.rowsWillAppear(0..<4)
    _ = await model.refresh(.deep).outcome
    #expect(!ids(model).contains(30) && ids(model) == ids(model).sorted())
    await model.loadAll()
    #expect(ids(model) == (1...60).filter { !(28...30).contains($0) })
  }
}
