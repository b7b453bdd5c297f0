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

extension BaseServerAPI {
  /// The outcome of a start of a ``BaseServerAPI``; each start has exactly one.
  public enum Outcome: Sendable {
    /// There is a valid response.
    case succeeded(HTTPResponse)
    /// There is no usable response.
    case failed(RequestError)
    /// The start was cancelled, which is not a failure.
    case cancelled(RequestError.CancelReason)
  }
}

extension BaseServerAPI.Outcome {
  /// Creates an outcome from a result, and records how long its delivery took.
  init(_ result: Result<HTTPResponse, RequestError>, deliver: Duration) {
    switch result {
    case .success(var response):
      response.timings.addDelivery(deliver)
      self = .succeeded(response)
    case .failure(var error):
      if case .cancelled(let reason) = error.kind {
        self = .cancelled(reason)
      } else {
        error.timings.addDelivery(deliver)
        self = .failed(error)
      }
    }
  }

  var ending: RequestMachine.Ending {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}

extension HTTPResponse.Timings {
  fileprivate mutating func addDelivery(_ time: Duration) {
    deliver = time
    total += time
  }
}

extension BaseServerAPI {
  /// The state of a ``BaseServerAPI``.
  public enum State: Hashable, Sendable, CaseIterable {
    /// Never started.
    case idle
    /// In flight.
    case loading
    /// The last start ended with a response.
    case succeeded
    /// The last start ended with an error.
    case failed
    /// The last start was cancelled.
    case cancelled
  }
}
