#if SQLITE
  import Foundation
  import QuireTesting
  import SQLiteFile
  import Support
  import Testing

  @testable import ServerAPI

  @Suite struct SQLiteCacheStoreTests {
    let folder: StoreFolder
    let store: SQLiteCacheStore

    init() throws {
      folder = try StoreFolder()
      store = folder.store()
    }

    @Test func `it behaves like a dictionary, whether entries are written or pending`() async throws {
      for random in try SeededGenerator.runs(Thoroughness.runs(15, full: 300)) {
        let folder = try StoreFolder()
        var store = folder.store()
        var script = CacheStoreScript(random)
        for _ in 0..<300 {
          let difference = try await script.step(store)
          try #require(difference == nil, "\(random) \(store.problems)")
          switch Int.random(in: 0..<40, using: &script.random) {
          case 0:
            await store.flush()
            store = folder.store()
          case 1: await store.flush()
          default: break
          }
        }
        try #require(script.difference(store) == nil, "\(random)")
        await store.flush()
        try #require(script.difference(store) == nil, "\(random)")
        try #require(script.difference(folder.store()) == nil, "\(random)")
        try #require(store.problems.isEmpty)
      }
    }

    @Test func `nothing is created before the first use`() {
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      #expect(store.problems.isEmpty)
    }

    @Test func `only the owner of the folder may read it`() async throws {
      store.put(try sampleEntry())
      await store.flush()
      _ = store.entries(for: CacheKey(.responses, "x"))
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      #expect(try mode(folder.path) == 0o700)
      #expect(folder.files.contains("cache-0.sqlite-wal"))
      for file in folder.files { #expect(try mode(folder.file(file)) == 0o600, "\(file)") }
    }

    @Test func `every entry is returned unchanged, before and after it is written`() async throws {
      let entries = [
        try sampleEntry(body: ResponseBody()),
        try sampleEntry(variant: "large", body: sampleBody(5_000_000)),
        try sampleEntry(
          variant: "é\u{0}'\"", headers: ["It's": "\"x\"; DROP TABLE entry", "N": ""],
          selectors: [.init(name: "accept", value: nil), .init(name: "a", value: "\u{0}")]),
        try sampleEntry(variant: "head", headers: ["X": String(repeating: "é", count: 500_000)]),
        try sampleEntry(partition: "it's \u{0} \"hers\"", space: .bytes, note: [0, 255]),
        try sampleEntry("no address", space: .bytes, body: sampleBody(5_000_000)),
      ]
      let wanted = Set(entries.map(EntryContent.init))
      func found(_ store: SQLiteCacheStore) -> Set<EntryContent> {
        Set(Set(entries.map(\.key)).flatMap(store.contents))
      }
      for entry in entries { store.put(entry) }
      #expect(found(store) == wanted)
      await store.flush()
      #expect(found(store) == wanted)
      #expect(found(folder.store()) == wanted)
    }

    @Test func `a response whose address differs from its key keeps its address`() async throws {
      var entry = try sampleEntry("https://api.test/list")
      entry.key.text = "list of books, by name"
      var response = try #require(entry.response)
      response.url = try WebURL("https://api.test/books?page=2&api_key=hunter2")
      entry.content = .response(response)
      store.put(entry)
      await store.flush()
      let found = try #require(store.entries(for: entry.key).first)
      #expect(found.response?.url.path == "/books")
      #expect(found.response?.url.description.contains("hunter2") == false)
      #expect(await store.listings(CacheSelection()).map(\.address) == ["list of books, by name"])
    }

    @Test func `a time that is not a number affects no other entry`() async throws {
      store.put(try sampleEntry("https://api.test/1"))
      store.put(try sampleEntry("https://api.test/2", receivedAt: .nan))
      store.put(try sampleEntry("https://api.test/3", receivedAt: -.infinity))
      await store.flush()
      let store = folder.store()
      for number in 1...3 {
        #expect(store.variants(CacheKey(.responses, "https://api.test/\(number)")) == [""])
      }
      #expect(await store.listings(CacheSelection()).count == 3)
      #expect(store.problems.isEmpty)
    }

    @Test func `the last put wins, whether earlier ones are written or not`() async throws {
      let key = CacheKey(.responses, "https://api.test/books")
      for number in 1...50 {
        store.put(try sampleEntry(receivedAt: Double(number)))
        #expect(store.entries(for: key).map(\.content.receivedAt) == [Double(number)])
      }
      store.remove(CacheSelection(key: key))
      #expect(store.entries(for: key).isEmpty)
      await store.flush()
      #expect(store.entries(for: key).isEmpty)
      store.put(try sampleEntry())
      store.remove(CacheSelection())
      store.put(try sampleEntry(receivedAt: 77))
      #expect(store.entries(for: key).map(\.content.receivedAt) == [77])
      await store.flush()
      #expect(folder.store().entries(for: key).map(\.content.receivedAt) == [77])
    }

    @Test func `queued entries are written after the store is released`() async throws {
      var store: SQLiteCacheStore? = folder.store()
      weak let observed = store?.writer
      for number in 0..<100 { store?.put(try sampleEntry("https://api.test/\(number)")) }
      store = nil
      while observed != nil { sched_yield() }
      #expect(await folder.store().listings(CacheSelection()).count == 100)
    }

    @Test func `the salt lives as long as the database`() throws {
      let salt = store.salt
      #expect(salt.count == 16)
      #expect(folder.store().salt == salt)
      #expect(try StoreFolder().store().salt != salt)
    }

    @Test func `a flush without changes returns`() async {
      await store.flush()
      await store.flush()
      #expect(folder.files.isEmpty)
    }

    @Test func `the least recently used entry is evicted first`() async throws {
      let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 600_000))
      let store = folder.store(maximumBytes: 200_000, time: clock.timeSource)
      for number in 0..<10 {
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(15_000)))
        await store.flush()
        clock.advance(by: .seconds(60))
      }
      let old = CacheKey(.responses, "https://api.test/0")
      #expect(store.entries(for: old).count == 1)
      #expect(
        await store.listings(CacheSelection(key: old)).map(\.usedAt.timeIntervalSince1970) == [
          600_600
        ])
      await store.flush()
      #expect(
        await folder.store().listings(CacheSelection(key: old)).map(\.usedAt.timeIntervalSince1970)
          == [600_600])
      for number in 10..<14 {
        clock.advance(by: .seconds(60))
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(15_000)))
      }
      await store.flush()
      let left = await store.listings(CacheSelection())
      #expect(left.contains { $0.address == "https://api.test/0" })
      #expect(!left.contains { $0.address == "https://api.test/1" })
      #expect(left.reduce(0) { $0 + $1.bytes } <= 200_000)
    }

    @Test func `an entry that is put repeatedly uses the space of one`() async throws {
      let store = folder.store(maximumBytes: 200_000)
      store.put(try sampleEntry("https://api.test/kept", body: sampleBody(15_000)))
      for number in 0..<30 {
        store.put(
          try sampleEntry("https://api.test/again", body: sampleBody(15_000, number: number)))
        await store.flush()
      }
      let left = await store.listings(CacheSelection())
      #expect(Set(left.map(\.address)) == ["https://api.test/kept", "https://api.test/again"])
      let reported = left.reduce(0) { $0 + $1.bytes }
      #expect(try folder.connection().number("SELECT bytes FROM store") == reported)
    }

    @Test func `the files stay near the maximum size`() async throws {
      let bound = 4 << 20
      let store = folder.store(maximumBytes: bound)
      for number in 0..<600 {
        store.put(
          try sampleEntry(
            "https://api.test/\(number)", body: sampleBody(number * 7919 % 100_000, number: number)))
        if number % 20 == 0 { await store.flush() }
      }
      await store.flush()
      #expect(store.problems.isEmpty)
      let reported = await store.listings(CacheSelection()).reduce(0) { $0 + $1.bytes }
      #expect(reported <= bound && reported > bound / 2)
      let connection = try folder.connection()
      #expect(try connection.number("SELECT bytes FROM store") == reported)
      #expect(
        try connection.number("PRAGMA page_count") * connection.number("PRAGMA page_size")
          <= bound * 5 / 4 + (1 << 20))
      store.remove(CacheSelection())
      await store.flush()
      #expect(try connection.number("PRAGMA page_count") * CacheSchema.pageSize < 3 << 20)
      #expect(try connection.number("SELECT bytes FROM store") == 0)
    }

    @Test
    func `an entry larger than an eighth of the maximum size is not stored and removes the old one`()
      async throws
    {
      let store = folder.store(maximumBytes: 160_000)
      let key = CacheKey(.responses, "https://api.test/books")
      store.put(try sampleEntry(body: sampleBody(5_000)))
      await store.flush()
      #expect(store.variants(key) == [""])
      store.put(try sampleEntry(body: sampleBody(25_000)))
      await store.flush()
      #expect(store.variants(key) == [])
    }

    @Test func `only the newest sixty-four variants are kept`() async throws {
      let key = CacheKey(.responses, "https://api.test/books")
      for number in 0..<10_000 {
        store.put(try sampleEntry(variant: "\(number)"))
        if number % 1_000 == 0 { #expect(store.entries(for: key).count <= 128) }
      }
      await store.flush()
      #expect(store.variants(key) == Set((9_936..<10_000).map(String.init)))
      #expect(store.problems.isEmpty)
    }

    @Test func `the files contain no secret of an address`() async throws {
      let text = "https://api.test/books?page=2&api_key=hunter2zebra&access_token=sesameopen"
      let entry = try sampleEntry(text, body: ResponseBody(text: "the body itself"))
      store.put(entry)
      var other = try sampleEntry("https://api.test/other?client_secret=quaggamire")
      other.key.text = "list"
      store.put(other)
      await store.flush()
      #expect(store.contents(entry.key) == [EntryContent(entry)])
      var selection = CacheSelection()
      selection.prefix = "https://api.test/books?page=2&api_key=hunter2zebra"
      #expect(await store.listings(selection).count == 1)
      store.remove(selection)
      store.remove(CacheSelection(key: entry.key))
      let bytes = folder.bytes()
      // The search finds text that is there.
      #expect(bytes.contains(text: "the body itself"))
      #expect(bytes.contains(text: "https://api.test/books?page=2&api_key=[redacted]"))
      for secret in ["hunter2", "zebra", "sesameopen", "quaggamire"] {
        #expect(!bytes.contains(text: secret))
      }
    }

    @Test func `entries beyond the pending limit are dropped and reported, removals are not`()
      async throws
    {
      let key = CacheKey(.responses, "https://api.test/0")
      store.put(try sampleEntry(key.text))
      await store.flush()
      // Another connection holds the write lock.
      let other = try folder.connection()
      try other.run("BEGIN IMMEDIATE")
      for number in 1..<40 {
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(1 << 20)))
      }
      #expect(store.problems.map(\.kind) == [.busy])
      store.remove(CacheSelection(key: key))
      #expect(store.variants(key) == [])
      #expect(store.variants(CacheKey(.responses, "https://api.test/1")) == [""])
      #expect(store.variants(CacheKey(.responses, "https://api.test/39")) == [])
      try other.run("ROLLBACK")
      await store.flush()
      #expect(store.variants(key) == [])
      #expect(await store.listings(CacheSelection()).count == 15)
    }

    @Test func `entries used while the clock was ahead are evicted after it is corrected`()
      async throws
    {
      let year = 365 * 86_400.0
      let now = Lock(1_780_272_000 + 20 * year)
      let time = TimeSource(
        now: { .zero }, date: { Date(timeIntervalSince1970: now.withLock { $0 }) }, sleep: { _ in })
      let folder = try StoreFolder()
      let store = folder.store(maximumBytes: 1 << 20, time: time)
      for number in 0..<70 {
        store.put(try sampleEntry("https://api.test/old\(number)", body: sampleBody(15_000)))
      }
      await store.flush()
      now.withLock { $0 -= 20 * year }
      for number in 0..<50 {
        store.put(try sampleEntry("https://api.test/new\(number)", body: sampleBody(15_000)))
        await store.flush()
        #expect(store.variants(CacheKey(.responses, "https://api.test/new\(number)")) == [""])
        now.withLock { $0 += 120 }
      }
    }
  }
#endif
