internal import ListReading
internal import Observation

/// Performs the effects that the brain decides on.
extension ListModel {
  func load(_ body: (inout ListBrain<Item>, Int) -> [ListEffect]) -> Load {
    lastLoad += 1
    let number = lastLoad
    let load = Load { [weak self] in self?.handle { $0.cancel(load: number) } }
    loads[number] = load
    handle { body(&$0, number) }
    return load
  }

  /// Lets the brain decide, performs the effects and schedules their delivery.
  func handle(_ decide: (inout ListBrain<Item>) -> [ListEffect]) {
    perform(self.decide(decide))
    deliverSoon()
  }

  /// Lets the brain decide, and notifies observers of the states.
  func decide<Decision, E: Error>(
    _ body: (inout ListBrain<Item>) throws(E) -> Decision
  ) throws(E) -> Decision {
    registrar.willSet(self, keyPath: statesPath)
    defer { registrar.didSet(self, keyPath: statesPath) }
    return try body(&brain)
  }

  /// Starts and cancels requests, and enqueues events and outcomes for delivery.
  ///
  /// - Parameter pages: The pages that caused the effects, for ``ListModel/didApply(_:)`` once their rows are
  ///   visible.
  func perform(_ effects: [ListEffect], applying pages: [ListPage<Item>] = []) {
    let effects = probing(effects)
    for effect in effects {
      switch effect {
      case .request(let number, let kind, let key):
        // Pages requested ahead belong to the previous list.
        if kind.replacesList { source.dropAhead() }
        let isReadingOn = kind == .next && !brain.isLookingBack(number)
        if isReadingOn { source.dropAhead(unlessAt: key) }
        send(number, kind, key)
        if isReadingOn { lookAhead(of: key) }
      case .abandon(let number):
        abandon(number)
        source.dropAhead()
      case .notify, .finish: break  // Delivered later, in order.
      }
    }
    outbox.add(effects, rows: brain.rows, pages: pages)
  }

  /// Shows the rows of all decisions so far at once. Observers are notified of them later, in order.
  func showDecisions() {
    outbox.showEarly(Outbox.Shown(rows: brain.rows, freshness: brain.freshness, newRows: brain.probe.newRows))
    show { outbox.shown }
  }

  /// Schedules the delivery for a later turn, so that no callback runs inside a call of the program.
  func deliverSoon() {
    guard !outbox.isEmpty, !isDeliveryDue else { return }
    isDeliveryDue = true
    Task { [weak self] in
      self?.isDeliveryDue = false
      Self.deliver { self }
    }
  }

  /// Delivers everything that waits now. What that causes is delivered in a later turn, so that other tasks
  /// can run. The model is retained only during each step.
  static func deliver(_ model: () -> ListModel?) {
    var left = model()?.outbox.count ?? 0
    while left > 0 {
      model()?.deliverNext()
      left -= 1
    }
    model()?.didDeliver()
  }

  private func deliverNext() {
    switch outbox.next() {
    case .event(let event): notify(event)
    case .page:
      guard let page = outbox.nextPage() else { return }
      show { outbox.delivered }
      didApply(page)
    case .finish(let number, let outcome):
      loads.removeValue(forKey: number)?.finish(outcome)
      completion?(outcome)
    case nil: break
    }
  }

  /// Notifies each observer of an event. It reads the rows right after the event, even if an observer before
  /// it has edited them.
  private func notify(_ event: ListEvent) {
    if case .didReport(let report) = event, report.duplicates > 0 {
      duplicateCount += report.duplicates
    }
    board.notify((event: event, rows: outbox.delivered.rows)) {
      show { outbox.delivered }
    }
    delegate?.notify(of: event, in: self)
    switch event {
    case .didChange(let change): onChange?(change)
    case .didFail(_, let error): onFailure?(error)
    case .didFinish(let kind): onFinish?(kind)
    default: if let end = ends.reached(by: event) { onEnd?(end) }
    }
  }

  /// Shows what edits have shown early, and resumes those that waited for the delivery.
  private func didDeliver() {
    show { outbox.shown }
    deliverSoon()
    waiters.resume(after: outbox.done)
  }

  /// Shows rows, their age and how many are new above them. Observation is notified of what changes.
  private func show(_ next: () -> Outbox<Item>.Shown) {
    let state = next()
    // An observer may edit the list before the change, so the rows are read again.
    if !state.rows.isSame(as: shown) {
      registrar.withMutation(of: self, keyPath: rowsPath) { shown = next().rows }
    }
    if state.freshness != shownFreshness {
      registrar.withMutation(of: self, keyPath: freshnessPath) {
        shownFreshness = next().freshness
      }
    }
    if state.newRows != probes.shown {
      registrar.withMutation(of: self, keyPath: newRowsPath) { probes.shown = next().newRows }
    }
  }
}
