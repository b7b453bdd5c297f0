internal import ServerAPI

extension PageMachine {
  /// Somebody wants a page.
  ///
  /// - Parameters:
  ///   - kind: What is wanted.
  ///   - load: Who waits for it; nobody where the list itself looks ahead.
  ///   - key: How it is asked for, where that does not follow from the kind.
  mutating func ask(_ kind: LoadKind, load: Int?, key: PageKey? = nil) -> [PageEffect] {
    let loads = load.map { [$0] } ?? []
    switch kind {
    case .first, .refresh:
      // A first page that shows what was stored is as good as a refresh.
      let isComing = jobs[.main]?.kind == .first && jobs[.main]?.key == key ?? first
      return askAnew(hasLoaded && !isComing ? .refresh : .first, key ?? first, loads)
    case .restore:
      guard !hasLoaded, (jobs[.main]?.kind ?? .restore) == .restore else {
        return loads.map { .finish(load: $0, .notNeeded) }
      }
      return start(.main, .restore, first, loads)
    case .page: return askAnew(kind, key ?? first, loads)
    case .next: return ask(.next, loads)
    case .previous: return ask(.previous, loads)
    case .gap(let page):
      guard let key, jobs[.main] == nil else { return loads.map { .finish(load: $0, .notNeeded) } }
      return start(.gap(page), kind, key, loads)
    }
  }

  /// Somebody wants the last load that failed again.
  mutating func retry(load: Int) -> [PageEffect] {
    guard let failure = failures.last else {
      // What never was is as good as failed.
      return hasLoaded || jobs[.main] != nil
        ? [.finish(load: load, .notNeeded)] : ask(.first, load: load)
    }
    if let preview = failure.preview, case .side = failure.lane, jobs[.main] == nil {
      return start(failure.lane, failure.kind, failure.key, [load], preview)
    }
    return ask(failure.kind, load: load, key: failure.key)
  }

  /// Repeats of what is under way join it; any other wish takes its place, and that of the loads of
  /// both sides, whose rows would not fit any more.
  private mutating func askAnew(
    _ kind: LoadKind, _ key: PageKey, _ loads: [Int]
  ) -> [PageEffect] {
    if jobs[.main]?.kind == .restore { return askAfterRestore(kind, key, loads) }
    var effects: [PageEffect] = []
    if let job = jobs[.main], job.kind != kind || job.key != key {
      effects += end(.main, because: .superseded)
    }
    if jobs[.main] == nil {
      for lane in jobs.keys.sorted(by: Self.inOrder) {
        effects += end(lane, because: .superseded)
      }
    }
    return effects + start(.main, kind, key, loads)
  }

  /// What is kept is shown first. Of several wishes the last one counts, as always.
  private mutating func askAfterRestore(
    _ kind: LoadKind, _ key: PageKey, _ loads: [Int]
  ) -> [PageEffect] {
    var kind = kind
    if kind == .first { kind = .refresh }
    if let old = wish, old.kind == kind, old.key == key {
      wish?.loads += loads
      return []
    }
    let old = wish?.loads ?? []
    wish = Wish(kind: kind, key: key, loads: loads)
    return old.map { .finish(load: $0, .cancelled(.superseded)) }
  }

  /// Begins what waited for a restore.
  mutating func askAgain(_ wish: Wish) -> [PageEffect] {
    if case .page = wish.kind { return askAnew(wish.kind, wish.key, wish.loads) }
    return askAnew(hasLoaded ? .refresh : .first, wish.key, wish.loads)
  }

  private mutating func ask(_ side: ListSide, _ loads: [Int]) -> [PageEffect] {
    if let job = jobs[.main] {
      // The first page is what this side wanted when it began it.
      if job.side == side {
        jobs[.main]?.loads += loads
      } else {
        waiting[side, default: []] += loads
      }
      return []
    }
    // Where a stored page is shown meanwhile, what lies beyond that one is no matter yet.
    if let job = jobs[.side(side)] { return start(.side(side), job.kind, job.key, loads) }
    switch links[side] {
    case nil:
      let effects = start(.main, .first, first, loads)
      jobs[.main]?.side = side
      return effects
    case .page(let key):
      return start(.side(side), side.kind, key, loads)
    case .end: return tellEnd(.complete, side, loads)
    case .stopped(let error): return tellEnd(.incomplete(error), side, loads)
    }
  }

  private func tellEnd(_ end: ListEnd, _ side: ListSide, _ loads: [Int]) -> [PageEffect] {
    [.tell(side.endEvent(end)), .tell(.didFinish(side.kind))]
      + loads.map { .finish(load: $0, .reachedEnd(end)) }
  }

  /// Begins a load, or joins the one that is under way in that lane.
  private mutating func start(
    _ lane: Lane, _ kind: LoadKind, _ key: PageKey, _ loads: [Int], _ preview: PagePreview? = nil
  ) -> [PageEffect] {
    if jobs[lane] != nil {
      jobs[lane]?.loads += loads
      if loads.isEmpty { jobs[lane]?.isAhead = true }
      return []
    }
    let number = nextNumber()
    failures.removeAll { $0.lane == lane }
    if case .side(let side) = lane { halted[side] = nil }
    jobs[lane] = Job(
      kind: kind, number: number, key: key, loads: loads, isAhead: loads.isEmpty,
      preview: preview)
    return [.tell(.didStart(kind)), .send(number: number, kind, key)]
  }

  /// Loads of the sides go before those of gaps, so that the order of effects is always the same.
  static func inOrder(_ a: Lane, _ b: Lane) -> Bool {
    switch (a, b) {
    case (.main, _): b != .main
    case (.side(.previous), .side(.next)): true
    case (.side, .gap): true
    case (.gap(let a), .gap(let b)): a < b
    default: false
    }
  }
}

extension ListSide {
  var kind: LoadKind { self == .next ? .next : .previous }

  func endEvent(_ end: ListEnd) -> ListEvent {
    self == .next ? .didLoadLastPage(end) : .didLoadFirstPage(end)
  }
}
