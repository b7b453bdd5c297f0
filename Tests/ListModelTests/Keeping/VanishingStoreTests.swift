import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel

/// Lists that are restored from a store whose entries are removed in the meantime.
@MainActor @Suite(.timeLimit(.minutes(5))) struct VanishingStoreTests {
  private let bench = KeptListBench(pages: 5)

  private func list(_ store: some CacheStore) -> ListModel<Row> {
    bench.list { $0.keeping = ListKeeping(in: store) }
  }

  /// Restores a list, and reads the rest of it from the server.
  private func check(_ store: some CacheStore) async {
    let list = list(store)
    _ = await list.restore().outcome
    if let first = list.ids.first { #expect(list.ids == Array(first..<first + list.count)) }
    _ = await list.loadAll()
    while case .prepended = await list.loadPreviousPage().outcome {}
    #expect(list.ids == Array(0..<15))
  }

  @Test(arguments: 0..<12)
  func `a store that is cleared during a restore is no list or a part of it`(
    reads: Int
  ) async {
    _ = await bench.list().loadAll()
    await check(VanishingStore(bench.store, clearedAfter: reads))
  }

  @Test func `a store that evicts each entry after a read still restores all pages`() async {
    _ = await bench.list().loadAll()
    let store = VanishingStore(bench.store, evictsWhatIsRead: true)
    let list = list(store)
    #expect(await list.restore().outcome == .replaced(ListChange(inserted: [0..<15])))
    await check(store)
  }
}

/// A store that loses entries while it is read.
private final class VanishingStore: CacheStore {
  private let store: TestCacheStore
  private let evictsWhatIsRead: Bool
  /// The number of reads until the store is cleared.
  private let left: Lock<Int>

  init(_ store: TestCacheStore, clearedAfter reads: Int = .max, evictsWhatIsRead: Bool = false) {
    self.store = store
    self.evictsWhatIsRead = evictsWhatIsRead
    left = Lock(reads)
  }

  var salt: [UInt8] { store.salt }
  var problems: [CacheProblem] { [] }

  func entries(for key: CacheKey) -> [CacheEntry] {
    let isCleared = left.withLock { left in
      left -= 1
      return left < 0
    }
    if isCleared { store.remove(CacheSelection()) }
    let found = store.entries(for: key)
    if evictsWhatIsRead { store.remove(CacheSelection(key: key)) }
    return found
  }

  func put(_ entry: CacheEntry) { store.put(entry) }
  func remove(_ selection: CacheSelection) { store.remove(selection) }
  func listings(_ selection: CacheSelection) -> [CacheEntry.Listing] { [] }
  func flush() async {}
}
