#if SQLITE
  import Foundation
  import QuireTesting
  import Testing

  @testable import CacheWriter
  import SQLiteFile
  @testable import ServerAPI

  /// Several processes on one folder, and processes that are killed.
  @Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "needs /proc"))
  struct SQLiteCacheStoreProcessTests {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func `a process that is killed at any time loses no flushed entry`() async throws {
      var random = try SeededGenerator.fromEnvironment()
      var next = 0
      for run in 0..<Thoroughness.runs(25, full: 500) {
        let writer = try CacheWriterProcess("write", folder.path, "\(next)")
        var output = writer.awaitOutput()
        // A slow machine may not flush anything in the time that follows.
        let isWorking = run == 0 || Bool.random(using: &random)
        while isWorking, output.filter({ $0 == "\n" }).count < 2 {
          let line = writer.awaitOutput()
          try #require(!line.isEmpty, "the writer has ended")
          output += line
        }
        usleep(UInt32.random(in: 0...60_000, using: &random))
        output += writer.kill()
        // The last line may be truncated.
        let confirmed = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          .compactMap { Int($0) }.last
        let flushed = max(next, confirmed ?? 0)
        let store = folder.store()
        for number in max(0, flushed - 300)..<flushed {
          let found = store.entries(for: SharedEntry(number).key)
          try #require(found.count == 1, "\(number) of \(flushed)")
          try #require(found.allSatisfy(SharedEntry(number).isWhole))
        }
        next = flushed
        while let found = store.entries(for: SharedEntry(next).key).first {
          try #require(SharedEntry(next).isWhole(found))
          next += 1
        }
        try #require(store.problems.isEmpty)
      }
      #expect(next > 0)
      let store = folder.store()
      let kept = await store.listings(CacheSelection()).count
      #expect(kept == next || store.maximumBytes < next * 12_000)
      #expect(try folder.connection().number("SELECT count(*) FROM pragma_integrity_check") == 1)
    }

    @Test func `processes that share a folder read complete entries and report no problems`()
      async throws
    {
      var random = try SeededGenerator.fromEnvironment()
      let turns = Thoroughness.runs(400, full: 10_000)
      let others = try (0..<2).map { _ in
        try CacheWriterProcess("share", folder.path, "\(turns)")
      }
      let store = folder.store()
      repeat {
        let entry = SharedEntry(Int.random(in: 0..<40, using: &random))
        for found in store.entries(for: entry.key) { try #require(entry.isWhole(found)) }
        store.put(try entry.entry(time: -Double.random(in: 0...1, using: &random)))
        await store.flush()
      } while others.contains(where: \.isRunning)
      for other in others {
        let reported = other.end().split(separator: " ", omittingEmptySubsequences: false)
        try #require(reported.count >= 3, "\(reported)")
        #expect(reported[0] == "\(turns)")
        #expect(reported[1] == "0")
        #expect(reported[2...].joined(separator: " ") == "\n")
      }
      #expect(store.problems.isEmpty)
    }

    @Test func `processes that detect damage concurrently agree on one new database`() async throws {
      for _ in 0..<Thoroughness.runs(5, full: 50) {
        let folder = try StoreFolder()
        try FileManager.default.createDirectory(
          atPath: folder.path, withIntermediateDirectories: true)
        try "no database".write(
          toFile: folder.file("cache-0.sqlite"), atomically: false, encoding: .utf8)
        let others = try (0..<4).map { _ in try CacheWriterProcess("share", folder.path, "50") }
        let reported = others.map { $0.end() }
        #expect(reported.joined().components(separatedBy: "recreated").count == 2, "\(reported)")
        #expect(folder.files.filter { $0.hasSuffix(".sqlite") } == ["cache-1.sqlite"])
      }
    }

    @Test func `a read-only folder is read`() async throws {
      let store = folder.store()
      for number in 0..<20 { store.put(try SharedEntry(number).entry(time: 0)) }
      await store.flush()
      // First with a log next to the database, as a killed process leaves it, then without.
      try folder.connection().run("PRAGMA wal_checkpoint(TRUNCATE)")
      let parent = URL(fileURLWithPath: folder.path).deletingLastPathComponent()
      for path in [folder.path, parent.path, parent.deletingLastPathComponent().path] {
        chmod(path, 0o555)
      }
      for name in folder.files { chmod(folder.file(name), 0o444) }
      // If the tests run as root, the reader runs as user nobody, which accepts only its own folder.
      if getuid() == 0 {
        for path in [folder.path] + folder.files.map(folder.file) { chown(path, 65_534, 65_534) }
      }
      defer {
        chmod(parent.path, 0o700)
        chmod(parent.deletingLastPathComponent().path, 0o700)
      }
      let reader = try CacheWriterProcess("read", folder.path)
      #expect(reader.end() == "20 20 0 readOnly\n")
      chmod(folder.path, 0o755)
      for name in folder.files where !name.hasSuffix(".sqlite") {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
      chmod(folder.path, 0o555)
      #expect(try CacheWriterProcess("read", folder.path).end() == "20 20 0 readOnly\n")
      chmod(folder.path, 0o755)
      try FileManager.default.removeItem(atPath: folder.database)
      chmod(folder.path, 0o555)
      #expect(try CacheWriterProcess("read", folder.path).end() == "0 0 0 unusable\n")
    }
  }
#endif
