/// Decides what one event means for a request object.
///
/// Each start has a number, its generation. What ends in an older generation changes nothing, however
/// late it comes; a result among it is counted. The machine has no clock, no task and no network: it
/// takes an event and returns what its owner has to do.
struct RequestMachine: Hashable {
  enum Event: Hashable {
    /// An exchange begins, if need be after another was given up.
    case start
    /// Somebody wants it to end.
    case cancel
    /// The exchange of that generation is over.
    case end(generation: Int, Ending)
  }

  enum Ending: Hashable {
    case succeeded
    case failed
    case cancelled
  }

  enum Action: Hashable {
    /// Give the running exchange up and tell who started it why.
    case giveUp(RequestError.CancelReason)
    /// Tell who started it how it ended.
    case deliver
  }

  private(set) var state = BaseServerAPI.State.idle
  /// The number of the latest start; `0` before the first.
  private(set) var generation = 0
  /// Results that came too late to count.
  private(set) var discardedResults = 0

  mutating func handle(_ event: Event) -> Action? {
    switch event {
    case .start:
      let isRunning = state == .loading
      generation += 1
      state = .loading
      return isRunning ? .giveUp(.superseded) : nil
    case .cancel:
      guard state == .loading else { return nil }
      state = .cancelled
      return .giveUp(.byCaller)
    case .end(let ended, let ending) where isRunning(ended):
      switch ending {
      case .succeeded: state = .succeeded
      case .failed: state = .failed
      case .cancelled: state = .cancelled
      }
      return .deliver
    case .end(_, let ending):
      // The end of what was given up is expected; only a result that came all the same counts.
      if ending != .cancelled { discardedResults += 1 }
      return nil
    }
  }

  /// Whether that generation is the one under way.
  func isRunning(_ generation: Int) -> Bool {
    state == .loading && generation == self.generation
  }
}
