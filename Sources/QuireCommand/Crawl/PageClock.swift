internal import Quire

/// The time that a page takes to parse, filter and format, which `--timeout` bounds as it bounds the request. The time
/// in which the output is blocked doesn't count.
struct PageClock {
  private let limit: Duration
  private let time: TimeSource
  private var page = 0
  private var used = Duration.zero
  private var start: Duration?

  init(_ limit: Duration, _ time: TimeSource = .system) { (self.limit, self.time) = (limit, time) }

  /// Starts with a page, which took some time to parse. Throws if the time is up.
  mutating func begin(_ page: Int, after work: Duration) throws(EarlyExit) {
    (self.page, used, start) = (page, work, nil)
    try check()
  }

  /// Begins to count.
  mutating func resume() { start = time.now() }

  /// Stops counting. Throws if the time is up.
  mutating func pause() throws(EarlyExit) {
    if let start { used += time.now() - start }
    start = nil
    try check()
  }

  /// Throws if the time is up.
  func check() throws(EarlyExit) {
    let running = start.map { time.now() - $0 } ?? .zero
    guard used + running > limit else { return }
    throw EarlyExit(
      .failed,
      "page \(page) took longer than \(limit / .seconds(1)) s to parse, filter and format; raise --timeout,"
        + " or request smaller pages, as in --size 100")
  }
}
