extension BaseServerAPI {
  /// How one start of a ``BaseServerAPI`` ended; each start has exactly one.
  public enum Outcome: Sendable {
    /// The answer came and is what was asked for.
    case succeeded(HTTPResponse)
    /// No answer came, or none that can be used.
    case failed(RequestError)
    /// It was ended on purpose; that is no failure.
    case cancelled(RequestError.CancelReason)
  }
}

extension BaseServerAPI.Outcome {
  /// Reads a result, and notes how long it waited to be told.
  init(_ result: Result<HTTPResponse, RequestError>, deliver: Duration) {
    switch result {
    case .success(var response):
      response.timings.noteDelivery(deliver)
      self = .succeeded(response)
    case .failure(var error):
      if case .cancelled(let reason) = error.kind {
        self = .cancelled(reason)
      } else {
        error.timings.noteDelivery(deliver)
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
  fileprivate mutating func noteDelivery(_ time: Duration) {
    deliver = time
    total += time
  }
}

extension BaseServerAPI {
  /// Where a ``BaseServerAPI`` stands.
  public enum State: Hashable, Sendable, CaseIterable {
    /// Never started.
    case idle
    /// Under way.
    case loading
    /// The last start brought an answer.
    case succeeded
    /// The last start ended with an error.
    case failed
    /// The last start was ended on purpose.
    case cancelled
  }
}
