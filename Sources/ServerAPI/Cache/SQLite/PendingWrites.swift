/// What waits to be written and who waits for that. A value, guarded by its store.
struct PendingWrites {
  /// What one who waits for the writing has to do.
  enum Next {
    case nothing
    case wait
    case start
  }

  private struct Waiter {
    /// The last change that must have been tried.
    var number: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  /// What the thread does next.
  struct Job {
    var steps: [CacheQueue.Step]
    var batch: CacheBatch
  }

  var queue = CacheQueue()
  /// Rows that were used, with the minute.
  private(set) var uses: [Int: Int] = [:]
  private var suspects: Set<Int> = []
  private var waiters: [Waiter] = []
  private var isServed = false
  private var isCalled = false
  /// Whether the store is gone.
  private(set) var isEnding = false

  /// Says that there is work. Returns whether a thread has to be started for it.
  mutating func call() -> Bool {
    isCalled = true
    defer { isServed = true }
    return !isServed
  }

  /// Notes that the store is gone. Returns whether a thread has to be started for what is left to do.
  mutating func end(hasConnections: Bool) -> Bool {
    isEnding = true
    guard isServed || hasConnections || queue.hasWork || !uses.isEmpty || !suspects.isEmpty else {
      return false
    }
    return call()
  }

  /// Notes what a reader found. Returns whether a thread has to be started.
  mutating func note(_ found: FoundRows, minute: Int) -> Bool {
    for id in found.stale { uses[id] = minute }
    suspects.formUnion(found.broken)
    return !found.broken.isEmpty || uses.count >= SQLiteCacheStore.maximumUses ? call() : false
  }

  /// Has somebody wait until all that is known now was tried.
  mutating func await(_ continuation: CheckedContinuation<Void, Never>) -> Next {
    if !isServed, !queue.hasWork, !queue.hasFailed, uses.isEmpty, suspects.isEmpty {
      return .nothing
    }
    waiters.append(Waiter(number: queue.last, continuation: continuation))
    return call() ? .start : .wait
  }

  /// The next job; `nil` when the thread has to end.
  mutating func take() -> Job? {
    guard isCalled || queue.hasWork else {
      isServed = false
      return nil
    }
    isCalled = false
    let steps = queue.take()
    var batch = takeUses()
    batch.tasks = queue.tasks(steps)
    return Job(steps: steps, batch: batch)
  }

  /// What was noted of rows.
  mutating func takeUses() -> CacheBatch {
    defer { (uses, suspects) = ([:], []) }
    return CacheBatch(used: uses, suspects: suspects)
  }

  /// A job was tried. Returns who need not wait any longer.
  mutating func finish(
    _ job: Job, removals areWritten: Bool
  ) -> [CheckedContinuation<Void, Never>] {
    queue.finish(job.steps, removals: areWritten)
    let tried = queue.hasWork ? job.steps.last?.number ?? 0 : queue.last
    let ready = waiters.filter { $0.number <= tried }
    waiters.removeAll { $0.number <= tried }
    return ready.map(\.continuation)
  }

  /// There is no thread. Returns who waits for one.
  mutating func abandon() -> [CheckedContinuation<Void, Never>] {
    isServed = false
    defer { waiters = [] }
    return waiters.map(\.continuation)
  }
}
