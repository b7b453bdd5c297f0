#if SQLITE
  internal import CSQLite
  internal import SQLiteFile
  internal import Support

  /// Writes the queued changes of a store, on a thread that exists while work is pending.
  ///
  /// The thread holds the writer and not the store. After the store is released, the thread writes the remaining
  /// changes and closes the connections, and the thread that released the store does not wait.
  final class SQLiteWriter: Sendable {
    let folder: String
    let maximumBytes: Int
    let time: TimeSource
    let database: CacheDatabase
    /// Guards the pending writes.
    let pending = Lock(PendingWrites())

    init(
      folder: String, maximumBytes: Int, time: TimeSource, settings: CacheDatabase.Settings
    ) {
      (self.folder, self.maximumBytes, self.time) = (folder, maximumBytes, time)
      database = CacheDatabase(CacheFolder(path: folder), settings, time)
    }

    /// The current time, in minutes since 1970.
    var minute: Int { Int(max(0, min(time.secondsSince1970(), 1e15)) / 60) }

    /// Starts the thread, which holds the writer until no work is left.
    func start() {
      let writer = Unmanaged.passRetained(self)
      let code = csqlite_start_thread(
        { writer in
          if let writer {
            Unmanaged<SQLiteWriter>.fromOpaque(writer).takeRetainedValue().writeAll()
          }
          return nil
        }, writer.toOpaque())
      guard code != 0 else { return }
      // Without a thread, only the releasing thread could close the connections, and it must not wait.
      if !pending.withLock({ $0.isEnding }) { writer.release() }
      database.report(
        CacheProblem(.failed, "\(folder): the writer thread could not be started (error \(code))"))
      for waiter in pending.withLock({ $0.abandon() }) { waiter.resume() }
    }

    /// Writes the remaining changes and closes the connections, after the store was released.
    func end() {
      let hasConnections = database.hasConnections
      if pending.withLock({ $0.end(hasConnections: hasConnections) }) { start() }
    }

    private func writeAll() {
      while let job = pending.withLock({ $0.take() }) {
        let areRemovalsWritten = job.batch.isEmpty || write(job.batch)
        let ready = pending.withLock { $0.finish(job, removals: areRemovalsWritten) }
        HandOver.willResume(self)
        for waiter in ready { waiter.resume() }
      }
      if pending.withLock({ $0.isEnding }) { database.close() }
    }

    /// Writes a batch, or records why that failed. Returns whether at least the removals were written.
    private func write(_ batch: CacheBatch) -> Bool {
      database.forgetIfReplaced()
      guard database.opened()?.access == .readWrite else { return false }
      do throws(SQLiteFailure) {
        return try tryTwice(batch)
      } catch {
        database.report(error.problem(folder))
        guard error.meaning == .full else { return false }
        // Removals alone may succeed, and free space.
        let rest = batch.withoutEntries
        return rest.isEmpty || (try? tryTwice(rest)) == true
      }
    }

    private func tryTwice(_ batch: CacheBatch) throws(SQLiteFailure) -> Bool {
      do throws(SQLiteFailure) {
        return try tryOnce(batch)
      } catch {
        guard error.meaning == .busy else { throw error }
        return try tryOnce(batch)
      }
    }

    private func tryOnce(_ batch: CacheBatch) throws(SQLiteFailure) -> Bool {
      let broken = try database.use(timeout: database.settings.writeTimeout) {
        connection, opened throws(SQLiteFailure) in
        let broken = try connection.write(
          batch, salt: opened.salt, minute: minute, maximumBytes: maximumBytes)
        // The write is committed, even if this fails.
        try? connection.shrink(maximumBytes: maximumBytes)
        return broken
      }
      guard let broken else { return false }
      if !batch.tasks.isEmpty { database.recordSuccess() }
      for address in broken {
        database.report(
          CacheProblem(.brokenEntry, "\(folder): \(address) was damaged and was dropped"))
      }
      return true
    }
  }

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
#endif
