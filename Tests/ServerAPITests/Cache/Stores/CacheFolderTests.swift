#if SQLITE
  import Foundation
  import QuireTesting
  import SQLiteFile
  import Support
  import Testing

  @testable import ServerAPI

  /// A folder, or a file in it, that another user could have changed is not used.
  @Suite struct CacheFolderTests {
    let folder: StoreFolder
    let key = CacheKey(.responses, "https://api.test/books")

    init() throws { folder = try StoreFolder() }

    private func make(mode: mode_t = 0o700) throws {
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      #expect(chmod(folder.path, mode) == 0)
    }

    /// Expects that a store reads and writes nothing, and that every call fails before anything is sent.
    private func expectRefusal(
      _ path: String, because text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let store = SQLiteCacheStore(folder: URL(filePath: path))
      let problem = await #expect(throws: CacheProblem.self, sourceLocation: sourceLocation) {
        try await store.prepare()
      }
      #expect(problem?.kind == .insecure, sourceLocation: sourceLocation)
      let message = problem?.text ?? ""
      #expect(
        message.hasPrefix(path) && message.contains(text), "\(message)",
        sourceLocation: sourceLocation)
      store.put(try sampleEntry(key.text))
      await store.flush()
      #expect(store.entries(for: key).isEmpty, sourceLocation: sourceLocation)
      #expect(store.problems == problem.map { [$0] }, sourceLocation: sourceLocation)
      let wanted = RequestError.Kind.invalidRequest(.init(.configuration, message))
      let cache = HTTPCache.disk(at: URL(filePath: path))
      let refusal = await #expect(throws: RequestError.self, sourceLocation: sourceLocation) {
        try await cache.prepare()
      }
      #expect(refusal?.kind == wanted, sourceLocation: sourceLocation)
      #expect(cache.problems == [message], sourceLocation: sourceLocation)
      for partition in [nil, "ann"] {
        let books = CachedServer(
          [.status(200, [:], "x")], store: SQLiteCacheStore(folder: URL(filePath: path))
        ) {
          $0.cachePartition = partition
        }
        #expect(await books.failure() == wanted, sourceLocation: sourceLocation)
        #expect(await books.failure("/books", .noStore) == wanted, sourceLocation: sourceLocation)
        #expect(books.requestCount == 0, sourceLocation: sourceLocation)
      }
    }

    /// Expects that a store keeps its entries. The store is released and its files are closed on return.
    private func expectWorking(_ path: String) async throws {
      var store: SQLiteCacheStore? = SQLiteCacheStore(folder: URL(filePath: path))
      weak let writer = store?.writer
      try await store?.prepare()
      store?.put(try sampleEntry(key.text))
      await store?.flush()
      #expect(store?.variants(key) == [""])
      #expect(store?.problems.isEmpty == true)
      store = nil
      while writer != nil { sched_yield() }
    }

    // MARK: The folder

    @Test func `the missing parents of a folder are created, whatever their names`() async throws {
      try await expectWorking(folder.path + "/\u{301}a\u{600}/b/\u{301}c")
      try await expectWorking(folder.path + "/d\u{600}/e\u{600}/")
    }

    @Test(arguments: [0o777, 0o1777, 0o770, 0o720, 0o702] as [mode_t])
    func `a folder that others may write to is refused`(mode: mode_t) async throws {
      try make(mode: mode)
      try await expectRefusal(folder.path, because: "run chmod go-w")
      #expect(folder.files.isEmpty)
      #expect(chmod(folder.path, 0o755) == 0)
      try await expectWorking(folder.path)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a folder of another user is refused`() async throws {
      try make()
      #expect(chown(folder.path, 65_534, 65_534) == 0)
      try await expectRefusal(
        folder.path, because: "belongs to user 65534, but this program runs as user 0")
      #expect(folder.files.isEmpty)
    }

    @Test func `a folder is created in a world-writable one with the sticky bit`() async throws {
      let parent = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      #expect(chmod(parent, 0o1777) == 0)
      try await expectWorking(folder.path)
      #expect(FileFacts(path: folder.path)?.mode == 0o700)
    }

    @Test func `links on the way to the folder, and the user's own link to it, are followed`()
      async throws
    {
      try make()
      let parent = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
      let (way, link) = (parent + "-way", parent + "-link")
      #expect(symlink(parent, way) == 0 && symlink(folder.path, link) == 0)
      try await expectWorking(way + "/cache")
      #expect(folder.files.contains("cache-0.sqlite"))
      #expect(folder.store().variants(key) == [""])
      #expect(SQLiteCacheStore(folder: URL(filePath: link + "/")).variants(key) == [""])
      try await expectWorking(link)
      #expect(chmod(folder.path, 0o777) == 0)
      try await expectRefusal(link, because: "mode 777")
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a link of another user to a folder is refused`() async throws {
      try make()
      let link = folder.path + "-link"
      #expect(symlink(folder.path, link) == 0 && lchown(link, 65_534, 65_534) == 0)
      try await expectRefusal(link, because: "is a symbolic link of user 65534")
      #expect(folder.files.isEmpty)
    }

    @Test func `a refused folder is used once its permissions are fixed`() async throws {
      try make(mode: 0o777)
      let clock = ManualClock()
      let store = folder.store(time: clock.timeSource)
      let server = CachedServer([.status(200, ["Cache-Control": "max-age=600"], "x")], store: store)
      #expect(await server.failure() != nil)
      #expect(chmod(folder.path, 0o700) == 0)
      clock.advance(by: .seconds(5))
      _ = try await server.get()
      #expect(try await server.get().source.isCache)
    }

    // MARK: Files in it

    @Test(arguments: [
      "lock", "cache-0.sqlite", "cache-0.sqlite-wal", "cache-0.sqlite-shm", "cache-0.sqlite-journal",
    ])
    func `no link in the folder is followed`(name: String) async throws {
      try await expectWorking(folder.path)
      let target = folder.path + "-target"
      try? FileManager.default.removeItem(atPath: target)
      let content = FileManager.default.contents(atPath: folder.file(name)) ?? Data("precious".utf8)
      #expect(FileManager.default.createFile(atPath: target, contents: content))
      try? FileManager.default.removeItem(atPath: folder.file(name))
      #expect(symlink(target, folder.file(name)) == 0)
      let store = folder.store()
      await #expect(throws: CacheProblem.self) { try await store.prepare() }
      #expect(store.problems.map(\.kind) == [.insecure])
      #expect(store.problems.first?.text.hasPrefix(folder.file(name)) == true)
      #expect(store.problems.first?.text.contains("symbolic link") == true)
      store.put(try sampleEntry("https://api.test/new"))
      await store.flush()
      #expect(FileManager.default.contents(atPath: target) == content)
      #expect(FileFacts(path: folder.file(name))?.kind == .link)
      // A dangling link creates nothing.
      try FileManager.default.removeItem(atPath: target)
      await #expect(throws: CacheProblem.self) { try await folder.store().prepare() }
      #expect(FileFacts(path: target) == nil)
    }

    @Test func `a connection follows no link either`() async throws {
      try await expectWorking(folder.path)
      let link = folder.path + "-link"
      #expect(symlink(folder.database, link) == 0)
      #expect(throws: SQLiteFailure.self) { try SQLiteConnection(link, .readWrite, isPassive: true) }
      #expect(throws: SQLiteFailure.self) { try SQLiteConnection(link, .immutable, isPassive: true) }
    }

    @Test(arguments: ["lock", "cache-0.sqlite"])
    func `a file that others may write to is refused`(name: String) async throws {
      try await expectWorking(folder.path)
      #expect(chmod(folder.file(name), 0o666) == 0)
      let store = folder.store()
      let problem = await #expect(throws: CacheProblem.self) { try await store.prepare() }
      #expect(problem?.kind == .insecure)
      #expect(
        problem?.text.contains("\(name): can't be used: it can be changed by other users") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: ["lock", "cache-0.sqlite"])
    func `a file of another user is refused`(name: String) async throws {
      try await expectWorking(folder.path)
      #expect(chown(folder.file(name), 65_534, 65_534) == 0)
      let problem = await #expect(throws: CacheProblem.self) { try await folder.store().prepare() }
      #expect(problem?.kind == .insecure)
      #expect(problem?.text.contains("belongs to user 65534") == true)
    }

    @Test func `a database that others could read becomes private`() async throws {
      try await expectWorking(folder.path)
      #expect(chmod(folder.database, 0o644) == 0)
      try await folder.store().prepare()
      #expect(FileFacts(path: folder.database)?.mode == 0o600)
    }

    @Test func `a file with the highest possible number is not a database`() async throws {
      try make()
      let name = folder.file("cache-\(Int.max).sqlite")
      #expect(FileManager.default.createFile(atPath: name, contents: Data("text".utf8)))
      try await expectWorking(folder.path)
    }
  }
#endif
