import Foundation
import Quire

/// A list of 10,000 books in a file, opened until its first rows are shown, against its first page over
/// a network that takes 20 ms.
@MainActor struct StoredListBenchmark {
  static let rounds = 15
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/quire-bench-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let base = "http://127.0.0.1:\(yardstick.port)"
    try await Self.fill(folder, base)
    var opened: [Double] = []
    var complete: [Double] = []
    var fetched: [Double] = []
    for _ in 0..<Rounds.count(Self.rounds) {
      let begin = Cost.now()
      let kept = Self.list(
        base, CurlTransport.shared, HTTPCache.disk(at: URL(filePath: folder)))
      let steps = kept.events
      let load = kept.restore()
      try await Self.firstRows(steps, kept)
      opened.append((Cost.now() - begin).wall)
      _ = await load.outcome
      complete.append((Cost.now() - begin).wall)
      guard kept.count == 10_000 else { throw BenchmarkError("\(kept.count) rows were kept") }
      let start = Cost.now()
      let fresh = Self.list(base, CurlTransport.shared, nil)
      let events = fresh.events
      fresh.refresh()
      try await Self.firstRows(events, fresh)
      fetched.append((Cost.now() - start).wall)
    }
    let (open, whole, fetch) = (
      Estimate(opened).median, Estimate(complete).median, Estimate(fetched).median
    )
    report.note(
      String(
        format:
          "list of 10,000 rows in a file: first rows after %.1f ms, all after %.1f ms; from a "
          + "server 20 ms away the first page takes %.1f ms",
        open * 1e3, whole * 1e3, fetch * 1e3))
    report.add(
      "list in a file: first rows, part of the time of a first page",
      Estimate(zip(opened, fetched).map { $0 / $1 }),
      atMost: 0.1)
  }

  private static func list(
    _ base: String, _ transport: any Transport, _ cache: HTTPCache?
  ) -> ListModel<BookItem> {
    ListModel<BookItem>(
      Server(base, transport: transport), "/late", items: "data.list",
      paging: .pageNumber(size: 20), identity: .by { $0.id }
    ) {
      if let cache { $0.keeping = ListKeeping(in: cache) }
    }
  }

  /// Lives through the list once, so that it is kept: 500 pages of 20 books.
  private static func fill(_ folder: String, _ base: String) async throws {
    let pages = MappingPages()
    let books = try JSONDocument(pages.books(10_000)).root["data"]?["list"]?.elements.map(\.text)
    let cache = HTTPCache.disk(at: URL(filePath: folder))
    let list = list(base, BookTransport(books: books ?? []), cache)
    await list.loadAll()
    await cache.flush()
    guard list.count == 10_000 else { throw BenchmarkError("\(list.count) rows to keep") }
  }

  private static func firstRows(
    _ steps: ListEvents<BookItem>, _ list: ListModel<BookItem>
  ) async throws {
    for await step in steps {
      if case .didChange = step.event { return }
      if case .didFail(_, let error) = step.event { throw error }
    }
  }
}

/// Answers with twenty books a page.
private struct BookTransport: Transport {
  let books: [String]

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = books.dropFirst(page * 20 - 20).prefix(20).joined(separator: ",")
    return HTTPResponse(
      headers: ["Content-Type": "application/json"],
      body: ResponseBody(text: #"{"code":0,"data":{"list":[\#(rows)],"total":10000}}"#),
      url: request.url)
  }
}
