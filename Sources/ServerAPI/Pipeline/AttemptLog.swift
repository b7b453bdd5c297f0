/// Collects the exchanges of one call and their timings.
struct AttemptLog: Sendable {
  private(set) var attempts: [HTTPResponse.Attempt] = []
  private var timings = HTTPResponse.Timings()

  /// Records the end of an exchange, and why another one follows, if any.
  mutating func record(
    _ outcome: HTTPResponse.Attempt.Outcome, of request: HTTPRequest,
    timings exchange: HTTPResponse.Timings,
    followedBy: String? = nil, delay: Duration = .zero, cache: String? = nil
  ) {
    attempts.append(
      HTTPResponse.Attempt(
        address: Redaction.usual.url(request.url), outcome: outcome, followedBy: followedBy,
        delay: delay, cache: cache, timings: exchange))
    let waited = timings
    timings = exchange
    timings.queue += waited.queue
    timings.dns += waited.dns
    timings.connect += waited.connect
    timings.tls += waited.tls
    timings.send += waited.send
    timings.wait += waited.wait
    timings.receive += waited.receive
  }

  /// Adds time in which the call had to wait.
  mutating func addWait(_ wait: Duration) { timings.queue += wait }

  /// Adds the log of the whole call to a response.
  func complete(_ response: inout HTTPResponse) {
    response.attempts = attempts
    response.timings = timings
  }

  /// Returns the error with the log of the whole call.
  func completing(_ error: RequestError, request: HTTPRequest) -> RequestError {
    var error = error
    error.request = request.summary
    error.attempts = attempts
    error.timings = timings
    return error
  }
}

extension HTTPRequest {
  /// `GET https://host/path`, with secrets masked.
  var summary: String { "\(method) \(Redaction.usual.url(url))" }
}
