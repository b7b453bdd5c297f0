/// The state machine of a request object.
///
/// Each start has a number, its generation. The end of an older generation changes nothing, however late it
/// arrives; its result, if any, is counted. The machine has no clock, no task and no network: it handles an
/// event and returns the action for its owner.
struct RequestMachine: Hashable {
  enum Event: Hashable {
    /// The owner starts, superseding a running exchange.
    case start
    /// The owner cancels.
    case cancel
    /// The exchange of a generation has ended.
    case end(generation: Int, Ending)
  }

  enum Ending: Hashable {
    case succeeded
    case failed
    case cancelled
  }

  enum Action: Hashable {
    /// Cancel the running exchange and complete its start with the reason.
    case cancel(RequestError.CancelReason)
    /// Complete the start with its outcome.
    case deliver
  }

  private(set) var state = BaseServerAPI.State.idle
  /// The number of the latest start; `0` before the first.
  private(set) var generation = 0
  /// The number of results that arrived too late.
  private(set) var discardedResults = 0

  mutating func handle(_ event: Event) -> Action? {
    switch event {
    case .start:
      let isRunning = state == .loading
      generation += 1
      state = .loading
      return isRunning ? .cancel(.superseded) : nil
    case .cancel:
      guard state == .loading else { return nil }
      state = .cancelled
      return .cancel(.byCaller)
    case .end(let ended, let ending) where isRunning(ended):
      switch ending {
      case .succeeded: state = .succeeded
      case .failed: state = .failed
      case .cancelled: state = .cancelled
      }
      return .deliver
    case .end(_, let ending):
      // A cancelled exchange is expected to end; only an actual result is counted.
      if ending != .cancelled { discardedResults += 1 }
      return nil
    }
  }

  /// Whether the generation is the running one.
  func isRunning(_ generation: Int) -> Bool {
    state == .loading && generation == self.generation
  }
}
