import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import TestSupport
import Testing

/// What a simple screen reads and prints.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SummaryTests {
  @Test func `items, isLoading, hasMore and error follow the states`() async {
    let bench = ListBench(pages: 2)
    let list = bench.model
    #expect(list.items.isEmpty && !list.isLoading && list.hasMore && list.error == nil)
    let load = list.refresh()
    #expect(list.isLoading)
    _ = await load.outcome
    #expect(!list.isLoading && list.hasMore)
    #expect(list.items.map(\.id) == [0, 1, 2] && list.items[1].id == 1)

    bench.transport.enqueue(.failure(.offline))
    _ = await list.loadNextPage().outcome
    #expect(list.error?.isOffline == true && list.error?.isCancelled == false)
    #expect(list.hasMore && list.items.count == 3)
    _ = await list.retry().outcome
    #expect(list.error == nil && !list.hasMore && list.count == 6)
  }

  @Test func `an end with missing rows is an error`() async {
    let bench = ListBench(
      paging: .nextURL(at: "next", total: "n"),
      MockTransport { _ in .json(page(0..<3, #""next":null,"n":9"#)) })
    _ = await bench.model.refresh().outcome
    #expect(!bench.model.hasMore)
    #expect(bench.model.error?.description.contains("6 of 9 rows are missing") == true)
  }

  @Test func `a loop over rows and a subscript give items`() async {
    let list = ListBench(pages: 3).model
    await list.loadAll()
    var ids: [Int] = []
    for row in list.rows { ids.append(row.id) }
    #expect(ids == Array(0..<9))
    #expect(list.rows[4]?.id == 4 && list.rows[9] == nil && list.rows[-1] == nil)
    #expect(list.rows.first { $0.id > 6 }?.id == 7)
  }

  @Test func `a closure is called at the end, once`() async {
    let list = ListBench(pages: 2).model
    var ends: [ListEnd] = []
    list.onEnd = { ends.append($0) }
    _ = await list.refresh().outcome
    #expect(ends.isEmpty)
    _ = await list.loadNextPage().outcome
    #expect(ends == [.complete])
  }

  @Test func `closures tell a screen without a delegate what happens`() async {
    let bench = ListBench(pages: 2)
    let list = bench.model
    var log: [String] = []
    list.onChange = { log.append("\($0)") }
    list.onFailure = { log.append("failure \($0.isOffline)") }
    list.onEnd = { log.append("end \($0)") }
    list.onFinish = { log.append("finish \($0)") }
    list.completion = { log.append("completion \($0)") }
    bench.transport.enqueue(.failure(.offline))
    for _ in 0..<2 { _ = await list.refresh().outcome }
    for _ in 0..<2 { _ = await list.loadNextPage().outcome }
    #expect(log.removeFirst() == "failure true" && log.removeFirst() == "finish first")
    #expect(log.removeFirst().hasPrefix("completion failed: "))
    #expect(
      log == [
        "inserted 0…2", "finish first", "completion 3 rows loaded", "inserted 3…5",
        "end complete", "finish next", "completion 3 rows added at the end",
        "finish next", "completion the list has ended: complete",
      ])
  }

  @Test func `a closure is called once for each time the end is reached`() async {
    let list = ListBench(pages: 2).model
    var ends: [ListEnd] = []
    list.onEnd = { ends.append($0) }
    #expect(await list.loadAll() == .reachedEnd(.complete))
    #expect(ends == [.complete])
    #expect(await list.loadNextPage().outcome == .reachedEnd(.complete))
    _ = await list.loadPreviousPage().outcome
    #expect(ends == [.complete])
    _ = await list.refresh().outcome
    await list.loadAll()
    #expect(ends == [.complete, .complete])
    list.reset()
    await list.loadAll()
    #expect(ends == [.complete, .complete, .complete])
  }

  @Test func `a delegate needs no method`() async {
    final class Nothing: ListModelDelegate { typealias Item = Row }
    let list = ListBench(pages: 1).model
    let nothing = Nothing()
    list.delegate = nothing
    #expect(await list.loadAll() == .reachedEnd(.complete))
  }

  @Test(arguments: [
    (LoadOutcome.appended(ListChange(inserted: [3..<23])), "20 rows added at the end"),
    (.prepended(ListChange(inserted: [0..<1])), "1 row added at the start"),
    (.filled(ListChange(updated: [0..<3])), "the missing rows were loaded"),
    (
      .replaced(ListChange(removed: [4..<5], inserted: [0..<2], updated: [3..<4])),
      "the rows were replaced: 2 new, 1 removed, 1 updated"
    ),
    (.replaced(ListChange()), "the rows are as before"),
    (.reachedEnd(.complete), "the list has ended: complete"),
    (.stillSearching(pages: 1), "no new rows on 1 page, another load continues the search"),
    (.notNeeded, "there was nothing to load"),
    (.failed(.decoding("no date")), "failed: no date"),
    (.cancelled(.byCaller), "cancelled"),
    (.cancelled(.superseded), "cancelled, because a newer load replaced it"),
    (.cancelled(.ownerGone), "cancelled, because the list was released"),
  ])
  func `outcomes print in words`(outcome: LoadOutcome, text: String) {
    #expect("\(outcome)" == text)
  }

  @Test func `ends print in words`() {
    #expect("\(ListEnd.complete)" == "complete")
    let end = ListEnd.incomplete(.fewerRows(received: 3, reported: 9))
    #expect("\(end)".hasPrefix("incomplete: "))
    #expect("\(end)".contains("6 of 9 rows are missing: the server reported 9"))
  }

  @Test func `a model has a completion for every load`() async {
    let server = Server(
      "https://test", transport: MockTransport { _ in .json(#"{"id":7}"#) }
    ) { $0.retry = .never }
    let model = BaseModel<Row>(BaseServerAPI(server, "/rows/7"))
    var outcomes: [String] = []
    model.completion = { outcome in
      switch outcome {
      case .loaded(let row): outcomes.append("standing \(row.id)")
      case .failed: outcomes.append("failed")
      case .cancelled(let reason): outcomes.append("\(reason)")
      }
    }
    await withCheckedContinuation { continuation in
      model.load { _ in
        outcomes.append("own")
        continuation.resume()
      }
    }
    _ = await model.run()
    #expect(outcomes == ["own", "standing 7", "standing 7"])
  }
}
