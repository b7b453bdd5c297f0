internal import CSQLite
internal import Support

/// Writes what a store has queued, on a thread that exists while there is something to write.
///
/// The thread holds the writer and not the store. When the store is released, the thread writes what is left
/// and closes the connections, and the thread that released the store waits for nothing.
final class SQLiteWriter: Sendable {
  let folder: String
  let maximumBytes: Int
  let time: TimeSource
  let database: CacheDatabase
  /// Guards what waits to be written.
  let desk = Lock(PendingWrites())

  init(
    folder: String, maximumBytes: Int, time: TimeSource, settings: CacheDatabase.Settings
  ) {
    (self.folder, self.maximumBytes, self.time) = (folder, maximumBytes, time)
    database = CacheDatabase(CacheFolder(path: folder), settings, time)
  }

  /// Now, in minutes since 1970.
  var minute: Int { Int(max(0, min(time.secondsSince1970(), 1e15)) / 60) }

  /// Starts the thread. It holds the writer until nothing is left to do.
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
    // Without a thread nobody can close the connections but the one who must not wait.
    if !desk.withLock({ $0.isEnding }) { writer.release() }
    database.report(CacheProblem(.failed, "\(folder): no thread could be started (error \(code))"))
    for waiter in desk.withLock({ $0.abandon() }) { waiter.resume() }
  }

  /// Has everything written that is left, and the connections closed, since the store is gone.
  func end() {
    let hasConnections = database.hasConnections
    if desk.withLock({ $0.end(hasConnections: hasConnections) }) { start() }
  }

  private func writeAll() {
    while let job = desk.withLock({ $0.take() }) {
      let areRemovalsWritten = job.batch.isEmpty || write(job.batch)
      let ready = desk.withLock { $0.finish(job, removals: areRemovalsWritten) }
      HandOver.begins(self)
      for waiter in ready { waiter.resume() }
    }
    if desk.withLock({ $0.isEnding }) { database.close() }
  }

  /// Writes, or notes why not. Returns whether at least what is to be removed was.
  private func write(_ batch: CacheBatch) -> Bool {
    database.checkPlace()
    guard database.opened()?.access == .readWrite else { return false }
    do throws(SQLiteFailure) {
      return try tryTwice(batch)
    } catch {
      database.report(error.problem(folder))
      guard error.meaning == .full else { return false }
      // Without new entries it may be possible, and makes room.
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
    let broken = try database.use(patience: database.settings.writingPatience) {
      connection, opened throws(SQLiteFailure) in
      let broken = try connection.write(
        batch, salt: opened.salt, minute: minute, maximumBytes: maximumBytes)
      // What was written stays so, whatever becomes of this.
      try? connection.shrink(maximumBytes: maximumBytes)
      return broken
    }
    guard let broken else { return false }
    if !batch.tasks.isEmpty { database.succeeded() }
    for address in broken {
      database.report(CacheProblem(.brokenEntry, "\(folder): \(address) is not whole"))
    }
    return true
  }
}
