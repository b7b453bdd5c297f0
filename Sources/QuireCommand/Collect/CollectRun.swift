internal import ListSync
internal import Quire
internal import QuireCollect

/// A run of `quire collect`: one list, or those of a plan.
struct CollectRun {
  let options: [CollectOptions]
  /// Whether lines name their list, and a summary in JSON has a member for each one.
  private let isPlan: Bool
  let secrets: PlanSecrets
  /// The number of rows after which each list stops.
  private let limit: Int?
  private let tolerated: Set<CrawlStatus>
  /// The file of metrics.
  private let metrics: String?

  init(_ arguments: Arguments) async throws(UsageError) {
    (limit, metrics) = (try arguments.number("limit", atLeast: 1), arguments["metrics"])
    tolerated = try Self.tolerated(arguments["fail-on"])
    if limit != nil, arguments.has("every") {
      throw UsageError("--limit and --every can't be used together: a list that is tried is read once")
    }
    let operand = arguments.operands[0]
    isPlan = PlanFile.isNamed(by: operand)
    guard isPlan else {
      if arguments.has("only") { throw UsageError("--only chooses lists of a plan, and “\(operand)” is none") }
      (options, secrets) = ([try CollectOptions(arguments)], PlanSecrets())
      return
    }
    var plan = try PlanFile(reading: operand)
    plan.keep(only: arguments["only"])
    secrets = try await PlanSecrets(plan, runsCommands: !arguments.has("check"))
    options = try plan.options(arguments, secrets)
  }

  /// Returns the statuses that don't fail the command.
  private static func tolerated(_ words: String?) throws(UsageError) -> Set<CrawlStatus> {
    guard let words else { return [] }
    let statuses: [String: CrawlStatus] = ["failed": .failed, "incomplete": .incomplete, "held-back": .heldBack]
    var tolerated = Set(statuses.values)
    for word in OptionSyntax.list(words) {
      guard let status = statuses[word] else {
        throw UsageError(
          "--fail-on must be some of failed, incomplete, held-back, found “\(word)”"
            + Suggestion.hint(for: word, among: statuses.keys.sorted()))
      }
      tolerated.remove(status)
    }
    return tolerated
  }

  /// What would be collected, a line for each list.
  var description: String {
    func line(_ options: CollectOptions, _ parent: String?) -> String {
      let address = Redaction().text(secrets.masked(options.rounds.crawl.list.call.address))
      let rows = parent.map { " for each row of \($0)" } ?? ""
      return "\(options.list.name): \(address)\(rows), deletes \(options.list.deletes.rawValue)\n"
    }
    return options.map { list in
      line(list, nil) + list.children.map { line($0, list.list.name) }.joined()
    }.joined()
  }

  /// Reads the lists, and returns the status of the worst one.
  func run(_ console: Console) async throws(UsageError) -> CrawlStatus {
    do throws(UsageError) {
      let sink = try options[0].sink()
      let summary = CollectSummary(isPlan: isPlan, options[0].printsJSON, console)
      var work = RoundsTurns.Work(lists: []) { summary.end() }
      for options in options {
        let job = try await job(options, sink, summary, console)
        var children: [ChildrenRun.Job] = []
        for child in options.children where limit == nil {
          children.append(try await self.job(child, of: options.list, sink, summary))
        }
        work.lists.append((job, options.rounds, children))
      }
      try metrics.map { path throws(UsageError) in
        let names = options.flatMap { [$0.list.name] + $0.children.map(\.list.name) }
        let metrics = try CollectMetrics(path, of: names) { console.printError("quire collect: \($0)") }
        for (place, options) in options.enumerated() {
          var list = work.lists[place]
          metrics.follow(&list.job, &list.children, options.list)
          work.lists[place] = list
        }
      }
      return try await RoundsTurns.run(work, console)
    } catch {
      throw UsageError(secrets.masked(error.description))
    }
  }

  private func job(
    _ options: CollectOptions, _ sink: SQLiteSink, _ summary: CollectSummary, _ console: Console
  ) async throws(UsageError) -> RoundsRun.Job {
    var job = job(options, try await options.store(in: sink), summary)
    let progress = CollectProgress(console, options.rounds.crawl)
    job.stepped = { walk, step in progress.add(walk, step) }
    job.ended = { [secrets] receipt in
      progress.end()
      summary.add(receipt, options.list, masked: secrets.masked)
    }
    job.failed = { text, _ in
      progress.end()
      summary.add(failure: text, options.list)
    }
    return job
  }

  /// What is read for each row of another list.
  private func job(
    _ options: CollectOptions, of parent: CollectList, _ sink: SQLiteSink, _ summary: CollectSummary
  ) async throws(UsageError) -> ChildrenRun.Job {
    let rounds = try await options.rounds(of: parent, in: sink)
    return ChildrenRun.Job(common: job(options, nil, summary), options: options.rounds, rounds: rounds) {
      [secrets] children, texts in
      summary.add(children, texts, options.list, masked: secrets.masked)
    }
  }

  /// What all jobs have in common.
  private func job(_ options: CollectOptions, _ store: SinkStore?, _ summary: CollectSummary) -> RoundsRun.Job {
    var job = RoundsRun.Job(CollectCommand.spec.name, options.rounds, store)
    (job.heldBack, job.allowsStaleRows) = (.heldBack, options.list.deletes == .off)
    job.startingOver = "drop the table “\(options.list.name)”"
    job.unread = "could not be stored; see the table _quire_unread"
    if isPlan { job.list = options.list.name }
    (job.limit, job.tolerated) = (limit, tolerated)
    job.masked = { [secrets] in secrets.masked($0) }
    job.failed = { text, _ in summary.add(failure: text, options.list) }
    return job
  }
}
