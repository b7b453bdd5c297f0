internal import Quire
internal import Support

/// Reads lists by turns: one round of each, in their order, and after it those of its rows. A list that can't be read
/// doesn't stop the others.
final class RoundsTurns {
  /// What is read, and what is done with it.
  struct Work {
    /// All have the same pause.
    var lists: [(job: RoundsRun.Job, options: RoundOptions, children: [ChildrenRun.Job])]
    /// Called at the end of each turn.
    var turned: () -> Void = {}
  }

  /// Reads rounds until the last one, an error of the only list, or an interrupt.
  static func run(_ work: sending Work, _ console: Console) async throws(UsageError) -> CrawlStatus {
    returnMemoryOfPages()
    let servers = work.lists.flatMap { [$0.job.server] + $0.children.map(\.common.server) }
    // The thread of one server is no place for the rows of another one.
    let executor = servers.count == 1 ? servers[0].executor(parallel: work.lists[0].options.crawl.parallel) : nil
    let turns = RoundsTurns(work, console)
    for server in servers { try await server.openCache() }
    let interrupts = InterruptHandler()
    let task = Task(executorPreference: executor) {
      await turns.run { await interrupts.begin() }
    }
    interrupts.cancelOnInterrupt(task)
    let status = await task.value
    for server in servers { await server.cache?.store.flush() }
    return status
  }

  private let runs: [(list: RoundsRun, children: [ChildrenRun])]
  private let pause: Duration?
  private let turned: () -> Void
  private let time = TimeSource.system
  private var hasBegun = false

  private init(_ work: Work, _ console: Console) {
    runs = work.lists.map { (RoundsRun($0.job, $0.options, console), $0.children.map { ChildrenRun($0, console) }) }
    pause = work.lists.first?.options.pause
    turned = work.turned
  }

  private func run(_ prepare: () async -> Void) async -> CrawlStatus {
    var status: CrawlStatus
    repeat {
      let begin = time.now()
      status = .complete
      func prepareOnce() async {
        if !hasBegun { await prepare() }
        hasBegun = true
      }
      for run in runs where status != .interrupted {
        status = max(status, await run.list.turn(prepareOnce))
        for child in run.children where status != .interrupted {
          status = max(status, await child.turn(prepareOnce))
        }
      }
      turned()
      guard let pause, status != .interrupted, runs.contains(where: { $0.list.end == nil }) else { break }
      let rest = pause - (time.now() - begin)
      do { try await time.sleep(max(.zero, rest)) } catch { status = .interrupted }
    } while status != .interrupted
    for run in runs where await !run.list.close() { status = .failed }
    return status
  }
}

/// Ordered by how bad they are.
extension CrawlStatus: Comparable {
  private static let order: [CrawlStatus] = [.complete, .heldBack, .incomplete, .failed, .usage, .interrupted]

  static func < (a: CrawlStatus, b: CrawlStatus) -> Bool {
    (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}
