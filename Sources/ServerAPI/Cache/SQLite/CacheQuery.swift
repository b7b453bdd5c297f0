#if SQLITE
  internal import SQLiteFile
  internal import Support

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The statements that each connection keeps prepared.
  enum CacheQuery: Int, CaseIterable {
    case entries
    case delete
    case insert
    case countVariants
    case recordUse
    case clampUses
    case leastUsed
    case deleteRow
    case total
    case setTotal

    var sql: String {
      switch self {
      case .entries:
        """
        SELECT id, variant, received, used, checksum, head, body FROM entry
        WHERE digest = ?1 AND partition = ?2
        """
      case .delete:
        "DELETE FROM entry WHERE digest = ?1 AND partition = ?2 AND variant = ?3 RETURNING bytes"
      case .insert:
        """
        INSERT INTO entry
        (digest, partition, variant, space, address, received, used, bytes, checksum, head, body)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """
      case .countVariants:
        "SELECT count(*), min(id) FROM entry WHERE digest = ?1 AND partition = ?2"
      case .recordUse: "UPDATE entry SET used = ?2 WHERE id = ?1 AND used < ?2"
      case .clampUses: "UPDATE entry SET used = ?1 WHERE used > ?1"
      case .leastUsed: "SELECT id FROM entry ORDER BY used, id LIMIT 64"
      case .deleteRow: "DELETE FROM entry WHERE id = ?1 RETURNING bytes"
      case .total: "SELECT bytes FROM store"
      case .setTotal: "UPDATE store SET bytes = ?1"
      }
    }
  }

  extension SQLiteConnection {
    /// Returns a statement that is kept prepared. It must be reset after use.
    func statement(_ query: CacheQuery) throws(SQLiteFailure) -> SQLiteStatement {
      try kept(query.rawValue, query.sql)
    }
  }

  /// The schema and the settings of the database.
  enum CacheSchema {
    /// The application id of a cache database: “Quir”.
    static let application = 0x5175_6972
    static let version = 2

    /// Large, so that a typical body is read in three pages instead of nine.
    static let pageSize = 16_384

    /// Set before the first write. Incremental vacuum returns the space of removed entries.
    static let layout = """
      PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL
      """

    /// Set for every connection. Commits don't wait for the disk: a power loss costs only the newest entries.
    static let session = """
      PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA secure_delete = FAST; PRAGMA cache_size = -4096;
      PRAGMA wal_autocheckpoint = 256
      """

    /// An object of the schema, as SQLite stores it.
    struct Object: Hashable {
      var type: String
      var name: String
      var table: String
      var sql: String
    }

    /// All objects of the schema. Small columns precede the body, so that listing does not read bodies.
    static let objects = [
      Object(
        type: "table", name: "store", table: "store",
        sql: "CREATE TABLE store (salt BLOB NOT NULL, bytes INTEGER NOT NULL)"),
      Object(
        type: "table", name: "entry", table: "entry",
        sql: """
          CREATE TABLE entry (
            id INTEGER PRIMARY KEY, digest BLOB NOT NULL, partition TEXT NOT NULL,
            variant TEXT NOT NULL, space TEXT NOT NULL, address TEXT NOT NULL, received REAL NOT NULL,
            used INTEGER NOT NULL, bytes INTEGER NOT NULL, checksum INTEGER NOT NULL,
            head BLOB NOT NULL, body BLOB NOT NULL)
          """),
      Object(
        type: "index", name: "entry_place", table: "entry",
        sql: "CREATE UNIQUE INDEX entry_place ON entry (digest, partition, variant)"),
      Object(
        type: "index", name: "entry_use", table: "entry",
        sql: "CREATE INDEX entry_use ON entry (used)"),
    ]

    /// Creates the tables, and marks the database as a cache.
    static var tables: String {
      objects.map(\.sql).joined(separator: ";") + """
        ; PRAGMA application_id = \(application); PRAGMA user_version = \(version)
        """
    }
  }

  /// A selection translated for the database, where an address is a digest.
  struct CacheFilter {
    let selection: CacheSelection
    private let digests: [[UInt8]]?
    private let prefix: [UInt8]?

    init(_ selection: CacheSelection, salt: [UInt8]) {
      self.selection = selection
      digests = selection.text.map { text in
        let spaces = selection.space.map { [$0] } ?? CacheKey.Space.allCases
        return spaces.map { Self.digest(CacheKey($0, text), salt: salt) }
      }
      prefix = selection.prefix.map { Array(CacheSelection.masked($0).utf8) }
    }

    /// Returns the digest that replaces the text of a key.
    static func digest(_ key: CacheKey, salt: [UInt8]) -> [UInt8] {
      var bytes = salt
      bytes.reserveCapacity(salt.count + 16 + key.text.utf8.count)
      bytes += key.space.rawValue.utf8
      bytes.append(0)
      bytes += key.text.utf8
      return SHA256.digest(bytes)
    }

    /// The condition on rows, with a parameter for each value.
    var condition: String {
      var terms: [String] = []
      if selection.space != nil { terms.append("space = ?1") }
      if selection.partition != nil { terms.append("partition = ?2") }
      if let digests { terms.append(digests.count == 1 ? "digest = ?3" : "digest IN (?3, ?4)") }
      if selection.variant != nil { terms.append("variant = ?5") }
      if selection.receivedBefore != nil { terms.append("received < ?6") }
      if prefix != nil { terms.append("substr(CAST(address AS BLOB), 1, ?7) = ?8") }
      return terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
    }

    func bind(to statement: SQLiteStatement) {
      if let space = selection.space { statement.bind(1, space.rawValue) }
      if let partition = selection.partition { statement.bind(2, partition) }
      for (index, digest) in (digests ?? []).enumerated() { statement.bind(Int32(3 + index), digest) }
      if let variant = selection.variant { statement.bind(5, variant) }
      if let receivedBefore = selection.receivedBefore {
        statement.bind(6, receivedBefore.timeIntervalSince1970)
      }
      if let prefix {
        statement.bind(7, prefix.count)
        statement.bind(8, prefix)
      }
    }

    /// Whether the selection includes a row.
    func includes(_ row: ListedRow) -> Bool {
      if let space = selection.space, space != row.space { return false }
      if let partition = selection.partition, !partition.hasSameBytes(as: row.rowKey.partition) {
        return false
      }
      if let digests, !digests.contains(row.rowKey.digest) { return false }
      if let prefix, !row.address.utf8.starts(with: prefix) { return false }
      return selection.includes(variant: row.variant, receivedAt: row.head.receivedAt)
    }
  }
#endif
