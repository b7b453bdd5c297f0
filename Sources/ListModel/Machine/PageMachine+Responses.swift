internal import ServerAPI

/// The handling of responses.
extension PageMachine {
  /// Returns the place of the page for a request, or `nil` if no load waits for it.
  func placement(of number: Int) -> PagePlacement? {
    guard let (slot, running) = runningLoad(number) else { return nil }
    switch slot {
    case .list: return .all
    case .side(let side): return running.preview.map { .over($0, side) } ?? .at(side)
    case .gap(let page): return .gap(page)
    }
  }

  /// Handles a page after the owner has inserted it.
  ///
  /// - Parameters:
  ///   - number: The number of its request.
  ///   - facts: The facts about its position.
  ///   - mark: Identifies its content.
  ///   - merge: Its effect on the rows; `nil` if it is a repeat and was left out.
  ///   - rows: The rows that the server has sent.
  ///   - seam: What is known of the seam before it.
  mutating func joined(
    _ number: Int, _ facts: PageFacts, _ mark: PageMark, _ merge: Merge?, _ rows: ReceivedRows,
    _ seam: SeamJoin = SeamJoin()
  ) -> [ListEffect] {
    guard let (slot, running) = runningLoad(number) else { return [] }
    let outcome = slot.outcome(of: merge?.change ?? ListChange())
    switch slot {
    case .list:
      guard let rebuild else { return [] }
      restart(with: facts, at: mark.key, isEmpty: mark.isEmpty, rows)
      extent?.isFromStart = mark.key == first
      extent?.note(seam)
      set(nil, in: slot)
      endIfNoProgress(mark, isNew: merge?.isNew, of: .next)
      var effects = succeeded(running, outcome)
      if merge?.added ?? 0 < search.minimumRows, case .page = extent?.next {
        // The rebuild is complete. Further pages are a load of that side.
        effects += request(.next, load: nil)
      }
      return effects + resume(after: rebuild)
    case .side(let side):
      // Without the server's page, the list goes on from the stored one.
      if running.preview == nil { extent?.keepStored(at: side) }
      extend(
        side, with: facts, at: mark.key, isEmpty: mark.isEmpty || seam.isRepeat,
        isBlank: mark.isEmpty,
        isNew: merge?.isNew == true, rows)
      if side == .next { extent?.goOn(from: seam, before: running.check?.page) }
      // A page that is requested again has no new rows on purpose.
      let isAgain = running.preview?.isServers == true
      if side == .next, let key = extent?.redirection {
        extent?.next = .page(key)
        extent?.redirection = nil
      } else if !isAgain {
        endIfNoProgress(mark, isNew: merge?.isNew, of: side, isReread: seam.isReread)
      }
      return continueLoading(
        running, side, with: merge?.added ?? 0, isReread: seam.isReread || isAgain, outcome)
    case .gap:
      set(nil, in: slot)
      return succeeded(running, outcome)
    }
  }

  /// Handles a stored page that is shown. The load continues and ends once, with the response of the server.
  /// If that fails or is cancelled, the stored rows and their next page stay.
  mutating func previewed(
    _ number: Int, _ facts: PageFacts, isEmpty: Bool, _ merge: Merge, _ rows: ReceivedRows
  ) {
    guard case (let slot, var running)? = runningLoad(number), running.preview == nil else {
      return
    }
    switch slot {
    case .list:
      restart(with: facts, at: running.key, isEmpty: isEmpty, rows, isStored: true)
    case .side(let side):
      extend(
        side, with: facts, at: running.key, isEmpty: isEmpty, isNew: merge.isNew, rows,
        isStored: true)
    case .gap: break
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
    failures.append(
      Failure(
        slot: slot, kind: running.kind, key: running.key, error: error, preview: running.preview))
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
    _ number: Int, _ facts: PageFacts, _ account: RowAccount, _ change: ListChange, isLast: Bool
  ) -> [ListEffect] {
    guard let rebuild, rebuild.running.number == number else { return [] }
    (extent, failures) = (Extent(facts, next: facts.next, account, demand), [])
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
  private mutating func restart(
    with facts: PageFacts, at key: PageKey, isEmpty: Bool, _ rows: ReceivedRows,
    isStored: Bool = false
  ) {
    var account = RowAccount(rows)
    if !isStored { account.add(facts, at: key, isNew: !isEmpty) }
    // A server that doesn't know windows is not asked again.
    let windows = extent?.windows
    let next = facts.checkedNext(after: key, isEmpty: isEmpty, isNew: !isEmpty)
    (extent, failures) = (Extent(facts, next: next, account, demand), [])
    if let windows, windows.overlap.isGivenUp { extent?.windows = windows }
    if isStored { noteStored(StoredFacts(key: key, facts: facts, isNew: !isEmpty), .next) }
    for side in ListSide.allCases { extent?.lastKeys[side] = key }
  }

  /// Continues a side after its page.
  private mutating func extend(
    _ side: ListSide, with facts: PageFacts, at key: PageKey, isEmpty: Bool,
    isBlank: Bool = false, isNew: Bool, _ rows: ReceivedRows, isStored: Bool = false
  ) {
    let wasMet = isBlank && extent?.account.meetsTotal == true
    if isStored {
      noteStored(StoredFacts(key: key, facts: facts, isNew: isNew), side)
    } else {
      extent?.stored[side] = nil
      extent?.account.add(facts, at: key, isNew: isNew, side)
    }
    extent?.account.rows = rows
    let isMet = wasMet && extent?.account.meetsTotal == true
    extent?[side] = Continuation(
      side == .next
        ? facts.checkedNext(after: key, isEmpty: isEmpty, isNew: isNew, isMet: isMet)
        : facts.previous)
    extent?.lastKeys[side] = key
  }

  private mutating func noteStored(_ page: StoredFacts, _ side: ListSide) {
    extent?.stored[side] = page
  }

  /// The number of the request in these effects.
  func number(after effects: [ListEffect]) -> Int? {
    if case .request(let number, _, _)? = effects.first { number } else { nil }
  }

  /// Requests another page for a running load.
  mutating func request(_ key: PageKey, _ check: SeamCheck?, for number: Int) -> [ListEffect] {
    guard case (let slot, var running)? = runningLoad(number) else { return [] }
    (running.number, running.key, running.check) = (nextNumber(), key, check)
    set(running, in: slot)
    return [.request(number: running.number, running.kind, key)]
  }

  /// Continues at an earlier or later page than the last response said, because rows have moved.
  mutating func redirect(to key: PageKey) {
    guard extent != nil else { return }
    extent?.next = .page(key)
    if state(of: .next) == .loading { extent?.redirection = key }
  }

  /// Moves the next page by a number of rows, and the one after it if it is being loaded. Where the rows really are,
  /// its window shows.
  mutating func shiftNext(by rows: Int) {
    guard let next = frontier?.moved(by: rows) else { return }
    extent?.next = .page(next)
    if case .extending(let work) = work, work.sides[.next] != nil { extent?.shift += rows }
  }

  /// Ends the load of a side, or continues with its next page if this one had too few new rows.
  private mutating func continueLoading(
    _ running: RunningLoad, _ side: ListSide, with added: Int, isReread: Bool,
    _ outcome: LoadOutcome
  ) -> [ListEffect] {
    var running = running
    running.check = nil
    running.addedRows += added
    guard running.addedRows < search.minimumRows, case .page(let key, _) = extent?[side] else {
      set(nil, in: .side(side))
      return succeeded(running, outcome)
    }
    // Pages that come again have no new rows on purpose, and are limited by the windows.
    if isReread { return proceed(running, side, to: key) }
    running.searchedPages += 1
    let searching = ListEffect.notify(.isSearching(running.kind, pages: running.searchedPages))
    guard running.searchedPages < search.pages else {
      set(nil, in: .side(side))
      extent?[side] = .page(key, haltedAfter: running.searchedPages)
      return [searching] + succeeded(running, .stillSearching(pages: running.searchedPages))
    }
    return [searching] + proceed(running, side, to: key)
  }

  /// Requests a further page for a load.
  private mutating func proceed(
    _ running: RunningLoad, _ side: ListSide, to key: PageKey
  ) -> [ListEffect] {
    var running = running
    (running.number, running.key, running.preview) = (nextNumber(), key, nil)
    running.isRepeat = false
    chooseWindow(for: &running, side)
    set(running, in: .side(side))
    return [.request(number: running.number, running.kind, running.key)]
  }

  /// Ends a side at a page without new rows whose content came before, since continuing would never end.
  ///
  /// The cursor proves nothing: a constant cursor is fine as long as there are new rows. Empty pages all have
  /// the same content, so for them the key must be equal too. Pages whose rows have no ids are left out before
  /// by ``PageRepeats``.
  private mutating func endIfNoProgress(
    _ page: PageMark, isNew: Bool?, of side: ListSide, isReread: Bool = false
  ) {
    if isNew == true {
      extent?.unproductivePages = []
      return
    }
    var hasher = Hasher()
    // Rows that come again after a step back may move meanwhile, and be those of another page.
    if page.isEmpty || isReread { hasher.combine(page.key) }
    hasher.combine(page.isEmpty)
    hasher.combine(page.fingerprint)
    let isRepeat = extent?.unproductivePages.insert(hasher.finalize()).inserted == false
    if isRepeat, case .page = extent?[side] {
      extent?[side] = .stopped(.noProgress(page.key))
    }
  }

  private func succeeded(_ running: RunningLoad, _ outcome: LoadOutcome) -> [ListEffect] {
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
    case .list: .replaced(change)
    case .side(.next): .appended(change)
    case .side(.previous): .prepended(change)
    case .gap: .filled(change)
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
    case .gap: false
    }
  }
}
