#if SQLITE
  import Foundation
  import QuireTesting
  import SQLiteFile
  import Support
  import Testing

  @testable import ServerAPI

  /// The main actor never waits for the disk. The disk is blocked until the main actor releases it, so a wait on
  /// the main actor fails with a timeout.
  @Suite(.timeLimit(.minutes(3))) struct SQLiteCacheStoreWaitTests {
    let folder: StoreFolder
    let key = CacheKey(.responses, "https://api.example.com/books")
    /// Far more than the main actor needs between two lines on any machine.
    let longTimeouts = CacheDatabase.Settings(
      openTimeout: 20_000, readTimeout: 20_000, writeTimeout: 20_000)

    init() throws { folder = try StoreFolder() }

    /// An operation of a program on the main actor.
    enum Action: CaseIterable {
      case read, write, stream, list
    }

    @MainActor @Test(arguments: Action.allCases)
    func `a call does not block the main actor while the disk is blocked`(
      action: Action
    ) async throws {
      let responses = [MockResponse.status(200, ["Cache-Control": "max-age=600"], "x")]
      let filled = folder.store()
      _ = try await CachedServer(responses, store: filled).get()
      await filled.flush()
      let store = folder.store(settings: longTimeouts)
      let books = CachedServer(responses, store: store)
      let locked = try LockedFolder(folder)
      var order: [String] = []
      let task = Task.immediate { @MainActor in
        var isStored = false
        switch action {
        case .read: isStored = try await books.get().source.isCache
        case .write: _ = try await books.server.send(Call("/books", method: .post))
        case .stream: _ = try await books.server.stream(Call("/books")) { _ in }
        case .list: isStored = await books.server.cache?.contents().count == 1
        }
        order.append("ended")
        return isStored
      }
      order.append("continued")
      locked.release()
      #expect(try await task.value == (action == .read || action == .list))
      #expect(order == ["continued", "ended"])
      #expect(store.problems.isEmpty)
    }

    @MainActor @Test func `releasing a store does not wait, and everything is written`() async throws {
      let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 600_000))
      var store: SQLiteCacheStore? = folder.store(time: clock.timeSource, settings: longTimeouts)
      store?.put(try sampleEntry(key.text))
      await store?.flush()
      clock.advance(by: .seconds(600))
      #expect(store?.entries(for: key).count == 1)
      let other = try folder.connection()
      try other.run("BEGIN IMMEDIATE")
      weak let writer = store?.writer
      store = nil
      try other.run("ROLLBACK")
      while writer != nil { sched_yield() }
      #expect(try other.number("SELECT used FROM entry") == 10_010)
      #expect(try other.number("SELECT count(*) FROM entry") == 1)
    }

    @Test
    func `a thread closes the connections of a released store, and starts only if needed`() {
      var unused = PendingWrites()
      let forNothing = unused.end(hasConnections: false)
      #expect(!forNothing)
      var idle = PendingWrites()
      let forConnections = idle.end(hasConnections: true)
      #expect(forConnections && idle.isEnding)
      // A running thread does that too.
      var busy = PendingWrites()
      let (first, second) = (busy.requestThread(), busy.end(hasConnections: true))
      #expect(first && !second && busy.isEnding)
    }

    @Test func `a forked process does not use the store of its parent`() async throws {
      var store: SQLiteCacheStore? = folder.store()
      store?.put(try sampleEntry(key.text))
      await store?.flush()
      weak let writer = store?.writer
      let symbol = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
      let child = fork()
      if child == 0 {
        store = nil
        _exit(writer != nil && writer?.database.hasConnections == true ? 42 : 1)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      #expect((status >> 8) & 0xFF == 42)
      #expect(store?.variants(key) == [""])
    }
  }

  /// Holds the lock of a folder, like a process that is suspended while it opens the database.
  final class LockedFolder {
    private let file: Int32

    init(_ folder: StoreFolder) throws {
      file = open(folder.file("lock"), O_RDWR | O_CLOEXEC)
      try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
    }

    func release() { close(file) }
  }
#endif
