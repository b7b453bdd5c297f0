/// The pending writes, and the callers that wait for them. A value, guarded by its store.
struct PendingWrites {
  /// The next step of a caller that waits for the writes.
  enum Next {
    case nothing
    case wait
    case start
  }

  private struct Waiter {
    /// The last change that must be attempted before the caller resumes.
    var number: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  /// The next transaction of the writer thread.
  struct Job {
    var steps: [CacheQueue.Step]
    var batch: CacheBatch
  }

  var queue = CacheQueue()
  /// The ids of read rows, with the minute of their last use.
  private(set) var uses: [Int: Int] = [:]
  private var suspects: Set<Int> = []
  private var waiters: [Waiter] = []
  private var hasThread = false
  private var isWorkRequested = false
  /// Whether the store was released.
  private(set) var isEnding = false

  /// Requests the writer thread. Returns whether it must be started.
  mutating func requestThread() -> Bool {
    isWorkRequested = true
    defer { hasThread = true }
    return !hasThread
  }

  /// Records that the store was released. Returns whether a thread must be started for the remaining work.
  mutating func end(hasConnections: Bool) -> Bool {
    isEnding = true
    guard hasThread || hasConnections || queue.hasWork || !uses.isEmpty || !suspects.isEmpty else {
      return false
    }
    return requestThread()
  }

  /// Records the findings of a reader. Returns whether a thread must be started.
  mutating func record(_ found: FoundRows, minute: Int) -> Bool {
    for id in found.outdatedUses { uses[id] = minute }
    suspects.formUnion(found.broken)
    return !found.broken.isEmpty || uses.count >= SQLiteCacheStore.maximumUses
      ? requestThread() : false
  }

  /// Registers a caller that waits until every current change was attempted.
  mutating func addWaiter(_ continuation: CheckedContinuation<Void, Never>) -> Next {
    if !hasThread, !queue.hasWork, !queue.hasFailedRemovals, uses.isEmpty, suspects.isEmpty {
      return .nothing
    }
    waiters.append(Waiter(number: queue.last, continuation: continuation))
    return requestThread() ? .start : .wait
  }

  /// Returns the next job; `nil` when the thread must end.
  mutating func take() -> Job? {
    guard isWorkRequested || queue.hasWork else {
      hasThread = false
      return nil
    }
    isWorkRequested = false
    let steps = queue.dequeue()
    var batch = takeUses()
    batch.tasks = queue.tasks(steps)
    return Job(steps: steps, batch: batch)
  }

  /// Returns the recorded findings and clears them.
  mutating func takeUses() -> CacheBatch {
    defer { (uses, suspects) = ([:], []) }
    return CacheBatch(used: uses, suspects: suspects)
  }

  /// Completes a job that was attempted. Returns the callers to resume.
  mutating func finish(
    _ job: Job, removals areWritten: Bool
  ) -> [CheckedContinuation<Void, Never>] {
    queue.finish(job.steps, removals: areWritten)
    let tried = queue.hasWork ? job.steps.last?.number ?? 0 : queue.last
    let ready = waiters.filter { $0.number <= tried }
    waiters.removeAll { $0.number <= tried }
    return ready.map(\.continuation)
  }

  /// Records that no thread could be started. Returns every waiting caller.
  mutating func abandon() -> [CheckedContinuation<Void, Never>] {
    hasThread = false
    defer { waiters = [] }
    return waiters.map(\.continuation)
  }
}
