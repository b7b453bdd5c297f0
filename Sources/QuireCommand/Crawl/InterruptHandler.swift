internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Cancels the crawl on the first interrupt, and ends the process on the second one.
final class InterruptHandler: Sendable {
  private let queue = DispatchQueue(label: "quire.interrupts")
  // Safe: only `init` and `end` use it, and no handler does.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []
  // Safe: only accessed on the queue.
  nonisolated(unsafe) private var missing = 2
  nonisolated(unsafe) private var waiter: CheckedContinuation<Void, Never>?
  nonisolated(unsafe) private var isInterrupted = false
  nonisolated(unsafe) private var crawl: Task<CrawlStatus, Never>?

  /// Begins to handle interrupts. Until ``begin()`` has returned, one may still end the process.
  init() {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // The handler lives until `end`.
      source.setEventHandler { self.interrupt() }
      source.setRegistrationHandler {
        #if canImport(Darwin)
          // Dispatch only observes the signal there.
          signal(number, SIG_IGN)
        #endif
        self.missing -= 1
        if self.missing == 0 { self.waiter?.resume() }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Returns once no interrupt can be missed. That takes as long as a request, so a crawl waits only before it writes.
  /// Must be called at most once.
  func begin() async {
    await withCheckedContinuation { continuation in
      queue.async {
        if self.missing == 0 { continuation.resume() } else { self.waiter = continuation }
      }
    }
  }

  private func interrupt() {
    if isInterrupted { _exit(CrawlStatus.interrupted.rawValue) }
    isInterrupted = true
    crawl?.cancel()
  }

  /// Cancels the task on the first interrupt; at once if there was one already.
  func cancelOnInterrupt(_ crawl: Task<CrawlStatus, Never>) {
    queue.sync {
      self.crawl = crawl
      if isInterrupted { crawl.cancel() }
    }
  }

  func end() { for source in sources { source.cancel() } }
}
