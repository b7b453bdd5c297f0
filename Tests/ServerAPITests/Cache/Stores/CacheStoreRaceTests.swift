#if SQLITE
  import Foundation
  import QuireTesting
  import Testing

  @testable import CacheWriter
  @testable import ServerAPI

  /// Concurrent tasks on one store.
  @Suite struct CacheStoreRaceTests {
    @Test func `concurrent tasks on a memory store get complete entries`() async throws {
      try await storm(MemoryCacheStore(maximumBytes: 300_000))
    }

    @Test func `concurrent tasks on a database get complete entries`() async throws {
      let folder = try StoreFolder()
      let store = folder.store(maximumBytes: 600_000)
      try await storm(store)
      #expect(store.problems.isEmpty)
      try await storm(folder.store(maximumBytes: 300_000))
    }

    @Test func `a task finds its entries until it removes them`() async throws {
      let folder = try StoreFolder()
      let stores: [any CacheStore] = [MemoryCacheStore(), folder.store()]
      for store in stores {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for task in 0..<4 {
            group.addTask {
              for turn in 0..<100 {
                let entry = try SharedEntry(task).entry(time: Double(turn))
                store.put(entry)
                if turn % 7 == task { await store.flush() }
                let found = store.entries(for: entry.key)
                try #require(found.map(\.content.receivedAt) == [Double(turn)])
                if turn % 5 == 0 {
                  store.remove(CacheSelection(key: entry.key))
                  try #require(store.entries(for: entry.key).isEmpty)
                }
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(store.problems.isEmpty)
      }
    }

    private func storm(_ store: some CacheStore) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for seeded in try SeededGenerator.runs(Thoroughness.runs(6)) {
          group.addTask {
            var random = seeded
            for turn in 0..<150 {
              let entry = SharedEntry(Int.random(in: 0..<12, using: &random))
              switch Int.random(in: 0..<20, using: &random) {
              case 0..<7: store.put(try entry.entry(time: Double(turn)))
              case 7: store.remove(CacheSelection(key: entry.key))
              case 8:
                var selection = CacheSelection()
                selection.receivedBefore = Date(timeIntervalSince1970: Double(turn - 20))
                store.remove(selection)
              case 9: _ = await store.listings(CacheSelection())
              case 10: await store.flush()
              case 11: _ = store.salt
              default:
                for found in store.entries(for: entry.key) { try #require(entry.isWhole(found)) }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      await store.flush()
    }
  }
#endif
