import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// A retry at an end that is incomplete.
@MainActor @Suite(.timeLimit(.minutes(1))) struct IncompleteEndTests {
  private func bench(_ respond: @escaping @Sendable (String) -> String) -> ListBench {
    ListBench(
      paging: .cursor(at: "next", endsBy: .total("total")),
      MockTransport { .json(respond($0.query["cursor"] ?? "-")) })
  }

  private func cursors(_ bench: ListBench) -> [String] {
    bench.transport.requests.map { $0.query["cursor"] ?? "-" }
  }

  private nonisolated static func page(_ cursor: String) -> String {
    switch cursor {
    case "a": TestSupport.page(3..<6, #""next":"b","total":8"#)
    case "b": TestSupport.page(6..<8, #""next":null,"total":8"#)
    default: TestSupport.page(0..<3, #""next":"a","total":8"#)
    }
  }

  @Test func `the last page is requested again where rows are missing after it`() async {
    let bench = bench(Self.page)
    _ = await bench.model.refresh().outcome
    // A page that was cut off: the rest of it, and the link to the next page.
    bench.transport.enqueue(.json(TestSupport.page(3..<5, #""next":null,"total":8"#)))
    _ = await bench.model.loadAll()
    #expect(bench.model.error != nil && bench.ids == Array(0..<5))
    #expect(
      await bench.model.retry().outcome == .appended(ListChange(inserted: [5..<6])))
    #expect(bench.ids == Array(0..<6) && bench.model.error == nil)
    #expect(await bench.model.loadAll() == .reachedEnd(.complete))
    #expect(bench.ids == Array(0..<8))
    #expect(cursors(bench) == ["-", "a", "a", "b"])
    #expect(bench.delegate.mismatches.isEmpty)
    #expect(await bench.model.retry().outcome == .notNeeded)
    #expect(cursors(bench).count == 4)
  }

  @Test func `a retry that changes nothing can be repeated`() async {
    let bench = bench(Self.page)
    _ = await bench.model.refresh().outcome
    let short = TestSupport.page(3..<5, #""next":null,"total":8"#)
    bench.transport.enqueue(.json(short), .json(short), .json(short))
    _ = await bench.model.loadAll()
    for _ in 0..<2 {
      #expect(await bench.model.retry().outcome == .appended(ListChange()))
      #expect(bench.model.error != nil && bench.ids == Array(0..<5))
    }
    bench.transport.enqueue(.failure(.connectRefused))
    guard case .failed = await bench.model.retry().outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(bench.ids == Array(0..<5))
    _ = await bench.model.retry().outcome
    #expect(bench.ids == Array(0..<6))
    #expect(bench.delegate.mismatches.isEmpty)
  }

  @Test func `a link that can't be followed is read again`() async {
    let bench = ListBench(
      paging: .nextURL(at: "next"),
      MockTransport { request in
        .json(
          request.query["page"] == "2"
            ? TestSupport.page(3..<5, #""next":null"#)
            : TestSupport.page(0..<3, #""next":"https://test/rows?page=2""#))
      })
    bench.transport.enqueue(
      .json(TestSupport.page(0..<3, #""next":"https://other/rows?page=2""#)))
    _ = await bench.model.refresh().outcome
    guard case .reachedEnd(.incomplete) = bench.model.state(of: .next) else {
      Issue.record("\(bench.model.state(of: .next))")
      return
    }
    _ = await bench.model.retry().outcome
    #expect(bench.ids == Array(0..<5))
    #expect(await bench.model.loadAll() == .reachedEnd(.complete))
  }

  @Test func `the list is refreshed where a row of it can't be read`() async {
    let bench = bench(Self.page)
    bench.transport.enqueue(
      .json(#"{"rows":[{"id":0},{"id":"x"},{"id":2}],"next":"b","total":5}"#))
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.json(TestSupport.page(3..<5, #""next":null,"total":5"#)))
    _ = await bench.model.loadAll()
    #expect(bench.model.error?.description.contains("could not be read") == true)
    _ = await bench.model.retry().outcome
    #expect(await bench.model.loadAll() == .reachedEnd(.complete))
    #expect(bench.ids == Array(0..<8))
    #expect(cursors(bench) == ["-", "b", "-", "a", "b"])
  }
}
