import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Pages shown from the cache, while the server's rows have moved since.
@MainActor @Suite struct PreviewDuplicateTests {
  private struct Titled: Decodable, Identifiable, Equatable {
    let id: Int
    let title: String
  }

  @Test(arguments: [DuplicatePolicy.keepFirst, .replaceInPlace, .moveToNew])
  func `a stored page removes no row from a page that was just received`(
    _ policy: DuplicatePolicy
  ) async {
    let hasMoved = Lock(false)
    let transport = MockTransport { request in
      let hasMoved = hasMoved.withLock { $0 }
      let number = request.query["page"].flatMap { Int($0) } ?? 0
      let ids = hasMoved ? [[1, 3], [4, 5]][number] : [[1, 2], [3, 4]][number]
      let rows = ids.map { #"{"id":\#($0),"title":"\#(hasMoved ? "new" : "old")"}"# }
      var response = MockResponse.json(
        #"{"rows":[\#(rows.joined(separator: ","))],"more":\#(number == 0)}"#)
      response.headers["Cache-Control"] = "max-age=0"
      return response
    }
    let server = Server("https://test", transport: transport) { $0.cache = HTTPCache() }
    func list() -> ListModel<Titled> {
      ListModel<Titled>(
        server, "/rows", items: "rows",
        paging: .pageNumber(size: 2, first: 0, endsBy: .hasNext("more"))
      ) {
        $0.cachePolicy = .cacheThenNetwork
        $0.duplicates = policy
      }
    }
    await list().loadAll()
    hasMoved.withLock { $0 = true }
    let again = list()
    await again.loadAll()
    #expect(again.rows.items.map(\.id) == [1, 3, 4, 5])
    #expect(again.rows.items.allSatisfy { $0.title == "new" })
  }
}
