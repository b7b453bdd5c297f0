import Foundation
import QuireTesting
import Testing

@testable import ServerAPI

#if canImport(Glibc)
  import Glibc
#endif

/// The main actor never waits for the disk. Here the disk is held until the main actor lets go of it: so
/// what waits for it on the main actor waits in vain, and says so.
@Suite(.timeLimit(.minutes(3))) struct SQLiteCacheStoreWaitTests {
  let folder: StoreFolder
  let key = CacheKey(.responses, "https://api.example.com/books")
  /// Far more than the main actor takes from one line to the next on any machine.
  let patient = CacheDatabase.Settings(
    openingPatience: 20_000, readingPatience: 20_000, writingPatience: 20_000)

  init() throws { folder = try StoreFolder() }

  /// What a program may do on the main actor.
  enum Action: CaseIterable {
    case read, write, stream, list
  }

  @MainActor @Test(arguments: Action.allCases)
  func `a call of the main actor goes on without it while the disk is held`(
    action: Action
  ) async throws {
    let answers = [MockResponse.status(200, ["Cache-Control": "max-age=600"], "x")]
    let filled = folder.store()
    _ = try await CachedServer(answers, store: filled).get()
    await filled.flush()
    let store = folder.store(settings: patient)
    let books = CachedServer(answers, store: store)
    let held = try HeldFolder(folder)
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
    order.append("went on")
    held.letGo()
    #expect(try await task.value == (action == .read || action == .list))
    #expect(order == ["went on", "ended"])
    #expect(store.problems.isEmpty)
  }

  @MainActor @Test func `letting go of a store waits for nobody, and all is written`() async throws
  {
    let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 600_000))
    var store: SQLiteCacheStore? = folder.store(time: clock.timeSource, settings: patient)
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
  func `a thread closes the connections of a store that is gone, and none is started for nothing`()
  {
    var unused = PendingWrites()
    let forNothing = unused.end(hasConnections: false)
    #expect(!forNothing)
    var idle = PendingWrites()
    let forConnections = idle.end(hasConnections: true)
    #expect(forConnections && idle.isEnding)
    // Where a thread is at work, it does that too.
    var busy = PendingWrites()
    let (first, second) = (busy.call(), busy.end(hasConnections: true))
    #expect(first && !second && busy.isEnding)
  }

  @Test func `a fork of a process leaves its parent's store alone`() async throws {
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

/// A process that opens the database of a folder and does not get on with it.
final class HeldFolder {
  private let file: Int32

  init(_ folder: StoreFolder) throws {
    file = open(folder.file("lock"), O_RDWR | O_CLOEXEC)
    try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
  }

  func letGo() { close(file) }
}
