import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Loads that the program carries out for a controller of its own rows, with their placeholders.
@MainActor struct LocalLoadsTests {
  @Test func `an empty list shows a placeholder without an action that is impossible`() async {
    let bench = LocalBench(count: 0)
    #expect(bench.controller.placeholder?.reason == .empty)
    #expect(action(of: bench.controller.placeholder) == nil)
    bench.controller.settings.refreshHandler = { $0.end(.succeeded) }
    #expect(action(of: bench.controller.placeholder) == .refresh)
    bench.list.append(Row(id: 1))
    await bench.list.eventsDelivered()
    #expect(bench.controller.placeholder == nil)
  }

  private func action(of placeholder: Placeholder?) -> Placeholder.Action.Kind? {
    guard case .parts(let parts)? = placeholder?.body else { return nil }
    return parts.action?.kind
  }

  @Test func `a list that is not loaded is loaded by the handler when it appears`() async {
    let list = LocalList<Row>()
    var tokens: [LoadToken] = []
    let bench = LocalBench(list) { $0.refreshHandler = { tokens.append($0) } }
    #expect(bench.controller.placeholder == nil)
    bench.controller.appeared()
    #expect(tokens.count == 1 && bench.controller.placeholder?.reason == .loadingFirst)
    tokens[0].fail(LoadError.custom("no"))
    await bench.controller.eventsDelivered()
    #expect(bench.controller.placeholder?.reason == .failed(.custom("no")))
    bench.controller.performPlaceholderAction()
    #expect(tokens.count == 2 && bench.controller.placeholder?.reason == .loadingFirst)
    list.items = [Row(id: 1)]
    tokens[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.placeholder == nil && bench.view.rows == [["1"]] && bench.isInStep)
  }

  // MARK: - Handlers

  @Test func `a handler that ends its token at once doesn't re-enter the list`() async {
    var log: [String] = []
    let list = LocalList((0..<3).map { Row(id: $0) })
    let bench = LocalBench(list) {
      $0.refreshHandler = { token in
        log.append("handler")
        list.append(Row(id: 3))
        token.end(.succeeded)
        log.append("handled")
      }
    }
    bench.view.onCall = { log.append(bench.view.calls.last ?? "") }
    bench.controller.refresh()
    #expect(log.contains(["handler", "handled"]) && !log.contains("end"))
    #expect(bench.view.refreshing == 1 && bench.view.rows == [["0", "1", "2"]])
    await bench.controller.eventsDelivered()
    #expect(log.last == "end" && bench.view.refreshing == 0)
    #expect(bench.view.rows == [["0", "1", "2", "3"]] && bench.isInStep)
  }

  @Test func `tokens end in the order of their calls, and after the rows before them`() async {
    var tokens: [LoadToken] = []
    let bench = LocalBench(count: 1) {
      $0.refreshHandler = { tokens.append($0) }
      $0.loadMoreHandler = { tokens.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    bench.list.append(Row(id: 1))
    tokens[0].fail(LoadError.custom("no"))
    #expect(tokens[0].hasEnded && bench.controller.footer == .loading)
    // A refresh doesn't supersede a load that has ended, and a page is loaded after both.
    bench.controller.refresh()
    #expect(tokens.count == 1)
    await bench.controller.eventsDelivered()
    #expect(tokens.count == 2 && bench.controller.footer == .failed(.custom("no")))
    bench.list.items = [Row(id: 5)]
    #expect(tokens[1].end(.succeeded) && !tokens[1].end(.cancelled))
    bench.controller.refresh()
    bench.controller.refresh()
    #expect(tokens.count == 2 && bench.view.refreshing == 1)
    await bench.controller.eventsDelivered()
    #expect(tokens.count == 3 && bench.view.refreshing == 1 && bench.view.rows == [["5"]])
    tokens[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.isInStep)
  }

  @Test func `XT-14 own handlers for pulling down and up end exactly once`() async {
    var (refreshes, loads): ([LoadToken], [LoadToken]) = ([], [])
    let bench = LocalBench(count: 3) {
      $0.refreshHandler = { refreshes.append($0) }
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    #expect(bench.controller.header == .idle && bench.controller.footer == .idle)
    bench.controller.didPullDown(100)
    bench.controller.didRelease()
    #expect(refreshes.count == 1 && bench.view.refreshing == 1)
    // One load at a time.
    bench.controller.loadMore()
    #expect(loads.isEmpty)
    #expect(refreshes[0].end(.succeeded) && !refreshes[0].end(.succeeded))
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0)

    bench.controller.didPullUp(100)
    bench.controller.didRelease()
    #expect(loads.count == 1 && bench.controller.footer == .loading)
    bench.controller.loadMore()
    #expect(loads.count == 1)
    loads[0].fail(LoadError.custom("no"))
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .failed(.custom("no")))
    bench.controller.loadMore()
    bench.list.append(Row(id: 3))
    loads[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.rows == [["0", "1", "2", "3"]] && bench.controller.footer == .idle)
    bench.controller.loadMore()
    loads[2].end(.succeeded, hasMore: false)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .noMore(.complete))
    bench.controller.loadMore()
    #expect(loads.count == 3 && bench.isInStep)
    // A refresh finds out again whether there are more rows.
    bench.controller.refresh()
    refreshes[1].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle)
  }

  @Test func `XT-14 a refresh supersedes a load of further rows`() async {
    var (refreshes, loads): ([LoadToken], [LoadToken]) = ([], [])
    let bench = LocalBench(count: 3) {
      $0.refreshHandler = { refreshes.append($0) }
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    #expect(!loads[0].hasEnded)
    bench.controller.refresh()
    #expect(loads[0].hasEnded && bench.controller.footer == .idle)
    #expect(!loads[0].end(.failed(.custom("late"))) && bench.controller.footer == .idle)
    refreshes[0].end(.succeeded)
    bench.controller.loadMore()
    await bench.controller.eventsDelivered()
    #expect(loads.count == 2 && bench.controller.footer == .loading)
  }

  @Test func `a reset drops a load of further rows, and there may be more again`() async {
    var loads: [LoadToken] = []
    let bench = LocalBench(count: 3) {
      $0.loadMoreHandler = { loads.append($0) }
      $0.refresh.footerTrigger = .pulling
    }
    bench.controller.loadMore()
    loads[0].end(.succeeded, hasMore: false)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .noMore(.complete))
    bench.list.reset(to: [Row(id: 7), Row(id: 8)])
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["7", "8"]])
    bench.controller.loadMore()
    bench.list.reset()
    #expect(loads[1].hasEnded && !loads[1].end(.succeeded, hasMore: false))
    // A load that begins before the reset was delivered goes on.
    bench.controller.loadMore()
    #expect(loads.count == 3 && !loads[2].hasEnded)
    await bench.controller.eventsDelivered()
    #expect(!loads[2].hasEnded && bench.view.rows.joined().isEmpty)
    bench.list.append(Row(id: 1))
    loads[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["1"]] && bench.isInStep)
    // An end that has not taken effect yet is dropped too.
    bench.controller.loadMore()
    loads[3].end(.succeeded, hasMore: false)
    bench.list.reset(to: [Row(id: 2)])
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.rows == [["2"]] && bench.isInStep)
  }

  @Test func `a reset drops a refresh, whose header closes once`() async {
    var tokens: [LoadToken] = []
    let list = LocalList<Row>()
    let bench = LocalBench(list) { $0.refreshHandler = { tokens.append($0) } }
    bench.controller.appeared()
    list.items = [Row(id: 1)]
    tokens[0].end(.succeeded)
    await bench.controller.eventsDelivered()
    bench.controller.refresh()
    #expect(bench.view.refreshing == 1)
    list.reset()
    #expect(tokens[1].hasEnded)
    // The program reloads the new list at once.
    bench.controller.refresh()
    #expect(tokens.count == 3 && !tokens[2].hasEnded && bench.view.refreshing == 1)
    tokens[1].end(.failed(.custom("late")))
    await bench.controller.eventsDelivered()
    #expect(!tokens[2].hasEnded && bench.controller.placeholder?.reason == .loadingFirst)
    list.items = [Row(id: 2)]
    tokens[2].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.view.rows == [["2"]] && bench.view.refreshing == 0 && bench.isInStep)
    bench.controller.refresh()
    list.reset()
    await bench.controller.eventsDelivered()
    #expect(bench.view.refreshing == 0 && bench.controller.placeholder == nil)
  }

  @Test func `XT-14 a token that outlives its screen ends nothing`() {
    var tokens: [LoadToken] = []
    do {
      let bench = LocalBench(count: 3) { $0.loadMoreHandler = { tokens.append($0) } }
      bench.controller.loadMore()
    }
    #expect(tokens[0].hasEnded && !tokens[0].end(.succeeded))
  }

  @Test func `XT-14 coming near the end calls the handler once a page`() async {
    var calls = 0
    let list = LocalList((0..<3).map { Row(id: $0) })
    let bench = LocalBench(list) {
      $0.refresh.prefetchDistance = 1
      $0.loadMoreHandler = { token in
        calls += 1
        list.append(contentsOf: (0..<3).map { Row(id: list.items.count + $0) })
        token.end(.succeeded, hasMore: calls < 4)
      }
    }
    for last in [0, 1, 2, 2, 5, 8, 11, 14] {
      bench.controller.rowWillAppear(at: RowPosition(row: last))
      await bench.controller.eventsDelivered()
    }
    #expect(calls == 4 && list.items.count == 15 && bench.isInStep)
    #expect(bench.controller.footer == .noMore(.complete))
  }

  @Test func `a list of a server can load further rows with a handler`() async {
    let bench = ScreenBench(count: 9)
    _ = await bench.model.refresh().outcome
    var tokens: [LoadToken] = []
    bench.controller.settings.loadMoreHandler = { tokens.append($0) }
    bench.controller.loadMore()
    #expect(
      tokens.count == 1 && bench.controller.footer == .loading && bench.requestedPages == ["0"])
    _ = await bench.model.loadNextPage().outcome
    tokens[0].end(.succeeded)
    await bench.controller.eventsDelivered()
    #expect(bench.controller.footer == .idle && bench.view.mismatches.isEmpty)
    bench.controller.loadMore()
    _ = await bench.model.refresh().outcome
    #expect(tokens[1].hasEnded && bench.controller.footer == .idle)
  }
}
