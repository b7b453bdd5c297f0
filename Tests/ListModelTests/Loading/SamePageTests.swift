import ItemMapping
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Pages with the same bytes as those in the list.
@MainActor struct SamePageTests {
  /// The number of items read, by tests that run one at a time.
  nonisolated private static let reads = Lock(0)

  final class Counted: BaseItem, Identifiable {
    var id = 0
    override class var fields: FieldTable {
      FieldTable(Counted.self) { f in f(\.id, "id", .required) }
    }
    override func didMap(_ json: JSONView) { SamePageTests.reads.withLock { $0 += 1 } }
  }

  private func reads(during body: () async -> Void) async -> Int {
    let before = Self.reads.withLock { $0 }
    await body()
    return Self.reads.withLock { $0 } - before
  }

  private func list(
    _ transport: MockTransport, configure: (inout ListSettings<Counted>) -> Void = { _ in }
  ) -> ListModel<Counted> {
    ListModel<Counted>(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", items: "rows",
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")), configure: configure)
  }

  private let transport = MockTransport { request in
    .json(ListBench.page(request.query["page"].flatMap { Int($0) } ?? 0, of: 3))
  }

  @Test func `a refresh with the same bytes reads no row and changes none`() async {
    let list = list(transport)
    _ = await list.refresh().outcome
    let items = Array(list.rows.items)
    let reads = await reads {
      #expect(await list.refresh().outcome == .replaced(ListChange()))
    }
    #expect(reads == 0)
    #expect(zip(list.rows.items, items).allSatisfy { $0 === $1 })
    #expect(list.page?.items.count == 3)
    transport.enqueue(.json(page([0, 1, 9], #""more":true"#)))
    let others = await self.reads { _ = await list.refresh().outcome }
    #expect(others == 3 && list.rows.items.map(\.id) == [0, 1, 9])
  }

  @Test func `a refresh with the same first page drops the other pages`() async {
    let list = list(transport)
    await list.loadAll()
    let reads = await reads {
      #expect(await list.refresh().outcome == .replaced(ListChange(removed: [3..<9])))
    }
    #expect(reads == 0 && list.rows.items.map(\.id) == [0, 1, 2])
    #expect(await list.loadNextPage().outcome == .appended(ListChange(inserted: [3..<6])))
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.rows.items.map(\.id) == Array(0..<9))
  }

  @Test func `the headers of each response are read`() async {
    let paging = Paging.link
    let list = ListModel<Counted>(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", items: "rows",
      paging: paging)
    transport.enqueue(.json(page(0..<3)), .json(page(0..<3)).headers(["Link": "</b>; rel=next"]))
    _ = await list.refresh().outcome
    #expect(list.state(of: .next) == .reachedEnd(.complete))
    let reads = await reads { _ = await list.refresh().outcome }
    #expect(reads == 0 && list.state(of: .next) == .idle)
  }

  @Test func `rows that a filter or a duplicate drops are dropped and reported again`() async {
    let list = list(transport) { $0.filter = { $0.id != 1 } }
    let response = MockResponse.json(page([0, 1, 2, 2], #""more":true"#))
    transport.enqueue(response, response)
    _ = await list.refresh().outcome
    var reports: [PageReport] = []
    let begun = list.events.makeAsyncIterator()
    let reporting = Task {
      var steps = begun
      while let step = await steps.next() {
        if case .didReport(let report) = step.event { reports.append(report) }
        if step.event == .didFinish(.refresh) { break }
      }
    }
    let reads = await reads { _ = await list.refresh().outcome }
    await reporting.value
    #expect(reads == 0 && list.rows.items.map(\.id) == [0, 2])
    #expect(reports.map(\.filtered) == [1] && reports.map(\.repeats) == [1])
  }

  @Test func `edits stay on rows that are loaded again`() async throws {
    let list = list(transport)
    _ = await list.refresh().outcome
    let edit = try list.edit(.remove(1))
    _ = await list.refresh().outcome
    #expect(list.rows.items.map(\.id) == [0, 2])
    list.rollback(edit)
    _ = await list.refresh().outcome
    #expect(list.rows.items.map(\.id) == [0, 1, 2])
    list.confirm(try list.edit(.remove(2)))
    let reads = await reads { _ = await list.refresh().outcome }
    #expect(reads == 0 && list.rows.items.map(\.id) == [0, 1, 2])
  }

  @Test func `a stored page that the server confirms is read once`() async {
    let server = Server("https://test", transport: transport) {
      $0.cache = HTTPCache(TestCacheStore())
    }
    let list = ListModel<Counted>(
      server, "/rows", items: "rows",
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more"))
    ) { $0.cachePolicy = .cacheThenNetwork }
    let cache = CacheDouble(server)
    list.source.loader.send = { call async throws(RequestError) in try await cache.send(call) }
    for number in 0..<3 { cache.store(ListBench.page(number, of: 3), for: "\(number)") }
    let reads = await reads { await list.loadAll() }
    #expect(reads == 9 && list.rows.items.map(\.id) == Array(0..<9))
  }

  @Test func `content marks differ for contents of any length`() {
    var seen: Set<ContentDigest> = []
    for length in 0..<200 {
      var bytes = [UInt8](repeating: 7, count: length)
      #expect(seen.insert(ContentDigest(ResponseBody(bytes))).inserted)
      for at in bytes.indices {
        bytes[at] ^= 1 << UInt8(at % 8)
        #expect(seen.insert(ContentDigest(ResponseBody(bytes))).inserted, "\(at) of \(length)")
        bytes[at] ^= 1 << UInt8(at % 8)
      }
    }
    #expect(Set(seen.map(\.hash)).count == seen.count)
    // The same in every process, since stores keep it.
    #expect(ContentDigest("quire") == ContentDigest(ResponseBody(text: "quire")))
  }
}
