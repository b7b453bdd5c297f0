import Quire
import QuireTesting
import Support
import Testing

/// The samples about gaps.
@MainActor struct GapSamples {
  private struct Post: Decodable, Identifiable {
    let id: Int
  }

  @Test func `a gap is loaded until its sides meet`() async {
    let newest = Lock(6)
    let transport = MockTransport { request in
      let start = request.query["offset"].flatMap { Int($0) } ?? 0
      let all = Array((1...newest.withLock { $0 }).reversed())
      let rows = all.dropFirst(start).prefix(3).map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .json(#"{"rows":[\#(rows)],"total":\#(all.count)}"#)
    }
    let news = ListModel<Post>(
      Server("https://api.example.com", transport: transport), "/news", items: "rows",
      paging: .offset(limit: 3, endsBy: .total("total")))
    await news.loadAll()
    newest.withLock { $0 = 15 }
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    _ = await news.refresh(.splice).outcome
    for gap in news.gaps { show("\(gap.size ?? 0) rows are missing") }
    #expect(shown == ["6 rows are missing"])
    while let gap = news.gaps.first {
      let load = news.loadGap(gap.id, from: .below)
      _ = await load.outcome
    }
    #expect(news.rows.items.map(\.id) == Array((1...15).reversed()))
    // Two pages, the refresh, and four for the gap: these overlap, to show that no row is missing between them.
    #expect(transport.requests.count == 7)
  }
}
