internal import Quire

/// What a crawl says about itself on standard error.
extension Crawl {
  mutating func reportFacts(of page: PageWalk.Page) {
    for problem in page.facts.problems
    where walk.end != .incomplete(problem) && reportedProblems.insert("\(problem)").inserted {
      guard reportedProblems.count < 10 else { break }
      progressLine.clear()
      report(advice.text(of: problem).line)
    }
    // A paging found by trial is known with the second page.
    guard !isExplained else { return }
    guard walk.recognized != nil || walk.end != nil || page.number > 0 else {
      unexplained = page
      return
    }
    explain(page)
  }

  /// How sure it is that all rows were read.
  private var consistency: Consistency {
    let consistency = walk.consistency.without(options.distrusted)
    guard declared.doubt != nil, consistency.claim > .unproven else { return consistency }
    return Consistency(
      .unproven, seams: consistency.seams, checks: consistency.checks, moments: consistency.moments)
  }

  private mutating func explain(_ page: PageWalk.Page) {
    isExplained = true
    progressLine.clear()
    console.printError(
      CrawlDiagnostics.explanation(
        of: walk, after: page, options: options, consistency: consistency))
  }

  mutating func finish(_ status: CrawlStatus) {
    stats.seconds = (time.now() - start) / .seconds(1)
    stats.isComplete = status == .complete
    stats.consistency = consistency
    stats.gone = walk.goneIDs.count
    if case .incomplete(let error)? = walk.end { stats.missing = error.missingRows }
    // Trials may show that there is no second page.
    if !isExplained, let page = unexplained { explain(page) }
    progressLine.end(progress)
    if walk.returns > 0 {
      report(
        "the server refused cursors or links that it had sent"
          + (walk.returns == 1 ? "" : " \(walk.returns) times") + ", so pages were read again;"
          + " known rows were dropped")
    }
    if progressLine.isShown, status == .complete {
      report(CrawlDiagnostics.complete(consistency))
    }
    if let text = writer.omission {
      // It is why the status is not 0.
      if writer.losesValues { console.printError("quire crawl: \(text)") } else { report(text) }
    }
    for note in writer.notes + (doubts?.texts ?? []) { report(note) }
    if let note = stopNote(status)?.text { report(note) }
    if options.showsStats { console.printError(stats.json(monitor.counts)) }
  }

  /// What was written until the crawl stopped, and how to go on; `nil` if it wasn't stopped.
  private func stopNote(_ status: CrawlStatus) -> StopNote? {
    let isRead = walk.end != nil && !stats.isTruncated
    let cause: StopNote.Cause
    switch status {
    case .complete, .usage, .heldBack: return nil
    case .interrupted: cause = .interrupt
    case .failed: cause = .failure
    case .incomplete where isRead: return nil
    case .incomplete where stats.rows >= options.maxItems: cause = .limit("--max-items")
    case .incomplete where stats.pages >= options.maxPages: cause = .limit("--max-pages")
    // The reader of the output has enough rows.
    case .incomplete: return nil
    }
    return StopNote(
      cause: cause, rows: stats.rows, rowsBefore: progress.rowsBefore,
      target: console.output.name, format: options.format, resumeFile: options.resumeFile)
  }
}
