internal import ServerAPI

/// What came of a request.
extension PageMachine {
  /// Returns where the page that answers a request belongs; `nil` where nothing waits for it.
  func placement(of number: Int) -> PagePlacement? {
    guard let (lane, job) = job(number) else { return nil }
    switch lane {
    case .list: return .all
    case .side(let side): return job.preview.map { .over($0, side) } ?? .at(side)
    case .gap(let page): return .gap(page)
    }
  }

  /// A page is where it belongs.
  ///
  /// - Parameters:
  ///   - number: The request it answers.
  ///   - facts: What it says of its place.
  ///   - mark: Tells its content from that of others.
  ///   - merge: What it did to the rows; `nil` where it is one that came before and was left out.
  mutating func joined(
    _ number: Int, _ facts: PageFacts, _ mark: PageMark, _ merge: Merge?
  ) -> [ListEffect] {
    guard let (lane, job) = job(number) else { return [] }
    let outcome = lane.outcome(of: merge?.change ?? ListChange())
    switch lane {
    case .list:
      guard let rebuild else { return [] }
      restart(with: facts)
      set(nil, in: lane)
      endIfCircling(mark, isNew: merge?.isNew, of: .next)
      var effects = succeeded(job, outcome)
      if merge?.added ?? 0 < search.minimumRows, case .page = extent?.next {
        // The list is there, and what follows is a load of that side.
        effects += ask(.next, load: nil)
      }
      return effects + resume(after: rebuild)
    case .side(let side):
      extent?[side] = Edge(side == .next ? facts.next : facts.previous)
      endIfCircling(mark, isNew: merge?.isNew, of: side)
      return goOn(job, side, with: merge?.added ?? 0, outcome)
    case .gap:
      set(nil, in: lane)
      return succeeded(job, outcome)
    }
  }

  /// What is stored of a page is shown. The load goes on and ends once, with the response of the server;
  /// where that fails or is cancelled, what is shown stays, and so does where it leads.
  mutating func previewed(_ number: Int, _ facts: PageFacts, _ merge: Merge) {
    guard case (let lane, var job)? = job(number), job.preview == nil else { return }
    switch lane {
    case .list: restart(with: facts)
    case .side(let side): extent?[side] = Edge(side == .next ? facts.next : facts.previous)
    case .gap: break
    }
    job.preview = PagePreview(page: merge.page, added: merge.added)
    set(job, in: lane)
  }

  /// A request failed.
  mutating func failed(_ number: Int, _ error: LoadError) -> [ListEffect] {
    guard let (lane, job) = job(number) else {
      discard()
      return []
    }
    let rebuild = rebuild
    set(nil, in: lane)
    failures.append(
      Failure(lane: lane, kind: job.kind, key: job.key, error: error, preview: job.preview))
    let ended: [ListEffect] =
      [.notify(.didFail(job.kind, error)), .notify(.didFinish(job.kind))]
      + finish(job, .failed(error))
    return ended + (rebuild.map { resume(after: $0, orEnd: .failed(error)) } ?? [])
  }

  /// Pages that were kept are shown.
  ///
  /// - Parameters:
  ///   - number: The restore.
  ///   - facts: What lies beyond them.
  ///   - change: What they did to the rows.
  ///   - isLast: Whether these are all. The restore goes on otherwise.
  mutating func restored(
    _ number: Int, _ facts: PageFacts, _ change: ListChange, isLast: Bool
  ) -> [ListEffect] {
    guard let rebuild, rebuild.job.number == number else { return [] }
    restart(with: facts)
    guard isLast else { return [] }
    set(nil, in: .list)
    return succeeded(rebuild.job, .replaced(change)) + resume(after: rebuild)
  }

  /// Nothing is kept, or no more than what was shown.
  mutating func nothingKept(_ number: Int) -> [ListEffect] {
    guard let rebuild, rebuild.job.number == number else { return [] }
    set(nil, in: .list)
    return [.notify(.didFinish(rebuild.job.kind))] + finish(rebuild.job, .notNeeded)
      + resume(after: rebuild)
  }

  /// The list has other pages, and nothing that failed before is worth a retry.
  private mutating func restart(with facts: PageFacts) {
    extent = Extent(facts)
    failures = []
  }

  /// Ends the load of a side, or goes on with its next page where this one brought too little.
  private mutating func goOn(
    _ job: Job, _ side: ListSide, with added: Int, _ outcome: LoadOutcome
  ) -> [ListEffect] {
    var job = job
    job.addedRows += added
    guard job.addedRows < search.minimumRows, case .page(let key, _) = extent?[side] else {
      set(nil, in: .side(side))
      return succeeded(job, outcome)
    }
    job.searchedPages += 1
    let searching = ListEffect.notify(.isSearching(job.kind, pages: job.searchedPages))
    guard job.searchedPages < search.pages else {
      set(nil, in: .side(side))
      extent?[side] = .page(key, haltedAfter: job.searchedPages)
      return [searching] + succeeded(job, .stillSearching(pages: job.searchedPages))
    }
    (job.number, job.key, job.preview) = (nextNumber(), key, nil)
    set(job, in: .side(side))
    return [searching, .request(number: job.number, job.kind, key)]
  }

  /// A page without new rows that came before ends its side, as going on would never end.
  ///
  /// What a cursor looks like says nothing: one that is always the same is as good as any while rows
  /// come. Empty pages all look alike, so for them the key has to be the same too. Pages whose rows have no
  /// ids are left out by ``PageRepeats`` before.
  private mutating func endIfCircling(_ page: PageMark, isNew: Bool?, of side: ListSide) {
    if isNew == true {
      extent?.fruitless = []
      return
    }
    var hasher = Hasher()
    if page.isEmpty { hasher.combine(page.key) }
    hasher.combine(page.isEmpty)
    hasher.combine(page.fingerprint)
    let isCircle = extent?.fruitless.insert(hasher.finalize()).inserted == false
    if isCircle, case .page = extent?[side] {
      extent?[side] = .end(.incomplete(.noProgress(page.key)))
    }
  }

  private func succeeded(_ job: Job, _ outcome: LoadOutcome) -> [ListEffect] {
    var effects: [ListEffect] = []
    effects.reserveCapacity(4 + job.loads.count)
    effects.append(.notify(.didSucceed(job.kind)))
    // A load of one side says nothing of the other one.
    if job.kind.reaches(.previous), case .end(let end) = extent?.previous {
      effects.append(.notify(.didReachStart(end)))
    }
    if job.kind.reaches(.next), case .end(let end) = extent?.next {
      effects.append(.notify(.didReachEnd(end)))
    }
    effects.append(.notify(.didFinish(job.kind)))
    for load in job.loads { effects.append(.finish(load: load, outcome)) }
    return effects
  }
}

extension PageMachine.LoadSlot {
  fileprivate func outcome(of change: ListChange) -> LoadOutcome {
    switch self {
    case .list: .replaced(change)
    case .side(.next): .appended(change)
    case .side(.previous): .prepended(change)
    case .gap: .filled(change)
    }
  }
}

extension LoadKind {
  fileprivate func reaches(_ side: ListSide) -> Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next: side == .next
    case .previous: side == .previous
    case .gap: false
    }
  }
}
