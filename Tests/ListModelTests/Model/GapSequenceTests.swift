import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel

/// Gaps in histories that chance hardly draws.
@MainActor struct GapSequenceTests {
  private struct Row: Decodable, Identifiable, Sendable {
    let id: Int
  }

  /// A server whose rows have descending ids where nothing has moved.
  private final class Shelf: Sendable {
    let rows: Lock<[Int]>
    let status = Lock<Int?>(nil)

    init(_ count: Int) { rows = Lock(Array((1...count).reversed())) }

    func grow(to newest: Int) {
      rows.withLock { $0.insert(contentsOf: (($0.max() ?? 0) + 1...newest).reversed(), at: 0) }
    }

    func respond(to request: HTTPRequest, size: Int) -> MockResponse {
      if let status = status.withLock({ $0 }) { return .status(status) }
      let all = rows.withLock { $0 }
      let start = request.query["offset"].flatMap { Int($0) } ?? 0
      let before = request.query["cursor"].flatMap { Int($0) }
      let size = request.query["limit"].flatMap { Int($0) } ?? size
      let rows = (before.map { cursor in all.filter { $0 < cursor }[...] } ?? all.dropFirst(start)).prefix(size)
      let next = rows.last.flatMap { $0 == all.last ? nil : "\"\($0)\"" } ?? "null"
      let json = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .json(#"{"rows":[\#(json)],"total":\#(all.count),"next":\#(next)}"#)
    }
  }

  private func list(
    _ shelf: Shelf, _ paging: Paging, size: Int, gapPages: Int = 0
  ) -> (model: ListModel<Row>, transport: MockTransport) {
    let transport = MockTransport { shelf.respond(to: $0, size: size) }
    let model = ListModel<Row>(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", items: "rows", paging: paging
    ) { $0.gapPages = gapPages }
    return (model, transport)
  }

  private func ids(_ model: ListModel<Row>) -> [Int] { model.rows.items.map(\.id) }

  @Test func `a list loads no more of a gap by itself than it may`() async throws {
    let shelf = Shelf(6)
    let (model, transport) = list(shelf, .offset(limit: 3, endsBy: .total("total")), size: 3)
    _ = await model.loadNextPage().outcome
    shelf.grow(to: 18)
    _ = await model.refresh(.splice).outcome
    let gap = try #require(model.gaps.first).id
    let sent = transport.requests.count
    model.rowsWillAppear(0..<model.count)
    #expect(transport.requests.count == sent && model.state(ofGap: gap) == .idle)
    // Nor does it try again what has failed.
    shelf.status.withLock { $0 = 500 }
    guard case .failed = await model.loadGap(gap).outcome else { Issue.record("it loaded"); return }
    let failed = transport.requests.count
    model.rowsWillAppear(0..<model.count)
    await model.eventsDelivered()
    #expect(transport.requests.count == failed)
    shelf.status.withLock { $0 = nil }
    // A call has no limit, and loads the gap before the next page.
    guard case .filled = await model.loadNextPage().outcome else { Issue.record("no rows of the gap"); return }
    await model.loadAll()
    #expect(ids(model) == (1...18).reversed())
  }

  @Test func `a row that came alone at the end of a page does not show that rows before it are gone`() async throws {
    let shelf = Shelf(20)
    let (model, _) = list(shelf, .cursor(at: "next"), size: 10)
    await model.loadAll()
    shelf.grow(to: 39)
    _ = await model.refresh(.splice).outcome
    // Row 20 goes, so that row 19 follows the last new one.
    shelf.rows.withLock { $0.removeAll { $0 == 20 } }
    var loads = 0
    while loads < 30, let gap = model.gaps.first {
      loads += 1

      _ = await model.loadGap(gap.id, from: .above).outcome
      #expect(ids(model).contains(19))
    }
    #expect(ids(model).filter { $0 != 20 } == (1...39).reversed().filter { $0 != 20 })
  }

  @Test func `of two gaps the upper one is loaded first where places count rows`() async throws {
    let shelf = Shelf(6)
    let (model, _) = list(shelf, .offset(limit: 3, endsBy: .total("total")), size: 3)
    await model.loadAll()
    for newest in [15, 30] {
      shelf.grow(to: newest)
      _ = await model.refresh(.splice).outcome
    }
    #expect(model.gaps.count == 2)
    for _ in 0..<20 {
      guard let gap = model.gaps.last else { break }
      _ = await model.loadGap(gap.id, from: .above).outcome
      #expect(ids(model) == ids(model).sorted(by: >))
    }
    #expect(ids(model) == (1...30).reversed() && model.state(of: .next) == .reachedEnd(.complete))
  }

  @Test func `a row that has moved up cuts off no other rows while an edit is pending`() async throws {
    let shelf = Shelf(20)
    let (model, _) = list(shelf, .offset(limit: 10, endsBy: .total("total")), size: 10)
    await model.loadAll()
    shelf.grow(to: 50)
    _ = await model.refresh(.splice).outcome
    shelf.rows.withLock { rows in
      rows.removeAll { $0 == 15 }
      rows.insert(15, at: 12)
    }
    let edit = try model.edit(.remove(RowID(1)))
    let gap = try #require(model.gaps.first)
    _ = await model.loadGap(gap.id, from: .above).outcome
    #expect(Set(ids(model)).isSuperset(of: 36...50))
    model.rollback(edit)
    var loads = 0
    while loads < 30, let gap = model.gaps.first {
      loads += 1
      _ = await model.loadGap(gap.id, from: .above).outcome
    }
    #expect(Set(ids(model)) == Set(1...50) && model.consistency.claim < .whole)
  }

  @Test func `a counted page without new rows is followed by one from above`() async throws {
    let shelf = Shelf(20)
    let (model, _) = list(shelf, .offset(limit: 10, endsBy: .total("total")), size: 10)
    await model.loadAll()
    shelf.grow(to: 70)
    _ = await model.refresh(.splice).outcome
    let gap = try #require(model.gaps.first)
    #expect(gap.size == 40)
    shelf.rows.withLock { $0.removeAll { (30..<50).contains($0) } }
    guard case .filled(let change) = await model.loadGap(gap.id, from: .below).outcome else {
      Issue.record("it failed")
      return
    }
    #expect(!change.inserted.isEmpty)
    var loads = 0
    while loads < 30, let gap = model.gaps.first {
      loads += 1
      _ = await model.loadGap(gap.id, from: .below).outcome
    }
    #expect(ids(model) == (1...70).reversed().filter { !(30..<50).contains($0) })
  }

  @Test func `a gap whose cursor has expired leads on after a refresh`() async throws {
    let shelf = Shelf(20)
    let (model, _) = list(shelf, .cursor(at: "next"), size: 10)
    await model.loadAll()
    shelf.grow(to: 50)
    _ = await model.refresh(.splice).outcome
    let gap = try #require(model.gaps.first).id
    shelf.status.withLock { $0 = 410 }
    guard case .failed = await model.loadGap(gap).outcome else { Issue.record("it loaded"); return }
    #expect(model.gaps.first?.unavailable != nil)
    #expect(await model.loadGap(gap).outcome == .failed(try #require(model.gaps.first?.unavailable)))
    shelf.status.withLock { $0 = nil }
    _ = await model.refresh(.splice).outcome
    #expect(model.gaps.first.map { $0.unavailable == nil } == true)
    var loads = 0
    while loads < 30, let gap = model.gaps.first {
      loads += 1
      _ = await model.loadGap(gap.id).outcome
    }
    #expect(ids(model) == (1...50).reversed())
  }
}
