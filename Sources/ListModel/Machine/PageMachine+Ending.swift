internal import ServerAPI

extension PageMachine {
  /// Who asked with this load no longer wants it. What others wait for goes on.
  mutating func cancel(load: Int) -> [PageEffect] {
    let cancelled = [PageEffect.finish(load: load, .cancelled(.byCaller))]
    for side in ListSide.allCases where waiting[side]?.contains(load) == true {
      waiting[side]?.removeAll { $0 == load }
      if waiting[side]?.isEmpty == true { waiting[side] = nil }
      return cancelled
    }
    if let loads = wish?.loads, loads.contains(load) {
      wish?.loads.removeAll { $0 == load }
      if wish?.loads.isEmpty == true { wish = nil }
      return cancelled
    }
    guard let (lane, job) = jobs.first(where: { $0.value.loads.contains(load) }) else { return [] }
    // Others may wait for the first page without having asked for it.
    let isNeeded = lane == .main && !hasLoaded && !waiting.isEmpty
    if job.loads == [load], !job.isAhead, !isNeeded { return cancel(lane, because: .byCaller) }
    jobs[lane]?.loads.removeAll { $0 == load }
    return cancelled
  }

  /// Ends everything that is under way or waits.
  mutating func cancelAll(_ reason: RequestError.CancelReason = .byCaller) -> [PageEffect] {
    var effects = finishWaiting(.cancelled(reason))
    for lane in jobs.keys.sorted(by: Self.inOrder) { effects += end(lane, because: reason) }
    return effects
  }

  /// A request was ended by somebody else, such as a newer call in the same lane of the server.
  mutating func ended(_ number: Int, because reason: RequestError.CancelReason) -> [PageEffect] {
    guard let lane = jobs.first(where: { $0.value.number == number })?.key else { return [] }
    return cancel(lane, because: reason)
  }

  /// Ends everything and begins again as a list that never loaded.
  mutating func reset(first: PageKey) -> [PageEffect] {
    let effects = cancelAll(.superseded)
    self.first = first
    forget()
    return effects
  }

  private mutating func cancel(
    _ lane: Lane, because reason: RequestError.CancelReason
  ) -> [PageEffect] {
    let isRestore = jobs[lane]?.kind == .restore
    return end(lane, because: reason)
      + (lane == .main ? wake(orEnd: isRestore ? nil : .cancelled(reason)) : [])
  }

  /// Ends the load of a lane.
  mutating func end(_ lane: Lane, because reason: RequestError.CancelReason) -> [PageEffect] {
    guard let job = jobs.removeValue(forKey: lane) else { return [] }
    return [
      .giveUp(number: job.number), .tell(.didCancel(job.kind, reason)),
      .tell(.didFinish(job.kind)),
    ] + finish(job, .cancelled(reason))
  }

  func finish(_ job: Job, _ outcome: LoadOutcome) -> [PageEffect] {
    job.loads.map { .finish(load: $0, outcome) }
  }

  /// Begins what waited for the list to be made anew. Where it never was, those loads end like the
  /// one they waited for.
  mutating func wake(orEnd outcome: LoadOutcome? = nil) -> [PageEffect] {
    if !hasLoaded, let outcome { return finishWaiting(outcome) }
    var effects: [PageEffect] = []
    if let wish {
      self.wish = nil
      effects += askAgain(wish)
    }
    for side in ListSide.allCases {
      for load in waiting.removeValue(forKey: side) ?? [] {
        effects += ask(side.kind, load: load)
      }
    }
    return effects
  }

  private mutating func finishWaiting(_ outcome: LoadOutcome) -> [PageEffect] {
    var effects: [PageEffect] = (wish?.loads ?? []).map { .finish(load: $0, outcome) }
    wish = nil
    for side in ListSide.allCases {
      for load in waiting.removeValue(forKey: side) ?? [] {
        effects.append(.finish(load: load, outcome))
      }
    }
    return effects
  }
}
