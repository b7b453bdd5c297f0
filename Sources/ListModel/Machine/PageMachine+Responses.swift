internal import ListReading
internal import ServerAPI

/// The handling of responses.
extension PageMachine {
  /// Returns the place of the page for a request, or `nil` if no load waits for it.
  func placement(of number: Int) -> PagePlacement? {
    guard let (slot, running) = runningLoad(number) else { return nil }
    switch slot {
    case .list: return .all
    case .side(let side): return running.preview.map { .over($0, side) } ?? .at(side)
    case .middle(let page): return running.side.map { .gap(page, $0) } ?? .evicted(page)
    case .deep: return .deep
    }
  }

  /// Handles a page after the owner has inserted it.
  ///
  /// - Parameters:
  ///   - number: The number of its request.
  ///   - joining: The page, and how it joins the list.
  ///   - merge: Its effect on the rows; `nil` if it is a repeat and was left out.
  ///   - added: What it added to the rows.
  /// - Returns: The seam between it and its neighbor, and the effects.
  mutating func joined(
    _ number: Int, _ joining: Reading.Joining, merge: Merge?, added: Reading.Added
  ) -> (seam: Seam?, effects: [ListEffect]) {
    guard let (slot, running) = runningLoad(number) else { return (nil, []) }
    let outcome = slot.outcome(of: merge?.change ?? ListChange())
    let page = joining.page
    switch slot {
    case .list:
      guard let rebuild else { return (nil, []) }
      restart(at: page.key, page.facts, added.rows)
      if page.key == first { extent?.noteStart() }
      let seam = extent?.reading.join(joining, added).seam
      set(nil, in: slot)
      var effects = succeeded(running, outcome)
      if merge?.added ?? 0 < search.minimumRows, case .page = extent?[.next] {
        // The rebuild is complete. Further pages are a load of that side.
        effects += request(.next, load: nil)
      }
      return (seam, effects + resume(after: rebuild))
    case .side(let side):
      // Without the server's page, the list goes on from the stored one.
      if running.preview == nil { extent?.keepStored(at: side) }
      extent?.stored[side] = nil
      extent?.lastKeys[side] = page.key
      let joined = side == .next ? extent?.reading.join(joining, added) : joinBefore(joining, added)
      // A page that is requested again has no new rows on purpose.
      let effects = continueLoading(
        running, side, with: merge?.added ?? 0,
        isReread: joined?.isReread == true || joining.isAgain, outcome)
      return (joined?.seam, effects)
    case .middle, .deep:
      set(nil, in: slot)
      return (nil, succeeded(running, outcome))
    }
  }

  /// Handles the first page, requested again, after the owner has laid it over the rows.
  ///
  /// - Parameters:
  ///   - number: The number of its request.
  ///   - page: The page.
  ///   - change: Its effect on the rows.
  ///   - hasMoves: Whether rows came in another order than before.
  ///   - rows: All rows that the server has sent.
  ///   - rowsAboveGap: The number of rows above the first gap; `nil` if there is none.
  mutating func spliced(
    _ number: Int, _ page: ReadPage, _ change: ListChange, hasMoves: Bool, rows: ReceivedRows,
    rowsAboveGap: Int? = nil
  ) -> [ListEffect] {
    guard let rebuild, rebuild.running.number == number else { return [] }
    extent?.rejoinStart(page, hasMoves: hasMoves, rows, rowsAboveGap: rowsAboveGap)
    extent?.deep = nil
    set(nil, in: .list)
    return succeeded(rebuild.running, .replaced(change)) + resume(after: rebuild)
  }

  /// Joins a page before the first one.
  private mutating func joinBefore(
    _ joining: Reading.Joining, _ added: Reading.Added
  ) -> Reading.Joined {
    let page = joining.page
    extent?.previous = page.facts.previous
    if page.facts.previous == .end { extent?.noteStart() }
    let joined = extent?.reading.joinBefore(joining, added)
    if joined?.isLoop == true, case .page = extent?.previous {
      extent?.previous = .stopped(.noProgress(page.key))
    }
    return Reading.Joined(seam: joined?.seam)
  }

  /// Handles a stored page that is shown. The load continues and ends once, with the response of the server.
  /// If that fails or is cancelled, the stored rows and their next page stay.
  mutating func previewed(
    _ number: Int, _ facts: PageFacts, isEmpty: Bool, merge: Merge, rows: ReceivedRows
  ) {
    guard case (let slot, var running)? = runningLoad(number), running.preview == nil else {
      return
    }
    switch slot {
    case .list:
      restart(at: running.key, facts, rows)
      extent?.show(StoredFacts(key: running.key, facts: facts, isNew: !isEmpty), .next, isEmpty)
    case .side(let side):
      extent?.reading.account.rows = rows
      extent?.show(
        StoredFacts(key: running.key, facts: facts, isNew: merge.isNew), side, isEmpty)
    case .middle, .deep: break
    }
    running.preview = PagePreview(page: merge.page, added: merge.added)
    set(running, in: slot)
  }

  /// Handles a failed request.
  mutating func failed(_ number: Int, _ error: LoadError) -> [ListEffect] {
    guard let (slot, running) = runningLoad(number) else {
      discard()
      return []
    }
    let rebuild = rebuild
    set(nil, in: slot)
    // A place that the server refuses, such as an expired cursor, leads no further.
    if slot == .deep, error.isRefusal { extent?.deep = nil }
    failures.append(
      Failure(
        slot: slot, kind: running.kind, key: running.key, error: error, preview: running.preview,
        splices: running.splices, side: running.side))
    let ended: [ListEffect] =
      [.notify(.didFail(running.kind, error)), .notify(.didFinish(running.kind))]
      + finish(running, .failed(error))
    return ended + (rebuild.map { resume(after: $0, orEnd: .failed(error)) } ?? [])
  }

  /// Handles kept pages that are shown.
  ///
  /// - Parameters:
  ///   - number: The number of the restore.
  ///   - facts: The links beyond these pages.
  ///   - account: What all restored pages say about the number of rows.
  ///   - change: Their effect on the rows.
  ///   - isLast: Whether the restore ends with these pages.
  mutating func restored(
    _ number: Int, _ facts: PageFacts, account: RowAccount, change: ListChange, isLast: Bool
  ) -> [ListEffect] {
    guard let rebuild, rebuild.running.number == number else { return [] }
    (extent, failures) = (extent(at: facts.next, previous: facts.previous, account), [])
    guard isLast else { return [] }
    set(nil, in: .list)
    return succeeded(rebuild.running, .replaced(change)) + resume(after: rebuild)
  }

  /// Ends a restore: no pages are kept, or all of them are shown.
  mutating func nothingKept(_ number: Int) -> [ListEffect] {
    guard let rebuild, rebuild.running.number == number else { return [] }
    set(nil, in: .list)
    return [.notify(.didFinish(rebuild.running.kind))] + finish(rebuild.running, .notNeeded)
      + resume(after: rebuild)
  }

  /// Starts over with new pages. Earlier failures are not worth a retry.
  private mutating func restart(at key: PageKey, _ facts: PageFacts, _ rows: ReceivedRows) {
    let earlier = extent?.reading
    (extent, failures) = (
      extent(at: .page(key), previous: facts.previous, RowAccount(rows)), []
    )
    extent?.reading.keepGivenUpOverlaps(of: earlier)
    for side in ListSide.allCases { extent?.lastKeys[side] = key }
  }

  private func extent(
    at link: PageFacts.Link, previous: PageFacts.Link, _ account: RowAccount
  ) -> Extent {
    var reading = Reading(demand.level, first: first, at: link, account)
    reading.loops = LoopDetector(limit: search.pages)
    return Extent(reading, previous: previous, distrusts: demand.distrusts)
  }

  /// Requests another page for a running load. Returns the number of the request.
  mutating func request(_ key: PageKey, for number: Int) -> (number: Int, effects: [ListEffect])? {
    guard case (let slot, var running)? = runningLoad(number) else { return nil }
    (running.number, running.key) = (nextNumber(), key)
    set(running, in: slot)
    return (running.number, [.request(number: running.number, running.kind, key)])
  }

  /// Continues at an earlier or later page than the last response said, because rows have moved.
  mutating func redirect(to key: PageKey) {
    guard extent != nil else { return }
    extent?[.next] = .page(key)
    if state(of: .next) == .loading { extent?.reading.redirect(to: key) }
  }

  /// Moves the next page by a number of rows, and the one after it if it is being loaded. Where the rows really are,
  /// its overlap shows.
  mutating func shiftNext(by rows: Int) {
    guard let next = frontier?.moved(by: rows) else { return }
    extent?[.next] = .page(next)
    if case .extending(let work) = work, work.sides[.next] != nil {
      extent?.reading.shiftNext(by: rows)
    }
  }

  /// Ends the load of a side, or continues with its next page if this one had too few new rows.
  private mutating func continueLoading(
    _ running: RunningLoad, _ side: ListSide, with added: Int, isReread: Bool,
    _ outcome: LoadOutcome
  ) -> [ListEffect] {
    var running = running
    running.addedRows += added
    guard running.addedRows < search.minimumRows, case .page(let key) = extent?[side] else {
      set(nil, in: .side(side))
      return succeeded(running, outcome)
    }
    // Pages that come again have no new rows on purpose, and are limited by the overlaps.
    if isReread { return proceed(running, side, to: key) }
    running.searchedPages += 1
    let searching = ListEffect.notify(.isSearching(running.kind, pages: running.searchedPages))
    guard running.searchedPages < search.pages else {
      set(nil, in: .side(side))
      extent?.haltedAfter[side] = running.searchedPages
      return [searching] + succeeded(running, .stillSearching(pages: running.searchedPages))
    }
    return [searching] + proceed(running, side, to: key)
  }

  /// Requests a further page for a load.
  mutating func proceed(
    _ running: RunningLoad, _ side: ListSide, to key: PageKey
  ) -> [ListEffect] {
    var running = running
    (running.number, running.key, running.preview) = (nextNumber(), key, nil)
    running.isRepeat = false
    startTurn(of: &running, side)
    set(running, in: .side(side))
    return [.request(number: running.number, running.kind, running.key)]
  }

  func succeeded(_ running: RunningLoad, _ outcome: LoadOutcome) -> [ListEffect] {
    var effects: [ListEffect] = []
    effects.reserveCapacity(4 + running.loads.count)
    effects.append(.notify(.didSucceed(running.kind)))
    // A load at one side says nothing about the other side.
    if running.kind.reaches(.previous), let end = extent?.end(of: .previous) {
      effects.append(.notify(.didReachStart(end)))
    }
    if running.kind.reaches(.next), let end = extent?.end(of: .next) {
      effects.append(.notify(.didReachEnd(end)))
    }
    effects.append(.notify(.didFinish(running.kind)))
    for load in running.loads { effects.append(.finish(load: load, outcome)) }
    return effects
  }
}

extension PageMachine.LoadSlot {
  fileprivate func outcome(of change: ListChange) -> LoadOutcome {
    switch self {
    case .list, .deep: .replaced(change)
    case .side(.next): .appended(change)
    case .side(.previous): .prepended(change)
    case .middle: .filled(change)
    }
  }
}

extension LoadKind {
  /// Whether a load of this kind may reach an end of the list.
  func reaches(_ side: ListSide) -> Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next: side == .next
    case .previous: side == .previous
    case .evicted: false
    // An open gap leaves the end of the list incomplete.
    case .gap, .deep: side == .next
    }
  }
}
