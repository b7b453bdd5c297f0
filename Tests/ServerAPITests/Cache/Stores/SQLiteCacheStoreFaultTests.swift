#if SQLITE
  import Foundation
  import QuireTesting
  import Testing

  import SQLiteFile
  @testable import ServerAPI

  /// Damaged databases and unusable folders.
  @Suite struct SQLiteCacheStoreFaultTests {
    let folder: StoreFolder
    let key = CacheKey(.responses, "https://api.test/0")

    init() throws { folder = try StoreFolder() }

    /// Writes some entries with a store, and releases it.
    private func fill() async throws {
      var store: SQLiteCacheStore? = folder.store()
      for number in 0..<50 {
        store?.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(3_000)))
      }
      await store?.flush()
      store = nil
      // The last connection removes the log when it closes.
      while folder.files.contains("cache-0.sqlite-wal") { sched_yield() }
    }

    /// Expects that a store replaces its database, reports it once, and works.
    private func expectReplacement(_ store: SQLiteCacheStore) async throws {
      _ = store.entries(for: key)
      store.put(try sampleEntry("https://api.test/new"))
      await store.flush()
      let new = CacheKey(.responses, "https://api.test/new")
      #expect(store.variants(new) == [""])
      #expect(store.problems.map(\.kind) == [.recreated])
      let another = folder.store()
      #expect(another.variants(new) == [""])
      #expect(another.problems.isEmpty)
      // The old database is removed.
      #expect(folder.files.filter { $0.hasSuffix(".sqlite") } == ["cache-1.sqlite"])
    }

    @Test(arguments: [
      "just a text", String(repeating: "garbage ", count: 5_000),
      "SQLite format 3\u{0}" + String(repeating: "x", count: 9_000),
    ])
    func `a text file in place of the database is replaced`(text: String) async throws {
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      try text.write(toFile: folder.file("cache-0.sqlite"), atomically: false, encoding: .utf8)
      try await expectReplacement(folder.store())
    }

    @Test func `an empty file in place of the database becomes the database`() async throws {
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: folder.file("cache-0.sqlite"), contents: nil))
      let store = folder.store()
      store.put(try sampleEntry(key.text))
      await store.flush()
      #expect(folder.store().variants(key) == [""])
      #expect(store.problems.isEmpty)
    }

    @Test(arguments: [
      "PRAGMA application_id = 7", "PRAGMA user_version = 9", "DROP TABLE entry", "DELETE FROM store",
      "ALTER TABLE entry RENAME COLUMN head TO tail", "UPDATE store SET salt = 'short'",
    ])
    func `a database of another kind or version is replaced`(sql: String) async throws {
      try await fill()
      try folder.connection().run(sql)
      try await expectReplacement(folder.store())
    }

    @Test(arguments: [0.1, 0.5, 0.9])
    func `a truncated database is replaced or returns complete entries`(part: Double) async throws {
      try await fill()
      let size = try #require(FileManager.default.contents(atPath: folder.database)?.count)
      #expect(truncate(folder.database, Int(Double(size) * part)) == 0)
      let store = folder.store()
      for number in 0..<50 {
        let key = CacheKey(.responses, "https://api.test/\(number)")
        for entry in store.entries(for: key) { #expect(entry.content.body == sampleBody(3_000)) }
      }
      store.put(try sampleEntry("https://api.test/new"))
      await store.flush()
      #expect(store.variants(CacheKey(.responses, "https://api.test/new")) == [""])
      #expect(store.problems.allSatisfy { $0.kind == .recreated || $0.kind == .brokenEntry })
      #expect(!store.problems.isEmpty)
    }

    @Test func `a database with random damage returns complete entries or none`() async throws {
      var random = try SeededGenerator.fromEnvironment()
      for _ in 0..<Thoroughness.runs(25, full: 300) {
        let folder = try StoreFolder()
        let first = folder.store()
        for number in 0..<50 {
          first.put(
            try sampleEntry("https://api.test/\(number)", body: sampleBody(3_000, number: number)))
        }
        await first.flush()
        let file = folder.database
        try folder.connection().run("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          for offset in place..<min(bytes.count, place + Int.random(in: 1...64, using: &random)) {
            bytes[offset] = UInt8.random(in: 0...255, using: &random)
          }
        }
        // In place: the first store has the file open.
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.write(contentsOf: bytes)
        defer { withExtendedLifetime(handle) {} }
        let store = folder.store()
        for number in 0..<50 {
          let key = CacheKey(.responses, "https://api.test/\(number)")
          for entry in store.entries(for: key) {
            try #require(entry.content.body == sampleBody(3_000, number: number), "\(random)")
          }
        }
        _ = await store.listings(CacheSelection())
        store.put(try sampleEntry("https://api.test/new"))
        await store.flush()
        _ = first.entries(for: key)
        for problem in store.problems {
          #expect([.recreated, .brokenEntry].contains(problem.kind), "\(problem) \(random)")
        }
      }
    }

    @Test func `a damaged row is dropped and reported`() async throws {
      for (column, value) in [
        ("body", "x'00' || substr(body, 2)"), ("head", "substr(head, 1, 9)"), ("variant", "'other'"),
        ("checksum", "checksum + 1"), ("head", "'text'"), ("partition", "'bob'"), ("checksum", "'x'"),
      ] {
        let folder = try StoreFolder()
        let store = folder.store()
        let text = "https://api.test/0?api_key=hunter2"
        store.put(try sampleEntry(text, partition: "ann", body: sampleBody(500)))
        store.put(try sampleEntry("https://api.test/1"))
        await store.flush()
        try folder.connection().run("UPDATE entry SET \(column) = \(value) WHERE partition = 'ann'")
        let owner = column == "partition" ? "bob" : "ann"
        #expect(store.entries(for: CacheKey(.responses, partition: owner, text)).isEmpty)
        await store.flush()
        #expect(store.problems.map(\.kind) == [.brokenEntry])
        #expect(store.problems.allSatisfy { !$0.text.contains("hunter2") })
        #expect(await store.listings(CacheSelection()).map(\.address) == ["https://api.test/1"])
        let connection = try folder.connection()
        #expect(
          try connection.number("SELECT sum(bytes) FROM entry")
            == connection.number("SELECT bytes FROM store"))
      }
    }

    @Test func `a database that is damaged while in use is replaced`() async throws {
      let store = folder.store()
      for number in 0..<200 {
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(3_000)))
      }
      await store.flush()
      let other = folder.store()
      #expect(other.variants(key) == [""])
      let connection = try folder.connection()
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
      let handle = try #require(FileHandle(forWritingAtPath: folder.database))
      try handle.write(contentsOf: Data(repeating: 0x5A, count: 500_000))
      try connection.run("PRAGMA user_version")
      // The page cache hides the damage from a connection until another one has written.
      store.put(try sampleEntry("https://api.test/new"))
      await store.flush()
      for number in 0..<200 {
        _ = store.entries(for: CacheKey(.responses, "https://api.test/\(number)"))
        _ = other.entries(for: CacheKey(.responses, "https://api.test/\(number)"))
      }
      store.put(try sampleEntry("https://api.test/newer"))
      await store.flush()
      other.put(try sampleEntry("https://api.test/newest"))
      await other.flush()
      let names = ["newer", "newest"].map { CacheKey(.responses, "https://api.test/\($0)") }
      for store in [store, other, folder.store()] {
        for name in names { #expect(store.variants(name) == [""]) }
      }
      let reported = store.problems + other.problems
      #expect(reported.contains { $0.kind == .recreated })
      withExtendedLifetime(handle) {}
    }

    @Test func `a removed folder is created again`() async throws {
      let store = folder.store()
      store.put(try sampleEntry(key.text))
      await store.flush()
      try FileManager.default.removeItem(atPath: folder.path)
      store.put(try sampleEntry("https://api.test/1"))
      await store.flush()
      #expect(folder.store().variants(CacheKey(.responses, "https://api.test/1")) == [""])
      #expect(store.problems.isEmpty)
    }

    @Test func `a database that another process locks is not replaced`() async throws {
      try await fill()
      let other = try folder.connection()
      try other.run("BEGIN EXCLUSIVE")
      let store = folder.store(settings: .init(readTimeout: 1, writeTimeout: 1))
      #expect(store.variants(key) == [""])
      store.put(try sampleEntry("https://api.test/new"))
      store.remove(CacheSelection(key: key))
      await store.flush()
      #expect(store.problems.map(\.kind) == [.busy])
      // The new entry could not be written; the removal still applies.
      #expect(store.variants(CacheKey(.responses, "https://api.test/new")) == [])
      #expect(store.variants(key) == [])
      try other.run("ROLLBACK")
      await store.flush()
      #expect(folder.store().variants(key) == [])
      #expect(await folder.store().listings(CacheSelection()).count == 49)
      #expect(folder.files.contains("cache-0.sqlite"))
    }

    @Test func `entries stay readable on a full disk`() async throws {
      let store = folder.store(settings: .init(maximumPages: 12))
      for number in 0..<100 {
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(3_000)))
        await store.flush()
      }
      #expect(store.problems.map(\.kind) == [.full])
      #expect(store.variants(key) == [""])
      let count = await store.listings(CacheSelection()).count
      #expect(count > 10 && count < 100)
      // The store recovers when there is room again, and reports the next full disk again.
      store.remove(CacheSelection())
      await store.flush()
      store.put(try sampleEntry("https://api.test/new"))
      await store.flush()
      #expect(folder.store().variants(CacheKey(.responses, "https://api.test/new")) == [""])
      for number in 0..<100 {
        store.put(try sampleEntry("https://api.test/\(number)", body: sampleBody(3_000)))
        await store.flush()
      }
      #expect(store.problems.map(\.kind) == [.full, .full])
    }

    @Test func `a folder that can't be created is reported once`() async throws {
      let clock = ManualClock()
      for path in ["/dev/null/cache", "/proc/cache/x"] {
        let store = SQLiteCacheStore(folder: URL(filePath: path), time: clock.timeSource)
        for _ in 0..<3 {
          #expect(store.entries(for: key).isEmpty)
          store.put(try sampleEntry())
          await store.flush()
          #expect(await store.listings(CacheSelection()).isEmpty)
          clock.advance(by: .seconds(10))
        }
        #expect(store.salt.count == 16)
        #expect(store.salt == store.salt)
        #expect(store.problems.map(\.kind) == [.unusable], "\(path): \(store.problems)")
        #expect(store.problems.allSatisfy { $0.text.hasPrefix(path) })
      }
    }

    @Test func `only the latest problems are kept`() {
      var log = ProblemLog()
      for number in 0..<100 { log.add(CacheProblem(.brokenEntry, "\(number)")) }
      log.add(CacheProblem(.brokenEntry, "99"))
      #expect(log.problems.map(\.text) == (68..<100).map(String.init))
      log.add(CacheProblem(.full, "a"))
      log.add(CacheProblem(.full, "b"))
      log.end()
      log.add(CacheProblem(.full, "c"))
      #expect(log.problems.suffix(2).map(\.text) == ["a", "c"])
    }

    @Test(arguments: ["", "-wal", "-journal"])
    func `a pipe in place of a file of the database is replaced, and not waited for`(
      _ suffix: String
    ) async throws {
      try await fill()
      let name = folder.database + suffix
      unlink(name)
      #expect(mkfifo(name, 0o600) == 0)
      try await expectReplacement(folder.store())
    }
  }
#endif
