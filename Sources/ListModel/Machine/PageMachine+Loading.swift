internal import ListReading
internal import ServerAPI

/// The start of loads.
extension PageMachine {
  /// Requests a page, or joins the load that requests it.
  ///
  /// - Parameters:
  ///   - kind: The kind of load.
  ///   - load: The load that waits for the page; `nil` if the list prefetches it.
  ///   - key: The key of the page, if it does not follow from the kind.
  ///   - splices: Whether the page of a refresh is laid over the rows.
  mutating func request(
    _ kind: LoadKind, load: Int?, key: PageKey? = nil, splices: Bool = false
  ) -> [ListEffect] {
    let loads = load.map { [$0] } ?? []
    switch kind {
    case .first, .refresh:
      // A first load that shows a stored response serves as a refresh.
      let isFirstLoad =
        rebuild.map { $0.running.kind == .first && $0.running.key == key ?? first } ?? false
      return rebuild(
        hasLoaded && !isFirstLoad ? .refresh : .first, key ?? first, loads, splices: splices)
    case .restore:
      guard !hasLoaded, isRestoring || rebuild == nil else { return notNeeded(loads) }
      return rebuild(.restore, first, loads)
    case .page: return rebuild(kind, key ?? first, loads)
    case .next: return extend(.next, loads)
    case .previous: return extend(.previous, loads)
    case .evicted(let page):
      guard let key, case .extending(var work) = work else { return notNeeded(loads) }
      if work.middle[page] != nil {
        work.middle[page]?.join(loads)
        self.work = .extending(work)
        return []
      }
      return begin(.middle(page), kind, key, loads)
    case .gap(let gap): return fill(gap, from: .above, loads)
    case .deep: return refreshDeep(loads)
    }
  }

  /// Repeats the last load that failed. Without one, requests again what an incomplete end rests on.
  ///
  /// - Parameter lastPages: The page of the server at each end of the rows.
  mutating func retry(
    load: Int, lastPages: [ListSide: (id: PageID, key: PageKey)] = [:]
  ) -> [ListEffect] {
    guard let failure = failures.last else {
      guard rebuild == nil else { return notNeeded([load]) }
      // A list that never loaded is treated as one whose first load failed.
      return hasLoaded ? repairEnd(load, lastPages) : request(.first, load: load)
    }
    if let preview = failure.preview, case .side(let side) = failure.slot,
      case .extending(let work) = work, work.sides[side] == nil
    {
      return begin(failure.slot, failure.kind, failure.key, [load], preview: preview)
    }
    if case .gap(let gap) = failure.kind {
      guard extent?.gaps[gap]?.side(preferring: .above) != nil else {
        // The server refuses it, or it has closed.
        failures.removeLast()
        return retry(load: load, lastPages: lastPages)
      }
      return fill(gap, from: failure.side ?? .above, [load])
    }
    return request(failure.kind, load: load, key: failure.key, splices: failure.splices)
  }

  private mutating func repairEnd(
    _ load: Int, _ lastPages: [ListSide: (id: PageID, key: PageKey)]
  ) -> [ListEffect] {
    switch extent?.remedy {
    case nil: return notNeeded([load])
    case .page(let side):
      if case .extending(let work) = work, work.sides[side] != nil { return extend(side, [load]) }
      guard let page = lastPages[side], (extent?.lastKeys[side] ?? page.key) == page.key else {
        return request(.refresh, load: load)
      }
      return begin(
        .side(side), side.kind, page.key, [load],
        preview: PagePreview(page: page.id, isServers: true))
    case .gap(let gap): return fill(gap, from: .above, [load])
    case .refresh: return request(.refresh, load: load)
    }
  }

  /// Requests new pages for the list. An equal request joins the running rebuild; any other supersedes it and
  /// the loads of both sides, whose rows would no longer fit.
  mutating func rebuild(
    _ kind: LoadKind, _ key: PageKey, _ loads: [Int], splices: Bool = false
  ) -> [ListEffect] {
    switch work {
    case .rebuilding(var rebuild):
      if rebuild.running.kind == kind, rebuild.running.key == key || kind == .restore {
        rebuild.running.join(loads)
        rebuild.running.splices = rebuild.running.splices && splices
        work = .rebuilding(rebuild)
        return []
      }
      if case .restore(let next) = rebuild.goal {
        return replace(next, with: Request(kind: kind, key: key, loads: loads, splices: splices))
      }
      let ended = end(rebuild.running, because: .superseded)
      let (waiting, deep) = (rebuild.waiting, rebuild.deep)
      let began = begin(.list, kind, key, loads, splices: splices)
      // Loads that waited for the old rebuild wait for this one.
      if case .rebuilding(var rebuild) = work {
        (rebuild.waiting, rebuild.deep) = (waiting, deep)
        work = .rebuilding(rebuild)
      }
      return ended + began
    case .extending(let work):
      let ended = work.inOrder.flatMap { end($0.running, because: .superseded) }
      return ended + begin(.list, kind, key, loads, splices: splices)
    }
  }

  /// Replaces the request of the running rebuild, which goes on. What is stored of its page may be as old as the
  /// response.
  mutating func requestAgain() -> [ListEffect] {
    guard case .rebuilding(var rebuild) = work else { return [] }
    let old = rebuild.running
    (rebuild.running.number, rebuild.running.isRepeat) = (nextNumber(), true)
    work = .rebuilding(rebuild)
    return [
      .abandon(number: old.number),
      .request(number: rebuild.running.number, old.kind, old.key),
    ]
  }

  /// Replaces the request that waits for a restore. Kept pages are shown first; the last request supersedes
  /// earlier ones.
  private mutating func replace(_ old: Request?, with new: Request) -> [ListEffect] {
    guard case .rebuilding(var rebuild) = work else { return [] }
    var next = new
    if next.kind == .first { next.kind = .refresh }
    let isSame = old.map { $0.kind == next.kind && $0.key == next.key } ?? false
    if isSame, let old { (next.loads, next.splices) = (old.loads + new.loads, old.splices && new.splices) }
    rebuild.goal = .restore(then: next)
    work = .rebuilding(rebuild)
    return isSame ? [] : drop(old, because: .superseded)
  }

  /// Requests the next page at one side.
  private mutating func extend(_ side: ListSide, _ loads: [Int]) -> [ListEffect] {
    switch work {
    case .rebuilding(var rebuild):
      if rebuild.goal == .page(requestedBy: side) {
        rebuild.running.loads += loads
      } else if !loads.isEmpty {
        rebuild.waiting[side, default: []] += loads
      }
      work = .rebuilding(rebuild)
      return []
    case .extending(var work):
      // A stored page that is shown meanwhile does not decide the next page yet.
      if work.sides[side] != nil {
        work.sides[side]?.join(loads)
        self.work = .extending(work)
        return []
      }
      guard let extent else { return begin(.list, .first, first, loads, requestedBy: side) }
      if side == .next, let gap = extent.gapBeforeNext { return fill(gap, from: .above, loads) }
      if case .page(let key) = extent[side] { return begin(.side(side), side.kind, key, loads) }
      if let end = extent.end(of: side) {
        return [.notify(side.endEvent(end)), .notify(.didFinish(side.kind))]
          + loads.map { .finish(load: $0, .reachedEnd(end)) }
      }
      return []
    }
  }

  /// Starts a load in a free slot.
  mutating func begin(
    _ slot: LoadSlot, _ kind: LoadKind, _ key: PageKey, _ loads: [Int], preview: PagePreview? = nil,
    requestedBy side: ListSide? = nil, splices: Bool = false, fills gapSide: ListGap.Side? = nil
  ) -> [ListEffect] {
    let isRepeat =
      preview?.isServers == true
      || failures.contains { $0.slot == slot && (slot != .list || $0.key == key) }
    failures.removeAll { $0.slot == slot }
    var running = RunningLoad(
      kind: kind, number: nextNumber(), key: key, loads: loads, isPrefetch: loads.isEmpty,
      isRepeat: isRepeat, splices: splices, side: gapSide, preview: preview)
    switch slot {
    case .list:
      let goal: Rebuild.Goal = kind == .restore ? .restore(then: nil) : .page(requestedBy: side)
      work = .rebuilding(Rebuild(running: running, goal: goal))
    case .side(let side):
      extent?.haltedAfter[side] = nil
      if preview == nil {
        startTurn(of: &running, side)
      } else if side == .next {
        extent?.reading.skipLook()
      }
      set(running, in: slot)
    case .middle, .deep: set(running, in: slot)
    }
    return [.notify(.didStart(kind)), .request(number: running.number, kind, running.key)]
  }

  /// Lets a load of the next page request an overlap, if that shows the seam before it.
  mutating func startTurn(of running: inout RunningLoad, _ side: ListSide) {
    guard side == .next, let key = extent?.reading.start(running.key) else { return }
    running.key = key
  }

  /// Sets or clears the load in a slot.
  mutating func set(_ running: RunningLoad?, in slot: LoadSlot) {
    switch (work, slot) {
    case (.rebuilding(var rebuild), .list):
      if let running { rebuild.running = running }
      work = running == nil ? .extending(Extension()) : .rebuilding(rebuild)
    case (.extending(var extending), .side(let side)):
      extending.sides[side] = running
      work = .extending(extending)
    case (.extending(var extending), .middle(let page)):
      extending.middle[page] = running
      work = .extending(extending)
    case (.extending(var extending), .deep):
      extending.deep = running
      work = .extending(extending)
    case (.rebuilding, .side), (.rebuilding, .middle), (.rebuilding, .deep), (.extending, .list): break
    }
  }

  func notNeeded(_ loads: [Int]) -> [ListEffect] {
    loads.map { .finish(load: $0, .notNeeded) }
  }
}

extension PageMachine.RunningLoad {
  /// Adds waiting loads. Without any, the list itself wants the page.
  mutating func join(_ more: [Int]) {
    loads += more
    if more.isEmpty { isPrefetch = true }
  }
}

extension ListSide {
  var kind: LoadKind { self == .next ? .next : .previous }

  fileprivate func endEvent(_ end: ListEnd) -> ListEvent {
    self == .next ? .didReachEnd(end) : .didReachStart(end)
  }
}
