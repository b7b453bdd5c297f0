internal import ListReading
internal import ServerAPI

/// The loads of gaps.
extension PageMachine {
  /// The gaps, in order.
  var gaps: [PageID] { extent?.gaps.keys.sorted() ?? [] }

  /// Requests a page of a gap next to the rows at one side, or at the other one where that is impossible.
  ///
  /// - Parameter loads: The loads that wait for the page; none if the list loads it by itself.
  mutating func fill(_ gap: PageID, from side: ListGap.Side, _ loads: [Int]) -> [ListEffect] {
    guard case .extending(var work) = work, var reading = extent?.gaps[gap],
      let side = reading.side(preferring: side), var key = reading.key(side)
    else { return notNeeded(loads) }
    if side == .above, let upper = extent?.gap(before: gap, where: key) { return fill(upper, from: side, loads) }
    if work.middle[gap] != nil {
      work.middle[gap]?.join(loads)
      self.work = .extending(work)
      return []
    }
    if loads.isEmpty {
      guard reading.ownPages < search.gapPages, !reading.isHeldOpen, failure(of: .middle(gap)) == nil else { return [] }
      reading.ownPages += 1
    }
    if side == .above { key = reading.above.start(key) }
    extent?.gaps[gap] = reading
    return begin(.middle(gap), .gap(gap), key, loads, fills: side)
  }

  /// Continues a load of a gap from above, since its page is not next to the rows below. Returns the page to request.
  mutating func turnAround(_ number: Int, in gap: PageID) -> PageKey? {
    guard case (let slot, var running)? = runningLoad(number), var reading = extent?.gaps[gap],
      let next = reading.key(.above)
    else { return nil }
    running.side = .above
    set(running, in: slot)
    reading.below = .unknown
    let key = reading.above.start(next)
    extent?.gaps[gap] = reading
    return key
  }

  /// Handles a first page that has no row of the list, after the owner has inserted it before all others.
  ///
  /// - Parameters:
  ///   - gap: The gap between its rows and the others.
  ///   - rows: The number of its rows.
  mutating func opened(
    _ gap: PageID, _ number: Int, _ page: ReadPage, rows: Int, _ change: ListChange, all: ReceivedRows
  ) -> [ListEffect] {
    guard let rebuild, rebuild.running.number == number else { return [] }
    let above = reading(from: page, rows: rows)
    extent?.open(gap, below: above, page, all)
    extent?.deep = nil
    set(nil, in: .list)
    return succeeded(rebuild.running, .replaced(change)) + resume(after: rebuild)
  }

  /// Changes how a gap is read.
  mutating func update(_ gap: PageID, _ body: (inout GapReading) -> Void) {
    guard var reading = extent?.gaps[gap] else { return }
    body(&reading)
    extent?.gaps[gap] = reading
  }

  /// Replaces the reading of the rows below a gap.
  mutating func set(_ reading: Reading, below gap: PageID) { extent?[below: gap] = reading }

  /// Handles a first page that replaces all rows above the first gap.
  mutating func restartTop(at page: ReadPage, rows: Int) {
    guard let gap = extent?.gaps.keys.min() else { return }
    let above = reading(from: page, rows: rows)
    extent?.gaps[gap]?.above = above
  }

  /// A reading that begins with the first page, and looks at each seam where the paging can show it.
  private func reading(from page: ReadPage, rows: Int) -> Reading {
    let level = demand.level < .signs ? demand.level : max(demand.level, .seams)
    var reading = Reading(level, first: first, at: page.facts.next, looksForRows: false)
    reading.loops = LoopDetector(limit: search.pages)
    reading.keepGivenUpOverlaps(of: extent?.reading)
    if extent?.reading.isCounting == true { reading.noteCounting() }
    let added = Reading.Added(
      shared: SharedRows(), rows: ReceivedRows(count: rows), isNew: true, isNewToProgram: true)
    _ = reading.join(Reading.Joining(page: page), added)
    return reading
  }

  /// Ends the list with the rows above a gap, since the server has no others.
  mutating func endList(above gap: PageID) -> [ListEffect] {
    guard let above = extent?.gaps[gap]?.above, case .extending(let work) = work else { return [] }
    let others = work.inOrder.filter { $0.slot != .side(.previous) && $0.slot != .middle(gap) }
    for other in others { set(nil, in: other.slot) }
    extent?.end(with: above)
    return others.flatMap { end($0.running, because: .superseded) }
  }

  /// Handles a page of a gap after the owner has inserted it.
  ///
  /// - Parameters:
  ///   - number: The number of its request.
  ///   - change: Its effect on the rows.
  ///   - isClosed: Whether the gap is closed.
  mutating func filled(_ number: Int, _ change: ListChange, isClosed: Bool) -> [ListEffect] {
    guard case (let slot, let running)? = runningLoad(number) else { return [] }
    set(nil, in: slot)
    var effects: [ListEffect] = [.notify(.didSucceed(running.kind))]
    // A list that had ended may be complete now.
    if isClosed, extent?.gaps.isEmpty == true, let end = extent?.end(of: .next) {
      effects.append(.notify(.didReachEnd(end)))
    }
    effects.append(.notify(.didFinish(running.kind)))
    return effects + finish(running, .filled(change))
  }
}

extension PageMachine.Extent {
  /// The reading that goes on after the rows below a gap.
  subscript(below gap: PageID) -> Reading {
    get { next(after: gap).flatMap { gaps[$0]?.above } ?? reading }
    set {
      if let next = next(after: gap) { gaps[next]?.above = newValue } else { reading = newValue }
    }
  }

  private func next(after gap: PageID) -> PageID? { gaps.keys.filter { $0 > gap }.min() }

  /// Puts a gap before all rows.
  mutating func open(_ gap: PageID, below above: Reading, _ page: ReadPage, _ rows: ReceivedRows) {
    gaps[gap] = GapReading(above: above, below: previous.key.map { .page($0) } ?? .unknown)
    previous = page.facts.previous
    reading.account.rejoinStart(page.facts)
    reading.account.rows = rows
  }

  /// Joins the rows above and below a gap.
  ///
  /// - Parameters:
  ///   - joined: The rows up to the next gap, or all.
  ///   - rows: All rows that the server has sent.
  mutating func close(
    _ gap: PageID, at page: ReadPage, hasMoves: Bool, joined: ReceivedRows, _ rows: ReceivedRows
  ) {
    guard let closed = gaps[gap] else { return }
    self[below: gap].rejoin(below: closed.above, at: page, hasMoves: hasMoves, joined)
    gaps[gap] = nil
    reading.account.rejoinStart(page.facts)
    reading.account.rows = rows
  }

  /// Continues with another reading of the whole list.
  mutating func end(with reading: Reading) {
    (self.reading, gaps) = (reading, [:])
    stored[.next] = nil
    haltedAfter[.next] = nil
    lastKeys[.next] = nil
  }

  /// Records the first page, which was read again and laid over the rows at the start.
  mutating func rejoinStart(
    _ page: ReadPage, hasMoves: Bool, _ rows: ReceivedRows, rowsAboveGap: Int?
  ) {
    reading.skipLook()
    reading.rejoinStart(page, hasMoves: hasMoves, rows)
    guard let gap = gaps.keys.min(), let rowsAboveGap, var above = gaps[gap]?.above else { return }
    above.skipLook()
    above.rejoinStart(page, hasMoves: hasMoves, ReceivedRows(count: rowsAboveGap))
    gaps[gap]?.above = above
  }

  /// Moves the next pages of the rows above gaps, where pages are counted: numbered ones only back.
  ///
  /// - Parameter upper: The gap above them whose rows have moved them; `nil` if those at the start have.
  mutating func moveGaps(by rows: Int, below upper: PageID? = nil) {
    for (gap, reading) in gaps where rows != 0 && upper.map({ gap > $0 }) ?? true {
      guard case .page(let key) = reading.above.link else { continue }
      let pages = reading.above.pageSize.map { rows < 0 ? (rows - $0 + 1) / $0 : 0 }
      if let moved = key.moved(by: rows) ?? pages.flatMap({ key.moved(byPages: $0) }) {
        gaps[gap]?.above.link = .page(moved)
      }
    }
  }

  /// The gap that is loaded before the page after the last row, since the place of that page counts the missing rows.
  var gapBeforeNext: PageID? {
    guard case .page(let key) = reading.link, !gaps.isEmpty else { return nil }
    return gap(before: nil, where: key)
  }

  /// The first gap above another one, or of all, that can be loaded; `nil` if a page is not requested by a place that
  /// counts its rows, or may do so.
  func gap(before gap: PageID?, where key: PageKey) -> PageID? {
    guard key.mayCount || reading.isCounting else { return nil }
    return gaps.filter { upper, reading in
      gap.map { upper < $0 } ?? true && reading.key(.above) != nil
    }.keys.min()
  }
}

extension PageKey {
  /// Whether its place counts rows or pages, or may do so.
  var mayCount: Bool { if case .after = place { false } else { true } }
}
