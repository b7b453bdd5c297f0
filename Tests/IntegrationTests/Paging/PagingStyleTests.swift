import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// Whole lists over libcurl and real sockets, with every way of paging.
@Suite(.timeLimit(.minutes(2))) @MainActor struct PagingStyleTests {
  /// Page 20 is full and the last one, or page 21 is short.
  nonisolated static let counts = [1_000, 1_013]

  @Test(arguments: CatalogueStyle.all, counts)
  func `a list is loaded whole and in order, with the fewest requests`(
    _ style: CatalogueStyle, _ count: Int
  ) async throws {
    let catalogue = Catalogue(count: count)
    let loopback = try style.server(catalogue)
    let list = style.list(loopback)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.ids == catalogue.ids)
    #expect(list.duplicateCount == 0)
    #expect(list.state(of: .next) == .reachedEnd(.complete))
    #expect(list.page?.facts.problems == [])
    #expect(loopback.requestCount == style.requestCount(catalogue))
  }

  @Test(arguments: CatalogueStyle.all.filter { $0.ending != .onlyPage })
  func `a list without rows reaches its end and does not fail`(
    _ style: CatalogueStyle
  ) async throws {
    let loopback = try style.server(Catalogue(count: 0))
    let list = style.list(loopback)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.hasLoaded && list.count == 0)
    #expect(loopback.requestCount == 1)
  }

  nonisolated static let withMiddle = (CatalogueStyle.all + [.backward]).filter {
    if case .none = $0.middle { false } else { true }
  }

  @Test(arguments: withMiddle, counts)
  func `a list that starts in the middle grows to its first row, then to its last`(
    _ style: CatalogueStyle, _ count: Int
  ) async throws {
    let catalogue = Catalogue(count: count)
    let loopback = try style.server(catalogue)
    let list: ListModel<CatalogueRow>
    switch style.middle {
    case .page(let number):
      list = style.list(loopback)
      _ = await list.loadPage(number).outcome
    case .call(let call):
      list = style.list(loopback, call)
      _ = await list.refresh().outcome
    case .end, .none:
      list = style.list(loopback)
      _ = await list.refresh().outcome
    }
    let pagesBefore = catalogue.ids.firstIndex(of: list.ids.first ?? 0).map { ($0 + 49) / 50 }
    #expect(list.count == Catalogue.size)
    var outcome = await list.loadPreviousPage().outcome
    while case .prepended = outcome { outcome = await list.loadPreviousPage().outcome }
    #expect(outcome == .reachedEnd(.complete))
    #expect(loopback.requestCount == (pagesBefore ?? 0) + 1)
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(list.ids == catalogue.ids)
    #expect(list.duplicateCount == 0)
    #expect(list.state(of: .previous) == .reachedEnd(.complete))
    #expect(loopback.requestCount == style.requestCount(catalogue))
  }

  @Test(arguments: CatalogueStyle.all, counts)
  func `pages loaded in parallel give the same list with the same requests`(
    _ style: CatalogueStyle, _ count: Int
  ) async throws {
    let catalogue = Catalogue(count: count)
    let loopback = try style.server(catalogue)
    let transport = PeakTransport()
    let list = style.list(loopback, transport: transport)
    #expect(await list.loadAll(parallel: 4) == .reachedEnd(.complete))
    #expect(list.ids == catalogue.ids)
    #expect(list.duplicateCount == 0)
    #expect(loopback.requestCount == style.requestCount(catalogue))
    // The number of pages is enough.
    let isCounted = style.isCounted || "\(style)".contains("number of")
    #expect(transport.peak <= (isCounted ? 4 : 1))
  }

  @Test(arguments: CatalogueStyle.all.filter(\.isCounted))
  func `four pages are in flight at once if their places are known`(
    _ style: CatalogueStyle
  ) async throws {
    let catalogue = Catalogue(count: 1_013)
    let gate = try LoopbackGate()
    let served = ResponseCounter()
    let loopback = try LoopbackServer { request in
      let response = style.serve(request, catalogue)
      return served.next() == 0 ? response : response.held(by: gate)
    }
    let transport = PeakTransport()
    let list = style.list(loopback, transport: transport)
    async let outcome = list.loadAll(parallel: 4)
    await gate.reached(4)
    #expect(list.count == Catalogue.size)
    gate.open()
    #expect(await outcome == .reachedEnd(.complete))
    #expect(list.ids == catalogue.ids)
    #expect(transport.peak == 4)
  }

  @Test(arguments: CatalogueStyle.all.filter { $0.isCounted && $0.hasPageNumbers }, counts)
  func `a list that starts in the middle requests no page beyond the last one ahead`(
    _ style: CatalogueStyle, _ count: Int
  ) async throws {
    let catalogue = Catalogue(count: count)
    let loopback = try style.server(catalogue)
    let list = style.list(loopback)
    _ = await list.loadPage(10).outcome
    #expect(await list.loadAll(parallel: 4) == .reachedEnd(.complete))
    #expect(list.ids == Array(catalogue.ids.dropFirst(500)))
    #expect(loopback.requestCount == catalogue.pageCount - 10)
  }

  @Test(arguments: CatalogueStyle.all.filter(\.isCounted))
  func `filtered rows never cause a request for a page that doesn't exist`(
    _ style: CatalogueStyle
  ) async throws {
    let catalogue = Catalogue(count: 1_013)
    let loopback = try style.server(catalogue)
    let list = catalogueList(loopback, style.call, items: style.items, paging: style.paging) {
      $0.filter = { $0.id % 2 == 0 }
    }
    #expect(await list.loadAll(parallel: 4) == .reachedEnd(.complete))
    #expect(list.ids == catalogue.ids.filter { $0 % 2 == 0 })
    #expect(loopback.requestCount == catalogue.pageCount)
  }
}

/// Sends by libcurl, and records the largest number of requests in flight.
final class PeakTransport: Transport {
  private let base = CurlTransport()
  private let underWay = Atomic(0)
  private let most = Atomic(0)

  var peak: Int { most.load(ordering: .relaxed) }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    most.max(underWay.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
    defer { underWay.subtract(1, ordering: .relaxed) }
    return try await base.send(request)
  }
}
