import ListModel
import Observation
import QuireTesting
import ServerAPI
import Testing

/// Rows made of a model's, while it loads.
@MainActor struct TransformedListTests {
  /// Rows of even items under their tens, and what the footer says.
  private func evenRows(of model: ListModel<Row>) -> TransformedList<Row, String> {
    TransformedList(model, row: { "\($0.id)" }) {
      $0.filter = { $0.id.isMultiple(of: 2) }
      $0.separator = { $0.id / 10 == $1.id / 10 ? nil : "\($1.id / 10)0s" }
      $0.footer = { standing in
        switch standing.nextState {
        case .idle: nil
        case .loading: "…"
        case .failed, .stillSearching: "try again"
        case .endReached: "that is all"
        }
      }
    }
  }

  private func texts(_ rows: TransformedRows<String>) -> [String] { rows.compactMap(\.item) }

  @Test func `rows follow the list, and every change leads from one state to the next`() async {
    let bench = ListBench(pages: 5)
    let shown = evenRows(of: bench.model)
    var copy = texts(shown.rows)
    var seen: [[String]] = []
    shown.onChange = { change, rows in
      let now = texts(rows)
      #expect(change.applied(to: copy) { now[$0] } == now)
      copy = now
      seen.append(now)
    }
    _ = await bench.model.refresh().outcome
    #expect(copy == ["0", "2"])
    for _ in 0..<4 { _ = await bench.model.loadNextPage().outcome }
    #expect(copy == ["0", "2", "4", "6", "8", "10s", "10", "12", "14", "that is all"])
    #expect(seen.contains(["0", "2", "…"]))
    #expect(texts(shown.rows) == copy)
  }

  @Test func `the footer tells that the next page failed, and forgets it when it comes`() async {
    let bench = ListBench(pages: 3)
    let shown = evenRows(of: bench.model)
    _ = await bench.model.refresh().outcome
    bench.transport.enqueue(.failure(.connectRefused))
    _ = await bench.model.loadNextPage().outcome
    #expect(texts(shown.rows) == ["0", "2", "try again"])
    _ = await bench.model.retry().outcome
    #expect(texts(shown.rows) == ["0", "2", "4"])
  }

  @Test func `when the delegate is told, the rows have changed already`() async {
    let bench = ListBench(pages: 3)
    let shown = evenRows(of: bench.model)
    var atChange: [[String]] = []
    bench.told.onEvent = { if $0 == "change" { atChange.append(texts(shown.rows)) } }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(atChange.map { $0.filter { $0 != "…" } } == [["0", "2"], ["0", "2", "4"]])
  }

  @Test func `rows made of a list that is there begin with what it has`() async {
    let bench = ListBench(pages: 3)
    _ = await bench.model.refresh().outcome
    let shown = TransformedList(bench.model)
    #expect(shown.rows.compactMap(\.item) == [0, 1, 2].map(Row.init))
    await confirmation("observers of the rows are told") { told in
      withObservationTracking {
        _ = shown.rows
      } onChange: {
        told()
      }
      _ = await bench.model.loadNextPage().outcome
    }
    #expect(shown.rows.count == 6)
  }

  @Test func `whoever sees the last row has the next page loaded, filtered rows or not`() async {
    let bench = ListBench(pages: 3) { $0.prefetchDistance = 0 }
    let shown = TransformedList(bench.model, row: \.id) { $0.filter = { $0.id == 0 || $0.id > 3 } }
    _ = await bench.model.refresh().outcome
    #expect(shown.rows.compactMap(\.item) == [0])
    shown.willShow(0..<1)
    _ = await bench.model.loadNextPage().outcome
    #expect(bench.asked == ["0", "1"])
    #expect(shown.rows.compactMap(\.item) == [0, 4, 5])
    shown.willShow(0..<2)
    #expect(bench.model.state(of: .next) == .idle)
    shown.willShow(1..<3)
    #expect(bench.model.state(of: .next) == .loading)
  }

  @Test func `a plan set while the list is told of something does not lose its place`() async {
    let bench = ListBench(pages: 3)
    let (first, second) = (evenRows(of: bench.model), evenRows(of: bench.model))
    first.onChange = { _, _ in second.plan.filter = nil }
    _ = await bench.model.refresh().outcome
    _ = await bench.model.loadNextPage().outcome
    #expect(texts(second.rows) == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `neither keeps the other alive`() async {
    var bench: ListBench? = ListBench(pages: 3)
    var shown = bench.map { evenRows(of: $0.model) }
    weak let model = bench?.model
    weak let list = shown
    _ = await model?.refresh().outcome
    shown = nil
    #expect(list == nil)
    _ = await model?.loadNextPage().outcome
    #expect(model?.rows.count == 6)
    let kept = bench.map { evenRows(of: $0.model) }
    bench = nil
    #expect(model == nil)
    #expect(kept.map { texts($0.rows) } == ["0", "2", "4"])
    kept?.willShow(0..<1)
  }
}
