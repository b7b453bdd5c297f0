/// Collects what the exchanges of one call did, and where the time went.
struct AttemptLog: Sendable {
  private(set) var attempts: [HTTPResponse.Attempt] = []
  private var timings = HTTPResponse.Timings()

  /// Notes the end of one exchange and why another follows, if one does.
  mutating func note(
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

  /// Notes time in which the call was held back.
  mutating func noteWait(_ wait: Duration) { timings.queue += wait }

  /// Gives a response the log of the whole call.
  func complete(_ response: inout HTTPResponse) {
    response.attempts = attempts
    response.timings = timings
  }

  /// The error with the log of the whole call.
  func completing(_ error: RequestError, request: HTTPRequest) -> RequestError {
    var error = error
    error.request = request.summary
    error.attempts = attempts
    error.timings = timings
    return error
  }
}

extension HTTPRequest {
  /// `GET https://host/path`, secrets masked.
  var summary: String { "\(method) \(Redaction.usual.url(url))" }
}
