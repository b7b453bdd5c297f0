internal import ServerAPI

/// The end of loads whose page has not arrived.
extension PageMachine {
  /// Cancels one load. Other loads that wait for the same page are unaffected.
  mutating func cancel(load: Int) -> [ListEffect] {
    let cancelled = [ListEffect.finish(load: load, .cancelled(.byCaller))]
    if case .rebuilding(var rebuild) = work, rebuild.removeWaiting(load) {
      work = .rebuilding(rebuild)
      return cancelled
    }
    guard
      case (let slot, var running)? = runningLoads.first(where: {
        $0.running.loads.contains(load)
      })
    else { return [] }
    // Loads at a side may wait for the first page without having requested it.
    let isNeeded = !hasLoaded && rebuild?.waiting.isEmpty == false
    if running.loads == [load], !running.isPrefetch, !isNeeded {
      return cancel(slot, running, .byCaller)
    }
    running.loads.removeAll { $0 == load }
    set(running, in: slot)
    return cancelled
  }

  /// Cancels all loads, running or waiting.
  mutating func cancelAll(_ reason: RequestError.CancelReason = .byCaller) -> [ListEffect] {
    let waiting = rebuild.map { finishWaiting($0, .cancelled(reason)) } ?? []
    let ended = runningLoads.flatMap { end($0.running, because: reason) }
    work = .extending(Extension())
    return waiting + ended
  }

  /// A request was cancelled by the server object, such as by a newer call in the same slot.
  mutating func ended(_ number: Int, because reason: RequestError.CancelReason) -> [ListEffect] {
    guard let (slot, running) = runningLoad(number) else { return [] }
    return cancel(slot, running, reason)
  }

  /// Cancels everything and starts again as a list that never loaded.
  mutating func reset(first: PageKey) -> [ListEffect] {
    let effects = cancelAll(.superseded)
    (self.first, extent, failures) = (first, nil, [])
    return effects
  }

  private mutating func cancel(
    _ slot: LoadSlot, _ running: RunningLoad, _ reason: RequestError.CancelReason
  ) -> [ListEffect] {
    let rebuild = rebuild
    set(nil, in: slot)
    let ended = end(running, because: reason)
    guard let rebuild else { return ended }
    return ended
      + resume(after: rebuild, orEnd: running.kind == .restore ? nil : .cancelled(reason))
  }

  /// The notifications and outcomes of a load that ends without its page.
  func end(_ running: RunningLoad, because reason: RequestError.CancelReason) -> [ListEffect] {
    [
      .abandon(number: running.number), .notify(.didCancel(running.kind, reason)),
      .notify(.didFinish(running.kind)),
    ] + finish(running, .cancelled(reason))
  }

  func finish(_ running: RunningLoad, _ outcome: LoadOutcome) -> [ListEffect] {
    running.loads.map { .finish(load: $0, outcome) }
  }

  /// Starts the loads that waited for a rebuild that has ended. If the list still has no page, they end with
  /// the outcome of the rebuild.
  mutating func resume(
    after rebuild: Rebuild, orEnd outcome: LoadOutcome? = nil
  ) -> [ListEffect] {
    if !hasLoaded, let outcome { return finishWaiting(rebuild, outcome) }
    var effects: [ListEffect] = []
    if case .restore(let next?) = rebuild.goal {
      var kind = next.kind
      if kind == .refresh, !hasLoaded { kind = .first }
      effects += self.rebuild(kind, next.key, next.loads)
    }
    for side in ListSide.allCases {
      for load in rebuild.waiting[side] ?? [] { effects += request(side.kind, load: load) }
    }
    return effects
  }

  private func finishWaiting(_ rebuild: Rebuild, _ outcome: LoadOutcome) -> [ListEffect] {
    var loads: [Int] = []
    if case .restore(let next?) = rebuild.goal { loads += next.loads }
    for side in ListSide.allCases { loads += rebuild.waiting[side] ?? [] }
    return loads.map { .finish(load: $0, outcome) }
  }
}

extension PageMachine.Rebuild {
  /// Removes a load from those that wait for the rebuild. Returns whether it waited.
  fileprivate mutating func removeWaiting(_ load: Int) -> Bool {
    for side in ListSide.allCases where waiting[side]?.contains(load) == true {
      waiting[side]?.removeAll { $0 == load }
      if waiting[side]?.isEmpty == true { waiting[side] = nil }
      return true
    }
    guard case .restore(var next?) = goal, next.loads.contains(load) else { return false }
    next.loads.removeAll { $0 == load }
    goal = .restore(then: next.loads.isEmpty ? nil : next)
    return true
  }
}
