internal import Observation

/// What carries out the decisions of the brain.
extension ListModel {
  func load(_ ask: (inout ListBrain<Item>, Int) -> [ListEffect]) -> Load {
    lastLoad += 1
    let number = lastLoad
    let load = Load { [weak self] in self?.act { $0.cancel(load: number) } }
    loads[number] = load
    act { ask(&$0, number) }
    return load
  }

  /// Lets the brain decide, and does what it wants.
  func act(_ decide: (inout ListBrain<Item>) -> [ListEffect]) {
    carryOut(self.decide(decide))
    deliverSoon()
  }

  /// Lets the brain decide; those who observe the states are told.
  func decide<Decision, E: Error>(
    _ body: (inout ListBrain<Item>) throws(E) -> Decision
  ) throws(E) -> Decision {
    registrar.willSet(self, keyPath: statesPath)
    defer { registrar.didSet(self, keyPath: statesPath) }
    return try body(&brain)
  }

  /// Begins and ends requests; what observers and loads are to see waits for its turn.
  ///
  /// - Parameter pages: The pages that caused it, for the hook of subclasses, when their rows are there.
  func carryOut(_ effects: [ListEffect], applying pages: [ListPage<Item>] = []) {
    for effect in effects {
      switch effect {
      case .request(let number, let kind, let key):
        // Pages asked for ahead are those of the list as it was.
        if kind.replacesList { source.dropAhead() }
        send(number, kind, key)
        if kind == .next { lookAhead(of: key) }
      case .abandon(let number):
        requests.removeValue(forKey: number)?.cancel()
        source.dropAhead()
      case .keep: break  // The page is written down as it arrives.
      case .notify, .finish: break  // Delivered in its turn.
      }
    }
    if !effects.isEmpty || !pages.isEmpty {
      outbox.append(Delivery(effects: effects[...], rows: brain.rows, pages: pages[...]))
    }
  }

  /// Delivers in a moment, so that nobody is called back from inside a call of theirs.
  func deliverSoon() {
    guard !outbox.isEmpty, !isDeliveryDue else { return }
    isDeliveryDue = true
    Task { [weak self] in
      self?.isDeliveryDue = false
      Self.deliver { self }
    }
  }

  /// Delivers what waits now. What comes of that is for another turn, so that others get theirs. The list is
  /// held for no longer than each thing takes.
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
    case .request, .abandon, .keep, nil: break  // Carried out when it was decided.
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
  }

  /// What observers and loads have yet to see of one decision.
  struct Delivery {
    var effects: ArraySlice<ListEffect>
    /// The rows after its change.
    let rows: ListSnapshot<Item>
    /// Pages whose rows are in the list after its change.
    var pages: ArraySlice<ListPage<Item>>

    var isDone: Bool { effects.isEmpty && pages.isEmpty }

    /// The page that comes before the next effect.
    mutating func nextPage() -> ListPage<Item>? {
      switch effects.first {
      case .notify(.didChange), .keep, .request, .abandon: nil
      case .notify, .finish, nil: pages.popFirst()
      }
    }
  }
}
