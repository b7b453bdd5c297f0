internal import ServerAPI

extension PageMachine {
  /// A page came.
  ///
  /// - Parameters:
  ///   - number: The request it answers.
  ///   - facts: What it says of its place.
  ///   - merge: Takes the page in. Called once, or not at all when nobody waits for it.
  mutating func arrived(
    _ number: Int, _ facts: PageFacts, merge: (PagePlacement) -> PageMerge
  ) -> [PageEffect] {
    guard let (lane, job) = job(number) else {
      discard()
      return []
    }
    switch lane {
    case .main:
      let merge = merge(.anew)
      begin(with: facts)
      return take(merge, of: job, lane, onwards: .next) + wake()
    case .side(let side):
      let merge = merge(job.preview.map { .over($0, side) } ?? .at(side))
      links[side] = side == .next ? facts.next : facts.previous
      return take(merge, of: job, lane, onwards: side)
    case .gap(let page):
      let merge = merge(.gap(page))
      jobs[lane] = nil
      return told(merge) + succeeded(job) + finish(job, outcome(of: merge, lane))
    }
  }

  /// A request failed.
  mutating func failed(_ number: Int, _ error: LoadError) -> [PageEffect] {
    guard let (lane, job) = job(number) else {
      discard()
      return []
    }
    jobs[lane] = nil
    failures.append(
      Failure(lane: lane, kind: job.kind, key: job.key, error: error, preview: job.preview))
    return [.tell(.didFail(job.kind, error)), .tell(.didFinish(job.kind))]
      + finish(job, .failed(error)) + (lane == .main ? wake(orEnd: .failed(error)) : [])
  }

  func job(_ number: Int) -> (Lane, Job)? {
    jobs.first { $0.value.number == number }.map { ($0.key, $0.value) }
  }

  /// Ends the load, or goes on with the next page of that side where this one brought too little.
  private mutating func take(
    _ merge: PageMerge, of job: Job, _ lane: Lane, onwards side: ListSide
  ) -> [PageEffect] {
    var job = job
    let effects = told(merge)
    job.addedRows += merge.added
    if isCircle(merge.mark), case .page = links[side] {
      links[side] = .stopped(.noProgress(merge.mark.key))
    }
    jobs[lane] = nil
    guard job.addedRows < search.minimumRows, case .page(let key) = links[side] else {
      return effects + succeeded(job) + finish(job, outcome(of: merge, lane))
    }
    if lane == .main {
      // The list is there, and what follows is a load of that side.
      return effects + succeeded(job) + finish(job, outcome(of: merge, lane))
        + ask(side.kind, load: nil)
    }
    job.searchedPages += 1
    guard job.searchedPages < search.pages else {
      halted[side] = job.searchedPages
      return effects + [.tell(.isSearching(job.kind, pages: job.searchedPages))] + succeeded(job)
        + finish(job, .stillSearching(pages: job.searchedPages))
    }
    job.number = nextNumber()
    job.key = key
    job.preview = nil
    jobs[lane] = job
    return effects + [
      .tell(.isSearching(job.kind, pages: job.searchedPages)),
      .send(number: job.number, job.kind, key),
    ]
  }

  private func outcome(of merge: PageMerge, _ lane: Lane) -> LoadOutcome {
    switch lane {
    case .main: .replaced(merge.change)
    case .side(.next): .appended(merge.change)
    case .side(.previous): .prepended(merge.change)
    case .gap: .filled(merge.change)
    }
  }

  func told(_ merge: PageMerge) -> [PageEffect] {
    (merge.change.isEmpty ? [] : [.tell(.didChange(merge.change))])
      + (merge.report.map { [.tell(.didReport($0))] } ?? [])
      + (merge.freshness.map { [.tell(.didBecome($0))] } ?? [])
  }

  func succeeded(_ job: Job) -> [PageEffect] {
    var effects = [PageEffect.tell(.didSucceed(job.kind))]
    // A load of one side says nothing of the other one.
    if job.kind != .next, !job.kind.isGap, let end = end(of: .previous) {
      effects.append(.tell(.didLoadFirstPage(end)))
    }
    if job.kind != .previous, !job.kind.isGap, let end = end(of: .next) {
      effects.append(.tell(.didLoadLastPage(end)))
    }
    return effects + [.tell(.didFinish(job.kind))]
  }
}

extension LoadKind {
  fileprivate var isGap: Bool { if case .gap = self { true } else { false } }
}
