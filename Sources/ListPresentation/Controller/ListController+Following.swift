package import ListModel
internal import ServerAPI

extension ListController: ListFollower {
  /// A controller keeps its list alive, so this is never told.
  package func close() {}

  package func tell(_ step: ListStep<Item>) {
    isInStep = true
    defer { isInStep = false }
    takeInFacts()
    keeper.take(step.event)
    if let ticket = coordinator.running, ticket != ownTicket, model.refreshState != .loading {
      isEndBeingTold = true
    }
    switch step.event {
    case .didChange(let change): follow(change, to: step.rows)
    case .didStart(let kind):
      if kind.isRefresh { decide(.refreshBegan) }
    case .didSucceed(let kind): if kind.isRefresh { lastOutcome = .succeeded }
    case .didFail(let kind, let error): if kind.isRefresh { lastOutcome = .failed(error) }
    case .didCancel(let kind, _): if kind.isRefresh { lastOutcome = .cancelled }
    case .didReset:
      ownRefreshAt = nil
      decide(.reset)
    case .didFinish(let kind): if kind.isRefresh { endRefreshOfList() }
    case .didReport, .isSearching, .didBecome, .didLoadFirstPage, .didLoadLastPage, .didMiss: break
    }
    followFacts()
    showState()
    if case .didChange = step.event { lookAtView() }
  }

  private func endRefreshOfList() {
    isEndBeingTold = false
    // The list may have begun another refresh before it told of the end of this one.
    if let ticket = coordinator.running, ticket != ownTicket, model.refreshState != .loading {
      // What the list has become comes first: it decides whether more is wanted.
      takeInList()
      decide(.refreshEnded(ticket, lastOutcome))
    }
    let events = putOff
    putOff = []
    for event in events { handle(event) }
  }
}

extension LoadKind {
  /// Whether it asks the server for the list anew. What was kept answers nobody who wants a refresh.
  fileprivate var isRefresh: Bool { makesAnew && self != .restore }
}
