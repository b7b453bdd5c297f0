internal import Observation
internal import Support

extension LocalList {
  /// The events from now on, for any number of consumers: ``ListEvent/didChange(_:)`` and
  /// ``ListEvent/didReset``, with the rows after each.
  ///
  /// ```swift
  /// for await step in books.events {
  ///   if case .didChange(let change) = step.event { table.apply(change, to: step.rows) }
  /// }
  /// ```
  public var events: ListEvents<Item> { ListEvents(board: board) }

  /// Waits until observers are notified of all changes so far, also of those in the store that the list follows.
  public func eventsDelivered() async {
    catchUp()
    guard !outbox.isEmpty else { return }
    let step = outbox.added
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  func deliverSoon() {
    guard !outbox.isEmpty, !isDeliveryDue else { return }
    isDeliveryDue = true
    Task { [weak self] in
      self?.isDeliveryDue = false
      self?.deliver()
    }
  }

  /// Delivers everything that waits now. What that causes is delivered in a later turn.
  private func deliver() {
    isDelivering = true
    for _ in 0..<outbox.count {
      guard case .event(let event)? = outbox.next() else { continue }
      board.notify(ListEvents.Step(event: event, rows: outbox.delivered.rows)) {
        show(outbox.delivered.rows)
      }
    }
    isDelivering = false
    show(outbox.shown.rows)
    deliverSoon()
    waiters.resume(after: outbox.done)
  }

  func show(_ rows: ListSnapshot<Item>) {
    guard !rows.isSame(as: shown) else { return }
    registrar.withMutation(of: self, keyPath: rowsPath) { shown = rows }
  }

  // MARK: - Following a store

  func readSource() { if source != nil { items = itemsOfSource() } }

  /// Reads the store, and follows it until its next change.
  func itemsOfSource() -> [Item] {
    guard let source else { return [] }
    return withObservationTracking(source) { [weak self] in
      self?.isBehind.withLock { $0 = true }
      // The store is about to change, and may be in the middle of it.
      Task { @MainActor [weak self] in self?.catchUp() }
    }
  }

  /// Reads the store again if it has changed since it was read.
  private func catchUp() {
    let wasBehind = isBehind.withLock { isBehind in
      defer { isBehind = false }
      return isBehind
    }
    if wasBehind { readSource() }
  }
}

extension LocalList: RowSource {
  package var deliveredRows: ListSnapshot<Item> { outbox.delivered.rows }
  package var freshness: Freshness { .nothing }
  package var refreshState: LoadState { .idle }
  package func state(of side: ListSide) -> LoadState { .reachedEnd(.complete) }
  package func rowsWillAppear(_ rows: Range<Int>, prefetches: Bool) {}
  package func follow(_ follower: some ListObserver<Item>) { board.add(follower) }
  package func deliverChanges() { if !isDelivering { deliver() } }
}
