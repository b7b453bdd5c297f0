internal import ListSync
internal import Quire
internal import QuireCollect

/// A run of `quire collect`: one list, or those of a plan.
struct CollectRun {
  private let options: [CollectOptions]
  /// Whether lines name their list, and a summary in JSON has a member for each one.
  private let isPlan: Bool
  private let secrets: PlanSecrets

  init(_ arguments: Arguments) async throws(UsageError) {
    let operand = arguments.operands[0]
    isPlan = PlanFile.isNamed(by: operand)
    guard isPlan else {
      if arguments.has("only") { throw UsageError("--only chooses lists of a plan, and “\(operand)” is none") }
      (options, secrets) = ([try CollectOptions(arguments)], PlanSecrets())
      return
    }
    let plan = try PlanFile(reading: operand)
    secrets = try await PlanSecrets(plan, runsCommands: !arguments.has("check"))
    options = try plan.options(arguments, secrets)
  }

  /// What would be collected, a line for each list.
  var description: String {
    options.map { options in
      let address = Redaction().text(secrets.masked(options.rounds.crawl.list.call.address))
      return "\(options.list.name): \(address), deletes \(options.list.deletes.rawValue)\n"
    }.joined()
  }

  /// Reads the lists, and returns the status of the worst one.
  func run(_ console: Console) async throws(UsageError) -> CrawlStatus {
    do throws(UsageError) {
      let sink = try options[0].sink()
      let summary = CollectSummary(isPlan: isPlan, options[0].printsJSON, console)
      var work = RoundsTurns.Work(lists: []) { summary.end() }
      for options in options { work.lists.append((try await job(options, sink, summary, console), options.rounds)) }
      return try await RoundsTurns.run(work, console)
    } catch {
      throw UsageError(secrets.masked(error.description))
    }
  }

  private func job(
    _ options: CollectOptions, _ sink: SQLiteSink, _ summary: CollectSummary, _ console: Console
  ) async throws(UsageError) -> RoundsRun.Job {
    let store = try await options.store(in: sink) { secrets.masked($0) }
    var job = RoundsRun.Job(CollectCommand.spec.name, options.rounds, store)
    (job.heldBack, job.allowsStaleRows) = (.heldBack, options.list.deletes == .off)
    job.startingOver = "drop the table “\(options.list.name)”"
    job.unread = "could not be stored; see the table _quire_unread"
    if isPlan { job.list = options.list.name }
    job.masked = { [secrets] in secrets.masked($0) }
    let progress = CollectProgress(console, options.rounds.crawl)
    job.stepped = { walk, step in progress.add(walk, step) }
    job.ended = { [secrets] receipt in
      progress.end()
      summary.add(receipt, options.list, masked: secrets.masked)
    }
    job.failed = { text in
      progress.end()
      summary.add(failure: text, options.list)
    }
    return job
  }
}
