internal import Quire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ListOptions {
  private static let largestPage = 512 << 20

  /// Returns a client for the server of the list. Sends no request.
  ///
  /// - Parameters:
  ///   - parallel: The number of pages that are requested at once.
  ///   - monitors: The monitors to notify of each step.
  func server(parallel: Int = 1, monitors: [any EventMonitor] = []) -> Server {
    let curl = CurlTransport {
      $0.tls = tls
      $0.offersHTTP2 = offersHTTP2
      $0.proxy = proxy
      $0.connectionsPerHost = max($0.connectionsPerHost, parallel)
    }
    let transport = rate.map { PacedTransport(curl, $0) as any Transport } ?? curl
    // Waiting for the rate limit doesn't count against the deadline of the server.
    let paced = rate.map { $0.interval * (parallel + retries) } ?? .zero
    return Server(origin, transport: transport) {
      $0.timeouts = Timeouts(
        connect: min(.seconds(10), timeout), idle: min(.seconds(30), timeout),
        total: timeout + paced)
      $0.retry.attempts = retries + 1
      // A longer timeout also allows the server to ask for a longer wait.
      $0.retry.maximumRetryAfter = wait ?? max($0.retry.maximumRetryAfter, timeout)
      $0.retry.waitsForPauses = wait != nil
      $0.retry.retriesPerSecond = retryRate ?? $0.retry.retriesPerSecond
      // A whole list in one response can be long.
      $0.limits.wireBytes = Self.largestPage
      $0.limits.decodedBytes = Self.largestPage
      $0.monitors = monitors
      if let folder = cacheFolder {
        $0.cache = HTTPCache(SQLiteCacheStore(folder: URL(filePath: folder)))
      }
      if isOffline { $0.cacheMode = .cacheOnly }
    }
  }
}

extension Server {
  /// Opens the cache, so that an unusable folder fails the command before it sends a request.
  func openCache() async throws(UsageError) {
    guard let store = cache?.store as? SQLiteCacheStore else { return }
    do throws(CacheProblem) { try await store.prepare() } catch {
      // Other problems are temporary or leave the stored responses readable.
      guard error.kind == .insecure || error.kind == .unusable else { return }
      throw UsageError("--cache \(error.text)")
    }
  }
}
