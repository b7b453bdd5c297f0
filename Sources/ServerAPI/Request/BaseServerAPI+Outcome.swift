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
