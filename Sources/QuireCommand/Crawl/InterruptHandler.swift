internal import Dispatch
internal import Support

/// Cancels the crawl on the first interrupt, and ends the process on the second one.
final class InterruptHandler: Sendable {
  private struct State {
    /// The number of signals that are not handled yet.
    var missing = 2
    var waiter: CheckedContinuation<Void, Never>?
    var isInterrupted = false
    var crawl: Task<CrawlStatus, Never>?
  }

  private let state = Lock(State())

  /// Begins to handle interrupts, until the process ends. Until ``begin()`` has returned, one may still end it.
  init() {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "quire.interrupts")
    for number in [SIGINT, SIGTERM] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // The handler keeps its source alive.
      source.setEventHandler { withExtendedLifetime(source) { self.interrupt() } }
      source.setRegistrationHandler {
        #if canImport(Darwin)
          // Dispatch only observes the signal there.
          signal(number, SIG_IGN)
        #endif
        self.handlesOneMore()
      }
      source.resume()
    }
  }

  private func handlesOneMore() {
    let waiter = state.withLock { state in
      state.missing -= 1
      return state.missing == 0 ? state.waiter : nil
    }
    waiter?.resume()
  }

  /// Returns once no interrupt can be missed. That takes as long as a request, so a crawl waits only before it writes.
  /// Must be called at most once.
  func begin() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.missing > 0 { state.waiter = continuation }
        return state.missing == 0
      }
      if isReady { continuation.resume() }
    }
  }

  private func interrupt() {
    state.withLock { state in
      if state.isInterrupted { _exit(CrawlStatus.interrupted.rawValue) }
      state.isInterrupted = true
      return state.crawl
    }?.cancel()
  }

  /// Cancels the task on the first interrupt; at once if there was one already.
  func cancelOnInterrupt(_ crawl: Task<CrawlStatus, Never>) {
    let isInterrupted = state.withLock { state in
      state.crawl = crawl
      return state.isInterrupted
    }
    if isInterrupted { crawl.cancel() }
  }
}
