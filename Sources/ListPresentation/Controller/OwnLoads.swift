internal import ListModel
internal import ListReading

/// The states of loads that the program carries out itself, where they add to those of the list. A plain
/// value.
struct OwnLoads {
  /// A load of further rows.
  private enum Next {
    case idle
    case running
    case failed(LoadError)
    /// There are no further rows.
    case ended
  }

  private enum Refresh {
    case idle
    case running
    case failed(LoadError)
  }

  private var next = Next.idle
  private var refresh = Refresh.idle
  /// Whether a refresh of the program succeeded.
  private var hasLoaded = false
  /// The number of the last load of further rows, so that one that was superseded ends nothing.
  private var lastNext = 0

  /// Returns the state of the list with these loads.
  func added(to facts: ListFacts) -> ListFacts {
    var facts = facts
    if hasLoaded, facts.isLocal { facts.hasLoaded = true }
    if facts.isLocal { facts.endedEmpty = facts.hasLoaded && facts.shownRows == 0 }
    switch (refresh, facts.refreshState) {
    case (_, .loading), (_, .failed), (.idle, _): break
    case (.running, _): facts.refreshState = .loading
    case (.failed(let error), _): facts.refreshState = .failed(error)
    }
    switch (next, facts.nextState) {
    case (_, .loading), (.idle, _): break
    case (.running, _): facts.nextState = .loading
    case (.failed(let error), _): facts.nextState = .failed(error)
    case (.ended, _): facts.nextState = .reachedEnd(.complete)
    }
    return facts
  }

  // MARK: - Refreshing

  /// Starts a refresh, by the program or by the list. It supersedes a load of further rows.
  mutating func beganRefresh(byProgram: Bool) {
    refresh = byProgram ? .running : .idle
    if case .running = next { next = .idle }
  }

  /// Ends a refresh that the program carried out.
  mutating func endedRefresh(_ outcome: LoadToken.Outcome, hasMore: Bool) {
    switch outcome {
    case .succeeded:
      (refresh, hasLoaded) = (.idle, true)
      next = hasMore ? .idle : .ended
    case .failed(let error): refresh = .failed(error)
    case .cancelled: refresh = .idle
    }
  }

  /// Handles a refresh that the list has carried out, which knows whether there are more rows.
  mutating func listRefreshed() {
    if case .failed = refresh { refresh = .idle }
    next = .idle
  }

  /// Forgets loads of the list before a reset. A refresh of the program goes on.
  mutating func reset() {
    hasLoaded = false
    next = .idle
    if case .failed = refresh { refresh = .idle }
  }

  /// Drops all loads, because the rows of the program were reset.
  mutating func drop() { (hasLoaded, next, refresh) = (false, .idle, .idle) }

  // MARK: - Further rows

  /// Starts a load of further rows, and returns its number; `nil` if one runs already.
  mutating func beginNext() -> Int? {
    if case .running = next { return nil }
    lastNext += 1
    next = .running
    return lastNext
  }

  /// Whether the load with this number still runs.
  func isNextRunning(_ number: Int) -> Bool {
    guard case .running = next else { return false }
    return number == lastNext
  }

  /// Ends a load of further rows.
  mutating func endedNext(_ number: Int, _ outcome: LoadToken.Outcome, hasMore: Bool) {
    guard isNextRunning(number) else { return }
    switch outcome {
    case .succeeded: next = hasMore ? .idle : .ended
    case .failed(let error): next = .failed(error)
    case .cancelled: next = .idle
    }
  }
}
