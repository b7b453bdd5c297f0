internal import ServerAPI

/// Tells a handler of progress, not more often than every tenth of a second.
struct SessionProgress {
  private let handler: HTTPRequest.ProgressHandler?
  private var progress: HTTPRequest.Progress
  private var lastTold: Duration?

  init(_ request: HTTPRequest) {
    handler = request.progress
    progress = HTTPRequest.Progress(toSend: request.body?.length ?? 0)
  }

  mutating func sent(_ count: Int, at now: Duration) {
    progress.sent = max(progress.sent, count)
    tell(at: now)
  }

  mutating func received(_ count: Int, of announced: Int?, at now: Duration) {
    progress.sent = progress.toSend ?? progress.sent
    progress.received += count
    progress.toReceive = announced
    tell(at: now)
  }

  mutating func finish(of announced: Int?) {
    progress.sent = progress.toSend ?? progress.sent
    progress.toReceive = announced
    handler?(progress)
  }

  private mutating func tell(at now: Duration) {
    if let lastTold, now - lastTold < .milliseconds(100) { return }
    lastTold = now
    handler?(progress)
  }
}
