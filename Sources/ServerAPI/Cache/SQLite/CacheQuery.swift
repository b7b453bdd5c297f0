/// What is asked of the database again and again.
enum CacheQuery: Int, CaseIterable {
  case entries
  case takeOut
  case putIn
  case countVariants
  case use
  case useNoLater
  case leastUsed
  case drop
  case total
  case setTotal

  var sql: String {
    switch self {
    case .entries:
      """
      SELECT id, variant, received, used, checksum, head, body FROM entry
      WHERE digest = ?1 AND partition = ?2
      """
    case .takeOut:
      "DELETE FROM entry WHERE digest = ?1 AND partition = ?2 AND variant = ?3 RETURNING bytes"
    case .putIn:
      """
      INSERT INTO entry
      (digest, partition, variant, space, address, received, used, bytes, checksum, head, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """
    case .countVariants:
      "SELECT count(*), min(id) FROM entry WHERE digest = ?1 AND partition = ?2"
    case .use: "UPDATE entry SET used = ?2 WHERE id = ?1 AND used < ?2"
    case .useNoLater: "UPDATE entry SET used = ?1 WHERE used > ?1"
    case .leastUsed: "SELECT id FROM entry ORDER BY used, id LIMIT 64"
    case .drop: "DELETE FROM entry WHERE id = ?1 RETURNING bytes"
    case .total: "SELECT bytes FROM store"
    case .setTotal: "UPDATE store SET bytes = ?1"
    }
  }
}

/// The shape of the database.
enum CacheSchema {
  /// Says that a database is one of these: “Quir”.
  static let application = 0x5175_6972
  static let version = 2

  /// Large, so that a usual body is read in three pieces rather than in nine.
  static let pageSize = 16_384

  /// Set before anything is in the file. The space of what was removed can then be given back.
  static let layout = """
    PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL
    """

  /// Set for every connection. Without waiting for the disk, a loss of power costs the newest entries
  /// and nothing else.
  static let session = """
    PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304; PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON; PRAGMA secure_delete = FAST; PRAGMA cache_size = -4096;
    PRAGMA wal_autocheckpoint = 256
    """

  /// One part of the schema, as SQLite keeps it.
  struct Object: Hashable {
    var type: String
    var name: String
    var table: String
    var sql: String
  }

  /// All parts of the schema. What is small stands before the body, so that listing does not read bodies.
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

  /// Makes the tables, and says what they are.
  static var tables: String {
    objects.map(\.sql).joined(separator: ";") + """
      ; PRAGMA application_id = \(application); PRAGMA user_version = \(version)
      """
  }
}
