internal import Quire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ListOptions {
  /// Returns a client for the server of the list. Sends no request.
  ///
  /// - Parameters:
  ///   - parallel: The number of pages that are requested at once.
  ///   - monitors: The monitors to notify of each step.
  ///   - memory: The memory that responses share until their rows are released.
  func server(
    parallel: Int = 1, monitors: [any EventMonitor] = [], sharing memory: MemoryBudget? = nil
  ) -> Server {
    connection.server(origin, parallel: parallel) {
      $0.timeouts = HTTPRequest.Timeouts(
        connect: min(.seconds(10), timeout), idle: min(.seconds(30), timeout), total: timeout)
      $0.pace = rate.map { RequestPace(perSecond: $0.perSecond) }
      $0.retry.attempts = retries + 1
      // A longer timeout also allows the server to ask for a longer wait.
      $0.retry.maximumRetryAfter = wait ?? max($0.retry.maximumRetryAfter, timeout)
      $0.retry.retriesPerSecond = retryRate ?? $0.retry.retriesPerSecond
      // A whole list in one response can be long. The memory is what counts.
      $0.limits.wireBytes = self.memory
      $0.limits.decodedBytes = self.memory
      $0.memory = memory
      $0.authentication = authentication
      $0.monitors = monitors
      if let folder = cacheFolder {
        $0.cache = .disk(at: URL(filePath: folder))
      }
      if isOffline { $0.cacheMode = .cacheOnly }
    }
  }
}

extension Server {
  /// Returns the thread of the transport, if no pages are in flight while others are written: rows are formatted and
  /// written where they were received then, and no page wakes another thread.
  func executor(parallel: Int) -> (any TaskExecutor)? {
    #if LIBCURL
      parallel == 1 ? (transport as? CurlTransport)?.executor : nil
    #else
      nil
    #endif
  }

  /// Opens the cache, so that an unusable folder fails the command before it sends a request.
  func openCache() async throws(UsageError) {
    do throws(CacheProblem) { try await cache?.store.prepare() } catch {
      throw UsageError("--cache \(error.text)")
    }
  }
}

/// A limit on the number of requests per time.
struct RequestRate: Hashable, Sendable {
  let perSecond: Double

  /// Parses `5`, `5/s`, `100/min` or `1000/h`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let units = ["s": 1.0, "sec": 1, "m": 60, "min": 60, "h": 3600]
    guard let count = Double(parts[0]), count > 0, count <= 1e6, parts.count <= 2,
      let unit = units[parts.count == 2 ? String(parts[1]) : "s"]
    else {
      throw UsageError(
        "--rate must be a number of requests per s, min or h, as in 5/s, found “\(text)”")
    }
    perSecond = count / unit
  }
}
