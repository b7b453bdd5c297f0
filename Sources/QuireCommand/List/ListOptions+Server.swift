internal import Quire

extension ListOptions {
  /// The service that the list is asked of. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - parallel: How many pages are asked for at once.
  ///   - monitors: Told of each step.
  func server(parallel: Int = 1, monitors: [any EventMonitor] = []) -> Server {
    let transport = CurlTransport {
      $0.tls = tls
      $0.offersHTTP2 = offersHTTP2
      $0.proxy = .environment
      $0.connectionsPerHost = max($0.connectionsPerHost, parallel)
    }
    // What a rate holds back is no time of the server's.
    let held = rate.map { $0.interval * (parallel + retries) } ?? .zero
    return Server(origin, transport: transport) {
      $0.timeouts = Timeouts(
        connect: min(.seconds(10), timeout), idle: min(.seconds(30), timeout),
        total: timeout + held)
      $0.retry.attempts = retries + 1
      $0.monitors = monitors
      if let rate { $0.networkInterceptors = [RatePacer(rate)] }
      if let folder = cacheFolder { $0.cache = HTTPCache(SQLiteCacheStore(folder: folder)) }
      if isOffline { $0.cacheMode = .cacheOnly }
    }
  }
}
