internal import CSQLite
internal import Synchronization

extension SQLiteCacheStore {
  /// Starts the thread that writes. It holds the store until nothing is left to do.
  func startWriting() {
    let store = Unmanaged.passRetained(self)
    let code = csqlite_start_thread(
      { store in
        if let store {
          Unmanaged<SQLiteCacheStore>.fromOpaque(store).takeRetainedValue().writeAll()
        }
        return nil
      }, store.toOpaque())
    guard code != 0 else { return }
    store.release()
    database.report(CacheProblem(.failed, "\(folder): no thread could be started (error \(code))"))
    for waiter in desk.withLock({ $0.abandon() }) { waiter.resume() }
  }

  private func writeAll() {
    while let job = desk.withLock({ $0.take() }) {
      let areRemovalsWritten = job.batch.isEmpty || write(job.batch)
      let ready = desk.withLock { $0.finish(job, removals: areRemovalsWritten) }
      HandOver.begins(self)
      for waiter in ready { waiter.resume() }
    }
  }

  /// Writes, or notes why not. Returns whether at least what is to be removed was.
  func write(_ batch: CacheBatch) -> Bool {
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
