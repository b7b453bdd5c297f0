internal import ServerAPI

/// Reports progress to a handler, at most ten times per second.
struct SessionProgress {
  private let handler: (@Sendable (HTTPRequest.Progress) -> Void)?
  private var progress: HTTPRequest.Progress
  private var lastReport: Duration?

  init(_ request: HTTPRequest) {
    handler = request.progress
    progress = HTTPRequest.Progress(toSend: request.body?.length ?? 0)
  }

  mutating func sent(_ count: Int, at now: Duration) {
    progress.sent = max(progress.sent, count)
    report(at: now)
  }

  mutating func received(_ count: Int, of announced: Int?, at now: Duration) {
    progress.sent = progress.toSend ?? progress.sent
    progress.received += count
    progress.toReceive = announced
    report(at: now)
  }

  mutating func finish(of announced: Int?) {
    progress.sent = progress.toSend ?? progress.sent
    progress.toReceive = announced
    handler?(progress)
  }

  private mutating func report(at now: Duration) {
    if let lastReport, now - lastReport < .milliseconds(100) { return }
    lastReport = now
    handler?(progress)
  }
}
