import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

/// Stored pages with a total that is no longer that of the server.
@MainActor @Suite(.timeLimit(.minutes(1))) struct PreviewTotalTests {
  @Test(arguments: [1, 3, 5, 6, 7, 40], [1, 4, 6, 20])
  func `the total of stored pages says nothing of the rows of the server`(
    stored: Int, live: Int
  ) async {
    let count = Lock(stored)
    let transport = MockTransport { request in
      let count = count.withLock { $0 }
      let start = (request.query["page"].flatMap { Int($0) } ?? 0) * 3
      let rows = (start..<max(start, min(start + 3, count))).map { #"{"id":\#($0)}"# }
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"total":\#(count)}"#)
        .headers(["Cache-Control": "max-age=0"])
    }
    let server = Server("https://test", transport: transport) { $0.cache = HTTPCache() }
    func list() -> ListModel<Row> {
      ListModel(
        server, "/rows", items: "rows",
        paging: .pageNumber(size: 3, first: 0, endsBy: .total("total"))
      ) { $0.cachePolicy = .cacheThenNetwork }
    }
    await list().loadAll()
    count.withLock { $0 = live }
    let again = list()
    #expect(await again.loadAll() == .reachedEnd(.complete))
    #expect(again.rows.items.map(\.id) == Array(0..<live))
  }
}
