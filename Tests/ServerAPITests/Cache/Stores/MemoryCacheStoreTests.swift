import Foundation
import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct MemoryCacheStoreTests {
  let store = MemoryCacheStore()

  @Test func `it behaves like a dictionary`() async throws {
    for random in try SeededGenerator.runs(Thoroughness.runs(100, full: 2_000)) {
      let store = MemoryCacheStore()
      var script = CacheStoreScript(random)
      for _ in 0..<200 {
        let difference = try await script.step(store)
        try #require(difference == nil, "\(random)")
      }
      try #require(script.difference(store) == nil, "\(random)")
    }
  }

  @Test func `every entry is returned unchanged`() throws {
    let entry = try sampleEntry(
      partition: "ann", variant: "é\u{0}'", body: sampleBody(5_000_000),
      headers: ["Set": "", "X": String(repeating: "x", count: 100_000)],
      selectors: [.init(name: "accept", value: nil)])
    let bytes = try sampleEntry(
      partition: "ann", space: .bytes, body: sampleBody(5_000_000), note: [0, 255])
    let store = MemoryCacheStore(maximumBytes: 1 << 30)
    for entry in [entry, bytes] { store.put(entry) }
    for entry in [entry, bytes] { #expect(store.contents(entry.key) == [EntryContent(entry)]) }
    #expect(store.listings(CacheSelection(key: bytes.key)).first?.entry.body.isEmpty == true)
    #expect(store.problems.isEmpty)
  }

  @Test func `a user is removed without another one whose name Unicode considers equal`() throws {
    let names = ["Jos\u{E9}", "Jose\u{301}"]
    for name in names { store.put(try sampleEntry(partition: name)) }
    let cache = HTTPCache(store)
    cache.remove(partition: names[0])
    let keys = names.map { CacheKey(.responses, partition: $0, "https://api.test/books") }
    #expect(keys.map { store.entries(for: $0).count } == [0, 1])
    #expect(cache.removals.include(keys[0], since: 0))
    #expect(!cache.removals.include(keys[1], since: 0))
    #expect(CacheSelection(key: keys[0]) != CacheSelection(key: keys[1]))
  }

  @Test func `salts of two stores have nothing in common`() {
    let salts = (0..<100).map { _ in MemoryCacheStore().salt }
    #expect(Set(salts).count == 100)
    #expect(salts.allSatisfy { $0.count == 16 })
  }

  @Test func `it never exceeds its maximum size`() throws {
    var random = try SeededGenerator.fromEnvironment()
    let store = MemoryCacheStore(maximumBytes: 100_000)
    for number in 0..<5_000 {
      let count = 1 << Int.random(in: 0...14, using: &random)
      let text = "https://api.test/\(Int.random(in: 0..<300, using: &random))"
      store.put(
        try sampleEntry(text, variant: "\(number % 3)", body: sampleBody(count, number: number)))
      if Bool.random(using: &random) { _ = store.entries(for: CacheKey(.responses, text)) }
      try #require(store.bytes <= 100_000)
    }
    #expect(store.bytes > 80_000)
    // The recorded size matches the entries.
    #expect(store.listings(CacheSelection()).reduce(0) { $0 + $1.bytes } == store.bytes)
    store.remove(CacheSelection())
    #expect(store.bytes == 0)
  }

  @Test
  func `an entry larger than an eighth of the maximum size is not stored and removes the old one`()
    throws
  {
    let store = MemoryCacheStore(maximumBytes: 80_000)
    let key = CacheKey(.responses, "https://api.test/books")
    store.put(try sampleEntry(body: sampleBody(8_000)))
    #expect(store.variants(key) == [""])
    store.put(try sampleEntry(body: sampleBody(10_000)))
    #expect(store.variants(key) == [])
    #expect(store.bytes == 0)
  }

  @Test func `a store without room stores nothing`() throws {
    for bound in [Int.min, 0, 1] {
      let store = MemoryCacheStore(maximumBytes: bound)
      store.put(try sampleEntry())
      #expect(store.listings(CacheSelection()).isEmpty)
    }
  }

  @Test func `the least recently used entry is evicted`() throws {
    let store = MemoryCacheStore(maximumBytes: 64_000)
    let used = CacheKey(.responses, "https://api.test/0")
    for number in 0..<1_000 {
      store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(1_000)))
      #expect(store.variants(used) == [""])
    }
    #expect(store.variants(CacheKey(.responses, "https://api.test/1")) == [])
    #expect(store.variants(CacheKey(.responses, "https://api.test/999")) == [""])
  }

  @Test func `a large body is evicted before small ones of its age`() throws {
    let store = MemoryCacheStore(maximumBytes: 64_000)
    for number in 0..<20 {
      store.put(try sampleEntry("https://api.test/small/\(number)"))
      if number == 10 {
        store.put(try sampleEntry("https://api.test/large", body: sampleBody(7_000)))
      }
    }
    var number = 0
    while store.listings(CacheSelection(key: CacheKey(.responses, "https://api.test/large"))).count
      == 1
    {
      store.put(try sampleEntry("https://api.test/more/\(number)"))
      number += 1
      try #require(number < 1_000)
    }
    var small = CacheSelection()
    small.prefix = "https://api.test/small/"
    #expect(store.listings(small).count == 20)
  }

  @Test func `only the newest sixty-four variants are kept`() throws {
    let store = MemoryCacheStore(maximumBytes: 1 << 30)
    for number in 0..<10_000 { store.put(try sampleEntry(variant: "\(number)")) }
    let key = CacheKey(.responses, "https://api.test/books")
    #expect(store.variants(key) == Set((9_936..<10_000).map(String.init)))
  }

  @Test func `listings are sorted newest first and contain neither bodies nor secrets`() throws {
    let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_000_050))
    let store = MemoryCacheStore(time: clock.timeSource)
    let text = "https://api.test/books?page=2&api_key=hunter2"
    store.put(try sampleEntry(text, partition: "ann", variant: "en", receivedAt: 5))
    store.put(try sampleEntry("https://api.test/old", receivedAt: 3))
    store.put(try sampleEntry("https://api.test/new", receivedAt: 9))
    let listings = store.listings(CacheSelection())
    #expect(listings.map(\.receivedAt) == [9, 5, 3])
    #expect(listings.allSatisfy { $0.entry.body.isEmpty && $0.entry.response?.status == 200 })
    let listing = try #require(listings.dropFirst().first)
    #expect(listing.address == "https://api.test/books?page=2&api_key=[redacted]")
    #expect((listing.entry.key.partition, listing.entry.variant) == ("ann", "en"))
    #expect(listing.usedAt == Date(timeIntervalSince1970: 1_000_020))
    clock.advance(by: .seconds(60))
    #expect(store.listings(CacheSelection(key: CacheKey(.responses, text))).isEmpty)
    _ = store.entries(for: CacheKey(.responses, partition: "ann", text))
    let later = store.listings(CacheSelection(key: CacheKey(.responses, partition: "ann", text)))
    #expect(later.map(\.usedAt) == [Date(timeIntervalSince1970: 1_000_080)])
  }

  @Test func `a prefix matches addresses with any secrets`() throws {
    store.put(try sampleEntry("https://api.test/books?api_key=hunter2&page=2"))
    store.put(try sampleEntry("https://api.test/authors?api_key=hunter2"))
    var selection = CacheSelection()
    selection.prefix = "https://api.test/books?api_key=other&page="
    #expect(store.listings(selection).count == 1)
    selection.prefix = "https://api.test/books"
    store.remove(selection)
    #expect(store.listings(CacheSelection()).map(\.address).count == 1)
  }
}

@Suite struct EvictionOrderTests {
  @Test func `the next victim costs at least half as much as the most expensive entry`() throws {
    var random = try SeededGenerator.fromEnvironment()
    var order = EvictionOrder()
    var known: [Int: (bytes: Int, usedAt: Int)] = [:]
    var uses = 0
    for _ in 0..<Thoroughness.runs(20_000) {
      let slot = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        uses += 1
        known[slot] = (1 << Int.random(in: 0...20, using: &random) + 3, uses)
        order.put(slot, bytes: known[slot]?.bytes ?? 0)
      case 2 where known[slot] != nil:
        uses += 1
        known[slot]?.usedAt = uses
        order.use(slot)
      case 3 where known[slot] != nil:
        known[slot]?.bytes /= 3
        order.resize(slot, bytes: known[slot]?.bytes ?? 0)
      case 4 where known[slot] != nil:
        known[slot] = nil
        order.remove(slot)
      default: break
      }
      let costs = known.mapValues { Double($0.bytes) * Double(uses - $0.usedAt) }
      guard let named = order.nextVictim else {
        #expect(known.isEmpty)
        continue
      }
      #expect((costs[named] ?? -1) * 2 >= costs.values.max() ?? 0)
    }
  }
}
