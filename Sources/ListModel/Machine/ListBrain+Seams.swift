internal import ItemMapping
internal import ServerAPI

/// The seam before a page that arrived: which page is requested first, by the same values as for a walk.
extension ListBrain {
  /// What follows from a page.
  enum SeamDecision {
    /// Another page is requested for the load.
    case request([ListEffect])
    /// The page joins the list, after the pages that were loaded again for rows that moved there.
    case join(LoadedPage<Item>, SeamFinding<Item>)
  }

  /// A search for rows that moved, while an earlier page is requested again.
  struct Search {
    /// The number of the request.
    let number: Int
    var moved: MovedRows<Item>
  }

  /// Decides what follows from a page that was requested for the end of the list.
  mutating func checkSeam(
    before page: LoadedPage<Item>, of number: Int, by paging: Paging?
  ) -> SeamDecision {
    switch machine.runningLoad(number)?.running.check?.purpose {
    case .window(let window): return see(page, window, of: number)
    case .verifying(let window, let ids):
      let own = page.rows.ids ?? []
      guard machine.extent?.windows.verify(window, own, in: ids) == true, !own.isEmpty,
        !hasKnownRow(page), let window = machine.extent?.window(before: page.rows.key)
      else { return joinAfterFall(page) }
      return .request(request(.request(window), for: page.rows.key, of: number))
    case .apart:
      machine.extent?.account.loseRows()
      return .join(page, SeamFinding(outcome: .open))
    case .search: return search(page, of: number, by: paging)
    case nil:
      // A row without an id that comes again can't be told from another one.
      guard machine.extent?.demand.level ?? .any >= .signs, page.rows.ids != nil,
        machine.extent?.record.lacksIDs != true
      else {
        return joinAfterFall(page)
      }
      let window = closerLook(at: page)
      guard let fall = fall(before: page), fall.unit == .rows else {
        guard let window else { return joinAfterFall(page) }
        return .request(request(.request(window), for: page.rows.key, of: number))
      }
      // A page before the first one of the list has rows that did not move.
      let most = machine.extent?.isFromStart == true ? nil : machine.extent?.record.windows
      return search(MovedRows(before: page, fall, mostPages: most ?? .max), of: number, by: paging)
    }
  }

  /// Joins a page. Rows that moved away before it are missing.
  private mutating func joinAfterFall(_ page: LoadedPage<Item>) -> SeamDecision {
    let isCounting = machine.extent?.record.isCounting ?? false
    guard let fall = fall(before: page, isCounting: isCounting) else {
      return .join(page, SeamFinding())
    }
    machine.extent?.account.lose(fall)
    return .join(page, SeamFinding(outcome: .open))
  }

  /// What a page shows of rows that moved up before it. The extent is read in place, as each page comes here.
  private func fall(before page: LoadedPage<Item>, isCounting: Bool = false) -> ReportedNumbers
    .Fall?
  {
    guard machine.extent?.record.windows ?? 0 > 0 else { return nil }
    return machine.extent?.shownAccount.fall(
      at: page.page.facts, page.rows.key, isCounting: isCounting)
  }

  // MARK: Windows

  /// Returns the window to request in place of a page that shows that the list changes, and that has no known row;
  /// `nil` if there is no reason to.
  private mutating func closerLook(at page: LoadedPage<Item>) -> PageWindow? {
    guard machine.extent?.demand.level == .signs, machine.extent?.record.windows ?? 0 > 0,
      let isChanged = machine.extent?.account.numbers.differs(from: page.page.facts),
      machine.extent?.windows.looksCloser(at: page.rows.key, isChanged: isChanged) == true,
      !hasKnownRow(page)
    else { return nil }
    return machine.extent?.window(before: page.rows.key)
  }

  private mutating func see(
    _ page: LoadedPage<Item>, _ window: PageWindow, of number: Int
  ) -> SeamDecision {
    guard let key = machine.runningLoad(number)?.running.check?.page,
      let position = machine.extent?.position, let ids = page.rows.ids
    else { return .join(page, SeamFinding()) }
    let meeting = meeting(of: [page])
    let response = SeamWindows.Response(
      key: page.rows.key, count: page.sentRows, facts: page.page.facts)
    switch machine.extent?.windows.see(response, window, meeting, before: key, position) {
    case .join, nil:
      pass(ids, meeting)
      return .join(
        page,
        SeamFinding(outcome: window.isFirst ? nil : .mended, window: window, meeting: meeting))
    case .verify:
      let check = SeamCheck(page: key, purpose: .verifying(window, ids))
      return .request(machine.request(key, check, for: number))
    case .some(let step): return .request(request(step, for: key, of: number))
    }
  }

  /// Records the rows at the end of the list that a window passed, since it has new rows where they were, and new rows
  /// before such ones.
  private mutating func pass(_ ids: [RowID], _ meeting: ConsistencyRecord.Meeting) {
    var new: [RowID] = []
    for id in ids where machine.extent?.passedRows.isEmpty == false {
      guard isKnown(id) else {
        new.append(id)
        continue
      }
      if machine.extent?.passedRows.contains(id) == true {
        machine.extent?.passedRows.formUnion(new)
      }
      new = []
    }
    guard !meeting.endsKnown, let distance = meeting.distance, distance > 0 else { return }
    for row in store.snapshot.count - distance..<store.snapshot.count {
      if let id = store.id(atRow: row) { machine.extent?.passedRows.insert(id) }
    }
  }

  /// Returns what is requested in place of a window that the server refused; `nil` if the failure has another reason.
  mutating func refused(_ number: Int, _ error: LoadError) -> [ListEffect]? {
    guard let check = machine.runningLoad(number)?.running.check,
      case .window(let window) = check.purpose, let position = machine.extent?.position,
      let step = machine.extent?.windows.refused(window, error, before: check.page, position)
    else { return nil }
    return request(step, for: check.page, of: number)
  }

  private mutating func request(
    _ step: SeamWindows.Step, for key: PageKey, of number: Int
  ) -> [ListEffect] {
    switch step {
    case .request(let window):
      let check = SeamCheck(page: key, purpose: .window(window))
      return machine.request(window.key, check, for: number)
    case .giveUp:
      return machine.request(key, SeamCheck(page: key, purpose: .apart), for: number)
    case .join, .requestPage, .verify: return machine.request(key, nil, for: number)
    }
  }

  // MARK: Rows that moved

  private mutating func search(
    _ page: LoadedPage<Item>, of number: Int, by paging: Paging?
  ) -> SeamDecision {
    guard var moved = search?.moved, search?.number == number else { return joinAfterFall(page) }
    search = nil
    let startsKnown = page.rows.ids?.first.map { isKnown($0) } ?? false
    if moved.add(page, startsKnown: startsKnown, ids: { $0.rows.ids ?? [] }) {
      return end(moved, moved.seam)
    }
    return search(moved, of: number, by: paging)
  }

  private mutating func search(
    _ moved: MovedRows<Item>, of number: Int, by paging: Paging?
  ) -> SeamDecision {
    let known =
      moved.nearest.rows.key.place.seam == .chained
      ? store.serverPage(fromEnd: moved.found.count)?.key : nil
    switch moved.next(by: paging?.strategy, known: known) {
    case .request(let key):
      let check = SeamCheck(page: moved.page.rows.key, purpose: .search)
      let effects = machine.request(key, check, for: number)
      guard let new = machine.number(after: effects) else { return end(moved, nil) }
      // The page that waits is as old as its request.
      confirmedMeanwhile[new] = confirmedMeanwhile.removeValue(forKey: number)
      search = Search(number: new, moved: moved)
      return .request(effects)
    case .end(let seam): return end(moved, seam)
    case .lost: return end(moved, nil)
    }
  }

  /// Ends a search. Without a seam the rows were not found, and what was loaded again does not join the list.
  private mutating func end(_ moved: MovedRows<Item>, _ seam: Seam?) -> SeamDecision {
    if seam != .mended { machine.extent?.account.lose(moved.fall) }
    var finding = SeamFinding<Item>(outcome: seam ?? .open)
    if seam != nil {
      finding.found = moved.found.reversed()
      finding.meeting = meeting(of: finding.found + [moved.page])
    }
    return .join(moved.page, finding)
  }

  /// Whether a request is one that shows the seam before a page.
  func isChecking(_ number: Int) -> Bool { machine.runningLoad(number)?.running.check != nil }

  /// Whether a request is one for rows that came before, so that the pages after it are not worth requesting now.
  func isLookingBack(_ number: Int) -> Bool {
    switch machine.runningLoad(number)?.running.check?.purpose {
    case nil, .apart: false
    case .window(let window): !window.isFirst
    case .verifying, .search: true
    }
  }

  /// Forgets a search whose load has ended.
  mutating func forgetEndedSearch() {
    if let number = search?.number, machine.runningLoad(number) == nil { search = nil }
  }

  // MARK: Known rows

  /// Whether the server has sent a row before.
  private func isKnown(_ id: RowID) -> Bool {
    store.contains(id) || leftOut.has(id) || store.edits.isRemoving(id)
  }

  /// The number of a row in the order of reading, which is its position unless a window has passed it.
  func readingOrder(of id: RowID, at position: Int) -> Int {
    machine.extent?.passedRows.contains(id) == true ? KnownRows.unordered : position
  }

  private func hasKnownRow(_ page: LoadedPage<Item>) -> Bool {
    for id in page.rows.ids ?? [] where isKnown(id) { return true }
    return false
  }

  /// Returns what the rows of pages share with those in the list. New rows that are in several of them count once.
  private func meeting(of pages: [LoadedPage<Item>]) -> ConsistencyRecord.Meeting {
    let count = store.snapshot.count
    var comparison = MeetingRecord(rowsBefore: count)
    var other: Set<RowID> = []
    var known = 0
    for page in pages {
      var inPage: Set<RowID> = []
      for id in page.rows.ids ?? [] {
        // A row that the program inserted or removed shows nothing of where the server's pages are.
        if machine.extent?.ownRows.contains(id) == true || store.edits.isInserting(id)
          || store.edits.isRemoving(id)
        {
          continue
        }
        guard inPage.insert(id).inserted else {
          comparison.add(count)
          continue
        }
        if let position = store.position(of: id) {
          comparison.add(readingOrder(of: id, at: position))
        } else if other.insert(id).inserted {
          comparison.addNew()
        }
      }
      known += page.rows.filteredIDs.count(where: leftOut.has)
    }
    var meeting = comparison.meeting ?? .init()
    meeting.known += known
    return meeting
  }
}

/// What was found out about the seam before a page.
struct SeamFinding<Item> {
  /// How a search for moved rows ended; `nil` if there was none.
  var outcome: Seam?
  /// The window that the page is.
  var window: PageWindow?
  /// What it shares with the list, if that is known.
  var meeting: ConsistencyRecord.Meeting?
  /// The pages before it that were loaded again, in order.
  var found: [LoadedPage<Item>] = []
}

extension LoadedPage {
  /// The number of rows that the server sent with the page.
  var sentRows: Int { rows.items.count + filtered + page.report.droppedItems }
}
