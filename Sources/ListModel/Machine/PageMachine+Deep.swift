internal import ListReading
internal import ServerAPI

/// Deep refreshes: all loaded pages are read again, one after the other, while the list is used.
extension PageMachine {
  /// Reads the loaded pages again, from where the last deep refresh has stopped.
  ///
  /// - Parameter looks: The visible pages.
  mutating func refreshDeep(_ loads: [Int], _ looks: [DeepReading.Look] = []) -> [ListEffect] {
    switch work {
    case .rebuilding(var rebuild):
      rebuild.deep += loads
      work = .rebuilding(rebuild)
      return []
    case .extending(var work):
      guard let extent else { return loads.flatMap { request(.first, load: $0) } }
      if work.deep != nil {
        work.deep?.join(loads)
        self.work = .extending(work)
        return []
      }
      var deep = extent.deep ?? DeepReading(reading(of: extent))
      guard let key = deep.rewind() else { return notNeeded(loads) }
      if deep.page == nil { deep.looks = looks }
      self.extent?.deep = deep
      return begin(.deep, .deep, deep.looks.first?.key ?? key, loads)
    }
  }

  /// A reading of the list from its start.
  private func reading(of extent: Extent) -> Reading {
    var reading = Reading(demand.level, first: first, at: .page(first))
    reading.loops = LoopDetector(limit: search.pages)
    reading.keepGivenUpOverlaps(of: extent.reading)
    if extent.reading.isCounting { reading.noteCounting() }
    return reading
  }

  /// Goes on after a visible page was read again.
  mutating func endLook(_ number: Int) -> [ListEffect] {
    guard let key = extent?.deep?.endLook() else { return [] }
    return request(key, for: number)?.effects ?? []
  }

  /// Returns what is requested in place of a page that the server refused; `nil` if that can't be replaced.
  mutating func refusedDeep(_ error: LoadError) -> PageKey? {
    guard let deep = extent?.deep, !deep.looks.isEmpty else { return extent?.deep?.ahead.refused(error) }
    return error.isRefusal ? extent?.deep?.endLook() : nil
  }

  /// Requests the next page of a deep refresh.
  mutating func proceedDeep(_ number: Int) -> [ListEffect] {
    guard let key = extent?.deep?.goOn() else { return [] }
    return request(key, for: number)?.effects ?? []
  }

  /// Reads again what was not laid over the rows, once no edits are pending.
  ///
  /// - Parameters:
  ///   - isPaused: Whether edits are pending.
  ///   - isLost: Whether the place is no longer known where the refresh goes on.
  mutating func repeatDeep(_ number: Int, isPaused: Bool, isLost: Bool = false) -> [ListEffect] {
    guard case (let slot, var running)? = runningLoad(number), let extent else { return [] }
    var deep = isLost ? nil : extent.deep
    deep = deep ?? DeepReading(reading(of: extent))
    guard let key = deep?.rewind() else { return [] }
    self.extent?.deep = deep
    (running.number, running.key, running.isPaused) = (nextNumber(), key, isPaused)
    set(running, in: slot)
    return isPaused ? [] : [.request(number: running.number, running.kind, key)]
  }

  /// Goes on with a deep refresh that has waited for edits.
  mutating func resumeDeep() -> [ListEffect] {
    guard case .extending(let work) = work, let deep = work.deep, deep.isPaused else { return [] }
    return repeatDeep(deep.number, isPaused: false)
  }

  /// Refreshes the list in another way, since its pages can't be laid over the rows.
  mutating func replaceDeep(_ number: Int) -> [ListEffect] {
    guard case (let slot, let running)? = runningLoad(number) else { return [] }
    set(nil, in: slot)
    extent?.deep = nil
    return [.notify(.didCancel(.deep, .superseded)), .notify(.didFinish(.deep))]
      + rebuild(.refresh, first, running.loads, splices: true)
  }

  /// Ends a deep refresh.
  ///
  /// - Parameters:
  ///   - change: The change by its last page.
  ///   - page: That page.
  ///   - rows: All rows that the server has sent; `nil` if rows are left that were not read again.
  mutating func endDeep(
    _ number: Int, _ change: ListChange, at page: ReadPage, _ rows: ReceivedRows?
  ) -> [ListEffect] {
    guard case (let slot, let running)? = runningLoad(number), let deep = extent?.deep else { return [] }
    set(nil, in: slot)
    extent?.deep = nil
    var others: [ListEffect] = []
    if let rows, let gap = extent?.gaps.keys.min() {
      if deep.isCertain { extent?.readAgain(above: gap, by: deep.above) }
      extent?.reading.account.rows = rows
    } else if let rows {
      if deep.isCertain {
        extent?.end(with: deep.above)
        extent?.passedRows = []
        extent?.reading.account.rows = rows
      } else {
        // Rows that follow those of before have joined by what this reading has seen.
        extent?.reading.rejoin(below: deep.above, at: page, hasMoves: false, rows)
        extent?[.next] = deep.above.link
      }
      others = redirectNext()
    }
    return others + succeeded(running, .replaced(change))
  }

  /// Lets a running load of the next page go on after the rows that are there now.
  private mutating func redirectNext() -> [ListEffect] {
    guard case .extending(let work) = work, let running = work.sides[.next], let extent else { return [] }
    let abandoned = ListEffect.abandon(number: running.number)
    if case .page(let key) = extent[.next] { return [abandoned] + proceed(running, .next, to: key) }
    set(nil, in: .side(.next))
    guard let end = extent.end(of: .next) else { return end(running, because: .superseded) }
    return [abandoned, .notify(.didReachEnd(end)), .notify(.didFinish(.next))] + finish(running, .reachedEnd(end))
  }
}

extension PageMachine.Extent {
  /// Continues above a gap with another reading of the rows there.
  fileprivate mutating func readAgain(above gap: PageID, by reading: Reading) {
    gaps[gap]?.above = reading
    gaps[gap]?.isAdjacent = true
    gaps[gap]?.ownPages = 0
  }
}
