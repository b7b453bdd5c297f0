internal import Foundation
internal import Quire

extension ListOptions {
  private static let largestPage = 512 << 20

  /// The service that the list is asked of. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - parallel: How many pages are asked for at once.
  ///   - monitors: Told of each step.
  func server(parallel: Int = 1, monitors: [any EventMonitor] = []) -> Server {
    let curl = CurlTransport {
      $0.tls = tls
      $0.offersHTTP2 = offersHTTP2
      $0.proxy = proxy
      $0.connectionsPerHost = max($0.connectionsPerHost, parallel)
    }
    let transport = rate.map { PacedTransport(curl, $0) as any Transport } ?? curl
    // What a rate holds back is no time of the server's.
    let held = rate.map { $0.interval * (parallel + retries) } ?? .zero
    return Server(origin, transport: transport) {
      $0.timeouts = Timeouts(
        connect: min(.seconds(10), timeout), idle: min(.seconds(30), timeout),
        total: timeout + held)
      $0.retry.attempts = retries + 1
      // Whoever gives a page more time gives the server that much to ask for.
      $0.retry.maximumRetryAfter = max($0.retry.maximumRetryAfter, timeout)
      // A list in one answer may be long.
      $0.limits.wireBytes = Self.largestPage
      $0.limits.decodedBytes = Self.largestPage
      $0.monitors = monitors
      if retries > 0, !call.method.isIdempotent { $0.networkInterceptors = [RetryingReads()] }
      if let folder = cacheFolder {
        $0.cache = HTTPCache(SQLiteCacheStore(folder: URL(filePath: folder)))
      }
      if isOffline { $0.cacheMode = .cacheOnly }
    }
  }
}

extension Server {
  /// Opens the cache, so that a folder that can't be used ends the command before anything is sent.
  func openCache() async throws(UsageError) {
    guard let store = cache?.store as? SQLiteCacheStore else { return }
    do throws(CacheProblem) { try await store.prepare() } catch {
      // Other problems pass, or leave what is stored to be read.
      guard error.kind == .insecure || error.kind == .unusable else { return }
      throw UsageError("--cache \(error.text)")
    }
  }
}

/// Has pages that are posted tried again like any other. A server can't know that nothing is changed by
/// them, and a library must not assume it; whoever reads a list knows.
struct RetryingReads: Interceptor {
  private let statuses = RetryPolicy().statuses

  func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(RequestError) {
      response = try await next(request)
    } catch {
      switch error.kind {
      case .connectionLost, .sendFailed, .timeout(.idle):
        throw RequestError(.retryRequested(after: nil, reason: "the connection was lost"))
      default: throw error
      }
    }
    guard statuses.contains(response.status) else { return response }
    let wait = response.headers["Retry-After"].flatMap { Int($0) }.map { Duration.seconds($0) }
    throw RequestError(
      .retryRequested(after: wait, reason: "the server answered \(response.status)"))
  }
}
