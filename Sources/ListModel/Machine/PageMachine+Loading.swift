internal import ServerAPI

/// What begins a load.
extension PageMachine {
  /// Requests a page, or joins the load that does.
  ///
  /// - Parameters:
  ///   - kind: What is wanted.
  ///   - load: The load that waits for it; none where the list itself looks ahead.
  ///   - key: How it is requested, where that does not follow from the kind.
  mutating func ask(_ kind: LoadKind, load: Int?, key: PageKey? = nil) -> [ListEffect] {
    let loads = load.map { [$0] } ?? []
    switch kind {
    case .first, .refresh:
      // A first page that shows a stored response is as good as a refresh.
      let isComing = rebuild.map { $0.job.kind == .first && $0.job.key == key ?? first } ?? false
      return rebuild(hasLoaded && !isComing ? .refresh : .first, key ?? first, loads)
    case .restore:
      guard !hasLoaded, isRestoring || rebuild == nil else { return notNeeded(loads) }
      return rebuild(.restore, first, loads)
    case .page: return rebuild(kind, key ?? first, loads)
    case .next: return extend(.next, loads)
    case .previous: return extend(.previous, loads)
    case .gap(let page):
      guard let key, case .extending(var work) = work else { return notNeeded(loads) }
      if work.gaps[page] != nil {
        work.gaps[page]?.join(loads)
        self.work = .extending(work)
        return []
      }
      return begin(.gap(page), kind, key, loads)
    }
  }

  /// Repeats the last load that failed.
  mutating func retry(load: Int) -> [ListEffect] {
    guard let failure = failures.last else {
      // What never was is as good as failed.
      return hasLoaded || rebuild != nil ? notNeeded([load]) : ask(.first, load: load)
    }
    if let preview = failure.preview, case .side(let side) = failure.lane,
      case .extending(let work) = work, work.sides[side] == nil
    {
      return begin(failure.lane, failure.kind, failure.key, [load], preview: preview)
    }
    return ask(failure.kind, load: load, key: failure.key)
  }

  /// Requests other pages for the list. A repeat joins the rebuild under way; anything else supersedes
  /// it, and the loads of both sides, whose rows would not fit any more.
  mutating func rebuild(_ kind: LoadKind, _ key: PageKey, _ loads: [Int]) -> [ListEffect] {
    switch work {
    case .rebuilding(var rebuild):
      if rebuild.job.kind == kind, rebuild.job.key == key || kind == .restore {
        rebuild.job.join(loads)
        work = .rebuilding(rebuild)
        return []
      }
      if case .restore(let next) = rebuild.goal { return replace(next, with: kind, key, loads) }
      let ended = end(rebuild.job, because: .superseded)
      let waiting = rebuild.waiting
      let began = begin(.list, kind, key, loads)
      // What waited for the old rebuild waits for this one.
      if case .rebuilding(var rebuild) = work {
        rebuild.waiting = waiting
        work = .rebuilding(rebuild)
      }
      return ended + began
    case .extending(let work):
      let ended = work.inOrder.flatMap { end($0.job, because: .superseded) }
      return ended + begin(.list, kind, key, loads)
    }
  }

  /// Kept pages are shown first. Of several requests that wait for them the last one counts, as always.
  private mutating func replace(
    _ old: Request?, with kind: LoadKind, _ key: PageKey, _ loads: [Int]
  ) -> [ListEffect] {
    guard case .rebuilding(var rebuild) = work else { return [] }
    var next = Request(kind: kind == .first ? .refresh : kind, key: key, loads: loads)
    let isSame = old.map { $0.kind == next.kind && $0.key == key } ?? false
    if isSame { next.loads = (old?.loads ?? []) + loads }
    rebuild.goal = .restore(then: next)
    work = .rebuilding(rebuild)
    return isSame ? [] : (old?.loads ?? []).map { .finish(load: $0, .cancelled(.superseded)) }
  }

  /// Requests the page at one side.
  private mutating func extend(_ side: ListSide, _ loads: [Int]) -> [ListEffect] {
    switch work {
    case .rebuilding(var rebuild):
      if rebuild.goal == .page(askedBy: side) {
        rebuild.job.loads += loads
      } else if !loads.isEmpty {
        rebuild.waiting[side, default: []] += loads
      }
      work = .rebuilding(rebuild)
      return []
    case .extending(var work):
      // Where a stored page is shown meanwhile, what lies beyond it does not matter yet.
      if work.sides[side] != nil {
        work.sides[side]?.join(loads)
        self.work = .extending(work)
        return []
      }
      switch extent?[side] {
      case nil: return begin(.list, .first, first, loads, askedBy: side)
      case .page(let key, _): return begin(.side(side), side.kind, key, loads)
      case .end(let end):
        return [.notify(side.endEvent(end)), .notify(.didFinish(side.kind))]
          + loads.map { .finish(load: $0, .reachedEnd(end)) }
      }
    }
  }

  /// Begins a load in a lane that is free.
  private mutating func begin(
    _ lane: LoadSlot, _ kind: LoadKind, _ key: PageKey, _ loads: [Int], preview: PagePreview? = nil,
    askedBy side: ListSide? = nil
  ) -> [ListEffect] {
    failures.removeAll { $0.lane == lane }
    let job = Job(
      kind: kind, number: nextNumber(), key: key, loads: loads, isAhead: loads.isEmpty,
      preview: preview)
    switch lane {
    case .list:
      let goal: Rebuild.Goal = kind == .restore ? .restore(then: nil) : .page(askedBy: side)
      work = .rebuilding(Rebuild(job: job, goal: goal))
    case .side(let side):
      if case .page(let key, _) = extent?[side] { extent?[side] = .page(key) }
      set(job, in: lane)
    case .gap: set(job, in: lane)
    }
    return [.notify(.didStart(kind)), .request(number: job.number, kind, key)]
  }

  /// Puts a load into a lane, or takes it out.
  mutating func set(_ job: Job?, in lane: LoadSlot) {
    switch (work, lane) {
    case (.rebuilding(var rebuild), .list):
      if let job { rebuild.job = job }
      work = job == nil ? .extending(Extension()) : .rebuilding(rebuild)
    case (.extending(var extending), .side(let side)):
      extending.sides[side] = job
      work = .extending(extending)
    case (.extending(var extending), .gap(let page)):
      extending.gaps[page] = job
      work = .extending(extending)
    case (.rebuilding, .side), (.rebuilding, .gap), (.extending, .list): break
    }
  }

  private func notNeeded(_ loads: [Int]) -> [ListEffect] {
    loads.map { .finish(load: $0, .notNeeded) }
  }
}

extension PageMachine.Job {
  /// More loads wait for it; or, where there are none, the list itself wants it.
  fileprivate mutating func join(_ more: [Int]) {
    loads += more
    if more.isEmpty { isAhead = true }
  }
}

extension ListSide {
  var kind: LoadKind { self == .next ? .next : .previous }

  fileprivate func endEvent(_ end: ListEnd) -> ListEvent {
    self == .next ? .didReachEnd(end) : .didReachStart(end)
  }
}
