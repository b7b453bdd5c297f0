#if SQLITE
  internal import CSQLite

  /// A connection to a database, with its prepared statements.
  ///
  /// `@unchecked Sendable` holds because only one thread uses a connection at a time: the one that checked it out
  /// of ``CacheDatabase``, until it is checked in.
  final class SQLiteConnection: @unchecked Sendable {
    /// How a file is opened.
    enum Access {
      case readWrite
      case readOnly
      /// As a file that never changes; no auxiliary file is written.
      case immutable
    }

    /// The number of its file; see ``CacheFolder``.
    var generation = 0
    private let handle: OpaquePointer
    private var statements: [SQLiteStatement?] = []

    /// Opens a file. Neither it nor a folder on its path may be a symbolic link.
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
      guard let opened else { throw SQLiteFailure(code: code, text: "out of memory") }
      guard code == SQLITE_OK else {
        defer { sqlite3_close_v2(opened) }
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(opened)))
      }
      handle = opened
      harden()
    }

    /// Keeps the file passive: triggers and views are disabled, its schema calls no function, and no statement
    /// may corrupt it.
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

    /// Sets how long to wait for other connections.
    func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Runs statements without results.
    func run(_ sql: String) throws(SQLiteFailure) {
      try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the first number in the result of a statement.
    func number(_ sql: String) throws(SQLiteFailure) -> Int {
      let statement = try SQLiteStatement(handle, sql, isKept: false)
      return try statement.step() ? statement.number(0) : 0
    }

    /// Prepares a statement for a single use.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
      try SQLiteStatement(handle, sql, isKept: false)
    }

    /// Returns a cached statement. It must be reset after use.
    func statement(_ query: CacheQuery) throws(SQLiteFailure) -> SQLiteStatement {
      if statements.isEmpty {
        statements = [SQLiteStatement?](repeating: nil, count: CacheQuery.allCases.count)
      }
      if let statement = statements[query.rawValue] { return statement }
      let statement = try SQLiteStatement(handle, query.sql, isKept: true)
      statements[query.rawValue] = statement
      return statement
    }

    /// Runs `body` in a transaction, which a failure rolls back.
    func transaction<R>(_ body: () throws(SQLiteFailure) -> R) throws(SQLiteFailure) -> R {
      try run("BEGIN IMMEDIATE")
      do throws(SQLiteFailure) {
        let result = try body()
        try run("COMMIT")
        return result
      } catch {
        // SQLite has already rolled back after some failures.
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

  /// A prepared statement of a connection.
  final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer, _ sql: String, isKept: Bool) throws(SQLiteFailure) {
      var prepared: OpaquePointer?
      let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
      let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
      guard code == SQLITE_OK, let prepared else {
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
      }
      handle = prepared
      self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ index: Int32, _ number: Int) { sqlite3_bind_int64(handle, index, Int64(number)) }

    func bind(_ index: Int32, _ number: Double) { sqlite3_bind_double(handle, index, number) }

    func bind(_ index: Int32, _ text: String) {
      var text = text
      _ = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          // A null pointer would bind NULL instead of an empty text.
          if let base = bytes.baseAddress {
            csqlite_bind_text(handle, index, base, UInt64(bytes.count))
          } else {
            csqlite_bind_text(handle, index, "", 0)
          }
        }
      }
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) { bytes.withUnsafeBytes { bind(index, $0) } }

    func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
      if let base = bytes.baseAddress, !bytes.isEmpty {
        csqlite_bind_blob(handle, index, base, UInt64(bytes.count))
      } else {
        sqlite3_bind_zeroblob(handle, index, 0)
      }
    }

    /// Advances to the next row. Returns `false` at the end.
    func step() throws(SQLiteFailure) -> Bool {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code:
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(connection)))
      }
    }

    /// Runs the statement to completion.
    func run() throws(SQLiteFailure) { while try step() {} }

    func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// Returns the bytes of a blob or a text, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
      let base = sqlite3_column_blob(handle, column)
      return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Resets a cached statement, and releases its bindings and locks.
    func reset() {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
  }
#endif
