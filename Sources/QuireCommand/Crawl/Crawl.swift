internal import Foundation
internal import Quire

/// One crawl: pages in, rows out.
///
/// It walks from page to page by a `PageWalk`, which keeps of rows that are gone no more than their ids;
/// each page is written as soon as it is there. The order is: rows to the output, then a line to the
/// resume file, then the next page.
struct Crawl: Sendable {
  let options: CrawlOptions
  let console: Console
  let monitor = CrawlMonitor()
  let server: Server
  private let resume: Resume?

  /// A resume file is not shared: only the task that crawls touches it once it is open.
  private struct Resume: @unchecked Sendable {
    let file: ResumeFile
  }

  /// Opens what is needed; nothing is asked for yet.
  init(_ options: CrawlOptions, _ console: Console) throws(UsageError) {
    (self.options, self.console) = (options, console)
    server = Self.server(options, monitor)
    resume = try options.resumeFile.map { path throws(UsageError) in
      Resume(file: try ResumeFile(path))
    }
    try resume?.file.mend(console.output, for: options.signature)
  }

  private static func server(_ options: CrawlOptions, _ monitor: CrawlMonitor) -> Server {
    let transport = CurlTransport {
      $0.tls = options.tls
      $0.offersHTTP2 = options.offersHTTP2
      $0.proxy = .environment
      $0.connectionsPerHost = max($0.connectionsPerHost, options.parallel)
    }
    // What a rate holds back is no time of the server's.
    let held = options.rate.map { $0.interval * (options.parallel + options.retries) } ?? .zero
    return Server(options.origin, transport: transport) {
      $0.timeouts = Timeouts(
        connect: min(.seconds(10), options.timeout), idle: min(.seconds(30), options.timeout),
        total: options.timeout + held)
      $0.retry.attempts = options.retries + 1
      $0.monitors = [monitor]
      if let rate = options.rate { $0.networkInterceptors = [RatePacer(rate)] }
      if let folder = options.cacheFolder { $0.cache = HTTPCache(SQLiteCacheStore(folder: folder)) }
      if options.isOffline { $0.cacheMode = .cacheOnly }
    }
  }

  func run() async -> CrawlStatus {
    let known = resume?.file.state
    if let known, known.isComplete || known.mark == nil && known.rows > 0 {
      say("the crawl of \(resume?.file.path ?? "") had ended; remove the file to begin anew")
      return known.isComplete ? .complete : .incomplete
    }
    var run = CrawlRun(self, known)
    let status = await run.run(resume?.file)
    await server.cache?.store.flush()
    return status
  }

  func say(_ text: String) {
    if !options.isQuiet { console.complain("quire crawl: \(text)") }
  }
}
