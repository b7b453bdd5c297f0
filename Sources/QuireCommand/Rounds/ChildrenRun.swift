internal import ListSync
internal import Quire
internal import QuireCollect

/// Reads a list for each row of another one, whenever that was read.
final class ChildrenRun {
  /// What is read, and what is done with it.
  struct Job {
    /// What the lists of all rows have in common. Its store is that of none.
    var common: RoundsRun.Job
    var options: RoundOptions
    var rounds: ChildRounds
    /// Called with what became of all lists, and why the first ones of them were not read, by their rows.
    var ended: (ChildrenSummary, [RowID: String]) -> Void
  }

  private let job: Job
  private let console: Console
  /// Why the lists can't be read on.
  private(set) var end: EarlyExit?

  init(_ job: Job, _ console: Console) { (self.job, self.console) = (job, console) }

  /// Reads the list of each row once. `prepare` is called before anything is stored.
  func turn(_ prepare: () async -> Void) async -> CrawlStatus { job.common.status(await read(prepare)) }

  private func read(_ prepare: () async -> Void) async -> CrawlStatus {
    if let end {
      job.common.failed(end.message ?? "", end.status)
      return end.status
    }
    var texts: [RowID: String] = [:]
    do {
      let summary = try await job.rounds.run { list, store in
        try await read(list, store, &texts, prepare)
      } observe: { _, _ in
      }
      job.ended(summary, texts)
      if let problem = summary.problem { printError(problem) }
      return status(of: summary)
    } catch is CancellationError {
      return .interrupted
    } catch {
      let text = job.common.masked((error as? CollectError)?.description ?? "can't go on: \(error)")
      printError(text)
      job.common.failed(text, .failed)
      // Another program may have locked the database.
      if case .database? = error as? CollectError {} else { end = EarlyExit(.failed, text) }
      return .failed
    }
  }

  private func status(of summary: ChildrenSummary) -> CrawlStatus {
    if summary.failed > 0 || summary.incomplete > 0 || summary.problem != nil { return .incomplete }
    return summary.heldBack == 0 || job.common.allowsStaleRows ? .complete : job.common.heldBack
  }

  private func read(
    _ list: CollectList, _ store: SinkStore, _ texts: inout [RowID: String], _ prepare: () async -> Void
  ) async throws -> SyncReceipt {
    var (common, options) = (job.common, job.options)
    common.store = store
    options.crawl.list.call = list.call
    // What is unusual about one of many lists is in its receipt.
    options.crawl.isQuiet = true
    let run = RoundsRun(common, options, console)
    do { return try await run.read(prepare) } catch let error as EarlyExit where error.status != .interrupted {
      throw CollectError.row(list.name, list.parent?.row ?? "", error.message ?? "it can't be read")
    } catch let error as LoadError {
      if let row = list.parent?.row, texts.count < 10 { texts[row] = run.exit(after: error).message }
      throw error
    }
  }

  private func printError(_ text: String) { console.printError(job.common.line(text)) }
}
