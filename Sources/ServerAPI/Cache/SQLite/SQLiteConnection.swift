internal import CSQLite

/// One connection to a database, with the statements that were prepared on it.
///
/// `@unchecked Sendable` holds because a connection is used by one thread at a time: whoever took it
/// out of ``CacheDatabase``, until it is put back.
final class SQLiteConnection: @unchecked Sendable {
  /// How a file is opened.
  enum Access {
    case readWrite
    case readOnly
    /// As one that nobody changes: nothing is written beside it either.
    case immutable
  }

  /// Which file it belongs to; see ``CacheFolder``.
  var generation = 0
  private let handle: OpaquePointer
  private var statements: [SQLiteStatement?] = []

  /// Opens a file; neither it nor a folder on the way to it may be a symbolic link.
  init(_ path: String, _ access: Access) throws(SQLiteFailure) {
    var name = path
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    if access == .immutable {
      flags |= SQLITE_OPEN_URI
      name = "file:\(PercentEncoding.path.encode(path))?immutable=1"
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened else { throw SQLiteFailure(code: code, text: "no memory") }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(opened)))
    }
    handle = opened
    harden()
  }

  /// Has the file do nothing by itself: no trigger or view in it is carried out, no function is called by
  /// its schema, and no statement may change it into something else.
  private func harden() {
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ] as [(Int32, Int32)] {
      csqlite_configure(handle, option, value)
    }
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// How long to wait for others before giving up.
  func wait(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Runs statements that give nothing back.
  func run(_ sql: String) throws(SQLiteFailure) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// The first number that a statement gives.
  func number(_ sql: String) throws(SQLiteFailure) -> Int {
    let statement = try SQLiteStatement(handle, sql, isKept: false)
    return try statement.step() ? statement.number(0) : 0
  }

  /// A statement that is made for this once.
  func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    try SQLiteStatement(handle, sql, isKept: false)
  }

  /// A statement that is kept. It must be reset when it was used.
  func statement(_ query: CacheQuery) throws(SQLiteFailure) -> SQLiteStatement {
    if statements.isEmpty {
      statements = [SQLiteStatement?](repeating: nil, count: CacheQuery.allCases.count)
    }
    if let statement = statements[query.rawValue] { return statement }
    let statement = try SQLiteStatement(handle, query.sql, isKept: true)
    statements[query.rawValue] = statement
    return statement
  }

  /// Does several things as one, or nothing where that fails.
  func transaction<R>(_ body: () throws(SQLiteFailure) -> R) throws(SQLiteFailure) -> R {
    try run("BEGIN IMMEDIATE")
    do throws(SQLiteFailure) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // Some failures have rolled back by themselves.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func check(_ code: Int32) throws(SQLiteFailure) {
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
