import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// Servers that repeat rows: a list continues while new rows are received, and no longer.
@Suite(.timeLimit(.minutes(1))) @MainActor struct EndlessListTests {
  private func expectNoProgress(
    _ list: ListModel<CatalogueRow>, _ outcome: LoadOutcome,
    location: SourceLocation = #_sourceLocation
  ) {
    guard case .reachedEnd(.incomplete(.noProgress(let key))) = list.state(of: .next) else {
      Issue.record("\(list.state(of: .next)) after \(outcome)", sourceLocation: location)
      return
    }
    let text = "\(PagingError.noProgress(key))"
    #expect(text.contains("no new rows"), sourceLocation: location)
    #expect(outcome == .reachedEnd(.incomplete(.noProgress(key))), sourceLocation: location)
  }

  @Test func `cursors in a loop end the list as incomplete`() async throws {
    let loopback = try LoopbackServer { request in
      request.query("cursor") == "B"
        ? Catalogue.page(3..<6, #""next":"A""#) : Catalogue.page(0..<3, #""next":"B""#)
    }
    let list = catalogueList(loopback, paging: .cursor(at: "next"))
    expectNoProgress(list, await list.loadAll())
    #expect(list.ids == (0..<6).map(Catalogue.id))
    #expect(loopback.requestCount <= 6)
  }

  @Test(arguments: [
    Paging.pageNumber(size: 3), .offset(limit: 3), .cursor(at: "next"), .link,
    .pageNumber(size: 3, endsBy: .total("total")),
  ])
  func `a server that always sends the same page is detected`(_ paging: Paging) async throws {
    let served = ResponseCounter()
    let loopback = try LoopbackServer { request in
      let number = served.next()
      return Catalogue.page(0..<3, #""next":"c\#(number)","total":30"#)
        .with("Link", "</rows?number=\(number)>; rel=next")
    }
    let list = catalogueList(loopback, paging: paging)
    expectNoProgress(list, await list.loadAll())
    #expect(list.ids == (0..<3).map(Catalogue.id))
    #expect(loopback.requestCount == 3)
  }

  @Test func `a list without ids ends when the same cursor returns the same page`()
    async throws
  {
    let loopback = try LoopbackServer { _ in Catalogue.page(0..<3, #""next":"c""#) }
    let list = ListModel<CatalogueRow>(
      Server(loopback.baseURL, transport: CurlTransport()), Call("/rows"),
      reading: .decodables(at: "rows"),
      paging: .cursor(at: "next"), identity: .none)
    expectNoProgress(list, await list.loadAll())
    // Equal rows after another cursor may be different rows, so the second page counts.
    #expect(list.ids == (0..<6).map { Catalogue.id($0 % 3) })
    #expect(loopback.requestCount == 3)
  }

  @Test(arguments: [1, 4])
  func `a page of duplicates between good ones is skipped and reported`(
    _ parallel: Int
  ) async throws {
    let loopback = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let rows = number < 3 ? (number - 1) * 3..<number * 3 : (number - 2) * 3..<(number - 1) * 3
      return Catalogue.page(rows, #""more":\#(number < 5),"total":15"#)
    }
    let list = catalogueList(
      loopback, paging: .pageNumber(size: 3, endsBy: .hasNext("more"), .total("total")))
    let keeper = ReportKeeper()
    list.delegate = keeper
    // Fifteen rows were reported, and the page that came twice is no substitute for three of them.
    let reason = PagingError.fewerRows(received: 12, reported: 15)
    #expect(await list.loadAll(parallel: parallel) == .reachedEnd(.incomplete(reason)))
    #expect(list.ids == (0..<12).map(Catalogue.id))
    #expect(list.duplicateCount == 3)
    #expect(keeper.reports.map(\.duplicates) == [3])
    #expect(keeper.reports.first?.description == "3 rows were already in the list")
    #expect(loopback.requestCount == 5)
  }
}
