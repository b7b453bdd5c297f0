#if SQLITE
  import Foundation
  import SQLiteFile
  import Support
  import Testing

  @testable import ServerAPI

  /// A database does only what the store requests.
  @Suite struct CacheSchemaTests {
    let folder: StoreFolder
    let key = CacheKey(.responses, "https://api.test/books")

    init() throws { folder = try StoreFolder() }

    private func fill() async throws {
      let store = folder.store()
      store.put(try sampleEntry(key.text))
      await store.flush()
    }

    @Test(arguments: [
      "CREATE TRIGGER t AFTER INSERT ON entry BEGIN UPDATE entry SET body = 'evil'; END",
      "CREATE VIEW v AS SELECT * FROM entry", "CREATE TABLE other (x)",
      "CREATE INDEX i ON entry (address)", "CREATE INDEX i ON entry (upper(address))",
      "DROP INDEX entry_use", "ALTER TABLE entry ADD COLUMN more TEXT",
      "DROP INDEX entry_place; CREATE INDEX entry_place ON entry (digest, partition, variant)",
      "ALTER TABLE entry RENAME TO t; CREATE VIEW entry AS SELECT * FROM t",
      "DROP TABLE store; CREATE TABLE store (salt BLOB NOT NULL, bytes INTEGER NOT NULL DEFAULT 0);"
        + " INSERT INTO store VALUES (randomblob(16), 0)",
    ])
    func `a database with another schema is replaced by a new one`(
      sql: String
    ) async throws {
      try await fill()
      try folder.connection().run(sql)
      let store = folder.store()
      try await store.prepare()
      #expect(store.problems.map(\.kind) == [.recreated])
      #expect(store.entries(for: key).isEmpty)
      #expect(folder.files.filter { $0.hasSuffix(".sqlite") } == ["cache-1.sqlite"])
      store.put(try sampleEntry(key.text))
      await store.flush()
      let another = folder.store()
      #expect(another.variants(key) == [""])
      #expect(another.problems.isEmpty)
    }

    @Test func `an unchanged database is used again`() async throws {
      try await fill()
      let store = folder.store()
      #expect(store.variants(key) == [""])
      #expect(store.problems.isEmpty)
      #expect(folder.files.contains("cache-0.sqlite"))
    }

    @Test func `the schema is the one of earlier versions`() {
      // Another text would replace every existing cache.
      let sum = SHA256.digest(Array(CacheSchema.objects.map(\.sql).joined(separator: "\n").utf8))
      #expect(sum.prefix(4) == [57, 179, 221, 115])
    }

    @Test func `triggers and views of a schema have no effect`() async throws {
      try await fill()
      let connection = try folder.connection()
      try connection.run("CREATE TRIGGER t AFTER UPDATE ON store BEGIN DELETE FROM entry; END")
      try connection.run("UPDATE store SET bytes = bytes")
      #expect(try connection.number("SELECT count(*) FROM entry") == 1)
      try connection.run("CREATE VIEW v AS SELECT 1")
      #expect(throws: SQLiteFailure.self) { try connection.number("SELECT * FROM v") }
      try? connection.run("PRAGMA writable_schema = ON")
      #expect(throws: SQLiteFailure.self) {
        try connection.run("UPDATE sqlite_master SET rootpage = 2")
      }
      #expect(try connection.number("PRAGMA trusted_schema") == 0)
    }
  }
#endif
