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
    server = options.list.server(parallel: options.parallel, monitors: [monitor])
    resume = try options.resumeFile.map { path throws(UsageError) in
      Resume(file: try ResumeFile(path))
    }
    guard let resume else { return }
    let others = try resume.file.mend(console.output, for: options.signature)
    if !others.isEmpty {
      say("continuing with changed credentials: \(others.joined(separator: ", "))")
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
