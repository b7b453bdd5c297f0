internal import Support

/// What a server learns while it is used. Its copies share it.
final class ServerMemory: Sendable {
  /// Guards the pauses of hosts and the budget of retries.
  private let hosts = Lock((pacer: HostPacer(), budget: RetryBudget()))
  /// Guards the cookies.
  private let jar = Lock(CookieJar())

  func noteCall() { hosts.withLock { $0.budget.noteCall() } }

  func takeRetry(now: Duration) -> Bool { hosts.withLock { $0.budget.takeRetry(now: now) } }

  func wait(for url: WebURL, now: Duration) -> Duration {
    hosts.withLock { $0.pacer.wait(for: url, now: now) }
  }

  func pause(_ url: WebURL, for wait: Duration, now: Duration) {
    hosts.withLock { $0.pacer.pause(url.origin, for: wait, now: now) }
  }

  func cookieField(for url: WebURL, now: Double) -> String? {
    jar.withLock { $0.field(for: url, now: now) }
  }

  func storeCookies(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    jar.withLock { $0.store(headers, from: url, now: now) }
  }

  var cookieRevision: Int { jar.withLock { $0.revision } }
}
