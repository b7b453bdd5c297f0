import QuireTesting
import ServerAPI
import Support
import Testing

@testable import ListModel

/// When the pages of a kept list are removed from its store.
@MainActor @Suite(.timeLimit(.minutes(1))) struct KeptRemovalTests {
  private let bench = KeptListBench(pages: 5)

  @Test func `pages of an older list are removed only after the new one is written`() async {
    let store = WatchedStore(bench.store)
    let list = bench.list { $0.keeping = ListKeeping(in: store) }
    _ = await list.loadAll()
    _ = await list.refresh().outcome
    #expect(await store.removals.reaches(5))
    #expect(store.isFlushedFirst)
    #expect(bench.store.pages == [0])
  }

  @Test func `pages after one that can't be read are kept again as soon as they are loaded`() async {
    for broken in 1..<5 {
      _ = await bench.list().loadAll()
      if let key = bench.store.key(ofPage: broken) { bench.store.change(key) { $0.head = [0] } }
      let list = bench.list()
      _ = await list.restore().outcome
      #expect(list.count == broken * 3)
      #expect(bench.store.pages == Array(0..<broken))
      _ = await list.loadAll()
      #expect(bench.store.pages == Array(0..<5))
      #expect(await bench.restored() == Array(0..<15))
      bench.store.remove(CacheSelection())
    }
  }
}

/// A store that records whether it was flushed before each removal.
private final class WatchedStore: CacheStore {
  private let store: TestCacheStore
  private let flushes = Lock(0)
  private let isEarly = Lock(false)
  let removals = Counter()

  init(_ store: TestCacheStore) { self.store = store }

  var salt: [UInt8] { store.salt }
  var problems: [CacheProblem] { [] }
  var isFlushedFirst: Bool { !isEarly.withLock { $0 } }

  func entries(for key: CacheKey) -> [CacheEntry] { store.entries(for: key) }
  func put(_ entry: CacheEntry) { store.put(entry) }
  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] { [] }
  func flush() async { flushes.withLock { $0 += 1 } }

  func remove(_ selection: CacheSelection) {
    if flushes.withLock({ $0 }) == 0 { isEarly.withLock { $0 = true } }
    store.remove(selection)
    removals.add()
  }
}
