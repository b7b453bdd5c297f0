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
    for effect in effects {
      switch effect {
      case .request(let number, let kind, let key):
        // Pages requested ahead belong to the previous list.
        if kind.replacesList { source.dropAhead() }
        send(number, kind, key)
        if kind == .next { lookAhead(of: key) }
      case .abandon(let number):
        requests.removeValue(forKey: number)?.cancel()
        source.dropAhead()
      case .keep: break  // A page is kept when it arrives.
      case .notify, .finish: break  // Delivered later, in order.
      }
    }
    if !effects.isEmpty || !pages.isEmpty {
      outbox.append(Delivery(effects: effects[...], rows: brain.rows, pages: pages[...]))
    }
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
    var left = model()?.outbox.reduce(0) { $0 + $1.effects.count + $1.pages.count } ?? 0
    while left > 0 {
      model()?.deliverNext()
      left -= 1
    }
    model()?.deliverSoon()
  }

  private func deliverNext() {
    guard let first = outbox.indices.first else { return }
    let rows = outbox[first].rows
    let page = outbox[first].nextPage()
    let effect = page == nil ? outbox[first].effects.popFirst() : nil
    if outbox[first].isDone { outbox.removeFirst() }
    if let page { return didApply(page) }
    switch effect {
    case .notify(let event): notify(event, rows)
    case .finish(let number, let outcome): loads.removeValue(forKey: number)?.finish(outcome)
    case .request, .abandon, .keep, nil: break  // Performed when it was decided.
    }
  }

  private func notify(_ event: ListEvent, _ rows: ListSnapshot<Item>) {
    switch event {
    case .didChange: registrar.withMutation(of: self, keyPath: rowsPath) { shown = rows }
    case .didUpdateFreshness(let freshness):
      registrar.withMutation(of: self, keyPath: freshnessPath) { shownFreshness = freshness }
    case .didReport(let report) where report.duplicates > 0: duplicateCount += report.duplicates
    default: break
    }
    board.notify(ListEvents.Step(event: event, rows: shown))
    delegate?.notify(of: event, in: self)
    if case .didReachEnd(let end) = event { onEnd?(end) }
  }

  /// The events and outcomes of one decision that are not delivered yet.
  struct Delivery {
    var effects: ArraySlice<ListEffect>
    /// The rows after the change of the decision.
    let rows: ListSnapshot<Item>
    /// Pages whose rows are visible after the change.
    var pages: ArraySlice<ListPage<Item>>

    var isDone: Bool { effects.isEmpty && pages.isEmpty }

    /// Removes the page that is delivered before the next effect.
    mutating func nextPage() -> ListPage<Item>? {
      switch effects.first {
      case .notify(.didChange), .keep, .request, .abandon: nil
      case .notify, .finish, nil: pages.popFirst()
      }
    }
  }
}
