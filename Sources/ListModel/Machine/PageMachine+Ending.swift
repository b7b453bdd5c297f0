internal import ListReading
internal import ServerAPI

/// The end of loads whose page has not arrived.
extension PageMachine {
  /// Cancels one load. Other loads that wait for the same page are unaffected.
  mutating func cancel(load: Int) -> [ListEffect] {
    if case .rebuilding(var rebuild) = work, let dropped = rebuild.removeWaiting(load) {
      work = .rebuilding(rebuild)
      let effects = drop(dropped, because: .byCaller)
      // It may have been the last load that needed the request.
      guard rebuild.running.isAbandoned, rebuild.waiting.isEmpty, rebuild.deep.isEmpty else { return effects }
      return effects + cancel(.list, rebuild.running, .byCaller)
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
    return [.finish(load: load, .cancelled(.byCaller))]
  }

  /// Cancels all loads, running or waiting.
  mutating func cancelAll(_ reason: RequestError.CancelReason = .byCaller) -> [ListEffect] {
    let waiting = rebuild.map { dropWaiting($0, because: reason) } ?? []
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
    (running.isPaused ? [] : [.abandon(number: running.number)])
      + [.notify(.didCancel(running.kind, reason)), .notify(.didFinish(running.kind))]
      + finish(running, .cancelled(reason))
  }

  func finish(_ running: RunningLoad, _ outcome: LoadOutcome) -> [ListEffect] {
    running.loads.map { .finish(load: $0, outcome) }
  }

  /// Starts the loads that waited for a rebuild that has ended. If the list still has no page, they end with
  /// the outcome of the rebuild.
  mutating func resume(
    after rebuild: Rebuild, orEnd outcome: LoadOutcome? = nil
  ) -> [ListEffect] {
    if !hasLoaded, let outcome {
      if case .cancelled(let reason) = outcome { return dropWaiting(rebuild, because: reason) }
      // They have waited for the first page, and failed with it.
      return rebuild.waitingRequests.flatMap(\.loads).map { .finish(load: $0, outcome) }
    }
    var effects: [ListEffect] = []
    if case .restore(let next?) = rebuild.goal {
      effects += self.rebuild(kind(of: next), next.key, next.loads, splices: next.splices)
    }
    for side in ListSide.allCases {
      for load in rebuild.waiting[side] ?? [] { effects += request(side.kind, load: load) }
    }
    if !rebuild.deep.isEmpty { effects += refreshDeep(rebuild.deep) }
    return effects
  }

  private func dropWaiting(
    _ rebuild: Rebuild, because reason: RequestError.CancelReason
  ) -> [ListEffect] {
    rebuild.waitingRequests.flatMap { drop($0, because: reason) }
  }

  /// The notifications and outcomes of loads that end before they have started. Observers learn of each load
  /// that was accepted: a screen may wait for this one.
  func drop(_ request: Request?, because reason: RequestError.CancelReason) -> [ListEffect] {
    guard let request else { return [] }
    let finished = request.loads.map { ListEffect.finish(load: $0, .cancelled(reason)) }
    guard !request.isJoined else { return finished }
    let kind = kind(of: request)
    return [.notify(.didStart(kind)), .notify(.didCancel(kind, reason)), .notify(.didFinish(kind))]
      + finished
  }

  /// The kind of a load that waits, as of now.
  private func kind(of request: Request) -> LoadKind {
    request.kind == .refresh && !hasLoaded ? .first : request.kind
  }
}

extension PageMachine.Rebuild {
  /// The requests that wait for the rebuild, in the order in which they would start.
  fileprivate var waitingRequests: [PageMachine.Request] {
    var requests: [PageMachine.Request] = []
    if case .restore(let next?) = goal { requests.append(next) }
    for side in ListSide.allCases {
      if let loads = waiting[side] {
        requests.append(.init(kind: side.kind, key: running.key, loads: loads))
      }
    }
    if !deep.isEmpty { requests.append(.init(kind: .deep, key: running.key, loads: deep)) }
    return requests
  }

  /// Removes a load from those that wait for the rebuild, and returns it as a request of its own; `nil` if it didn't
  /// wait.
  fileprivate mutating func removeWaiting(_ load: Int) -> PageMachine.Request? {
    guard var request = waitingRequests.first(where: { $0.loads.contains(load) }) else {
      return nil
    }
    let left = request.loads.filter { $0 != load }
    (request.loads, request.isJoined) = ([load], !left.isEmpty)
    switch request.kind {
    case .next: waiting[.next] = left.isEmpty ? nil : left
    case .previous: waiting[.previous] = left.isEmpty ? nil : left
    case .deep: deep = left
    default:
      var next = request
      (next.loads, next.isJoined) = (left, false)
      goal = .restore(then: left.isEmpty ? nil : next)
    }
    return request
  }
}

extension PageMachine.RunningLoad {
  /// Whether nothing wants its page any more.
  fileprivate var isAbandoned: Bool { loads.isEmpty && !isPrefetch }
}
