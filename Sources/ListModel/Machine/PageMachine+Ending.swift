internal import ServerAPI

/// What ends loads before their page has come.
extension PageMachine {
  /// A load is cancelled by its owner. What other loads wait for goes on.
  mutating func cancel(load: Int) -> [ListEffect] {
    let cancelled = [ListEffect.finish(load: load, .cancelled(.byCaller))]
    if case .rebuilding(var rebuild) = work, rebuild.stopsWaiting(load) {
      work = .rebuilding(rebuild)
      return cancelled
    }
    guard case (let lane, var job)? = jobs.first(where: { $0.job.loads.contains(load) }) else {
      return []
    }
    // Loads of a side may wait for the first page without having asked for it.
    let isNeeded = !hasLoaded && rebuild?.waiting.isEmpty == false
    if job.loads == [load], !job.isAhead, !isNeeded { return cancel(lane, job, .byCaller) }
    job.loads.removeAll { $0 == load }
    set(job, in: lane)
    return cancelled
  }

  /// Ends everything that is under way or waits.
  mutating func cancelAll(_ reason: RequestError.CancelReason = .byCaller) -> [ListEffect] {
    let waiting = rebuild.map { finishWaiting($0, .cancelled(reason)) } ?? []
    let ended = jobs.flatMap { end($0.job, because: reason) }
    work = .extending(Extension())
    return waiting + ended
  }

  /// A request was ended by others, such as a newer call in the same lane of the server.
  mutating func ended(_ number: Int, because reason: RequestError.CancelReason) -> [ListEffect] {
    guard let (lane, job) = job(number) else { return [] }
    return cancel(lane, job, reason)
  }

  /// Ends everything and begins again as a list that never loaded.
  mutating func reset(first: PageKey) -> [ListEffect] {
    let effects = cancelAll(.superseded)
    (self.first, extent, failures) = (first, nil, [])
    return effects
  }

  private mutating func cancel(
    _ lane: LoadSlot, _ job: Job, _ reason: RequestError.CancelReason
  ) -> [ListEffect] {
    let rebuild = rebuild
    set(nil, in: lane)
    let ended = end(job, because: reason)
    guard let rebuild else { return ended }
    return ended
      + resume(after: rebuild, orEnd: job.kind == .restore ? nil : .cancelled(reason))
  }

  /// What observers and loads see of a load that ends without its page.
  func end(_ job: Job, because reason: RequestError.CancelReason) -> [ListEffect] {
    [
      .abandon(number: job.number), .notify(.didCancel(job.kind, reason)),
      .notify(.didFinish(job.kind)),
    ] + finish(job, .cancelled(reason))
  }

  func finish(_ job: Job, _ outcome: LoadOutcome) -> [ListEffect] {
    job.loads.map { .finish(load: $0, outcome) }
  }

  /// Begins what waited for a rebuild that is over. Where the list still has no page, it ends with the
  /// outcome of the rebuild.
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
      for load in rebuild.waiting[side] ?? [] { effects += ask(side.kind, load: load) }
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
  /// Takes a load out of those that wait for the rebuild to end.
  fileprivate mutating func stopsWaiting(_ load: Int) -> Bool {
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
