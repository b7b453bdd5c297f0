#if SQLITE
  internal import CSQLite

  /// A connection to a database, with its prepared statements. One thread may use it at a time.
  package final class SQLiteConnection {
    /// How a file is opened.
    package enum Access {
      /// The file is created if there is none.
      case create
      case readWrite
      case readOnly
      /// As a file that never changes; no auxiliary file is written.
      case immutable
    }

    /// The file.
    package let path: String
    private let handle: OpaquePointer
    private var kept: [SQLiteStatement?] = []

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: How it is opened.
    ///   - isPassive: Whether neither the file nor a folder on its path may be a symbolic link, and nothing in it acts:
    ///     triggers and views are disabled, its schema calls no function, and no statement may corrupt it.
    package init(_ path: String, _ access: Access, isPassive: Bool) throws(SQLiteFailure) {
      self.path = path
      var name = path
      var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      if isPassive { flags |= SQLITE_OPEN_NOFOLLOW }
      switch access {
      case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: flags |= SQLITE_OPEN_READWRITE
      case .readOnly: flags |= SQLITE_OPEN_READONLY
      case .immutable:
        flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        name = "file:\(Self.escaped(path))?immutable=1"
      }
      var opened: OpaquePointer?
      let code = sqlite3_open_v2(name, &opened, flags, nil)
      guard let opened else { throw SQLiteFailure(code: code, text: "out of memory") }
      guard code == SQLITE_OK else {
        defer { sqlite3_close_v2(opened) }
        throw SQLiteFailure(code: code, text: String(cString: sqlite3_errmsg(opened)))
      }
      handle = opened
      if isPassive { harden() }
    }

    /// Returns a path as a part of a URI.
    private static func escaped(_ path: String) -> String {
      path.reduce(into: "") { text, character in
        switch character {
        case "%": text += "%25"
        case "?": text += "%3f"
        case "#": text += "%23"
        default: text.append(character)
        }
      }
    }

    private func harden() {
      for (option, value) in [
        (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      ] as [(Int32, Int32)] {
        csqlite_configure(handle, option, value)
      }
    }

    deinit {
      kept.removeAll()
      sqlite3_close_v2(handle)
    }

    /// Sets how long to wait for other connections.
    package func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Runs statements without results.
    package func run(_ sql: String) throws(SQLiteFailure) {
      try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the first number in the result of a statement.
    package func number(_ sql: String) throws(SQLiteFailure) -> Int {
      let statement = try SQLiteStatement(handle, sql, isKept: false)
      return try statement.step() ? statement.number(0) : 0
    }

    /// Returns the first text in the result of a statement.
    package func text(_ sql: String) throws(SQLiteFailure) -> String {
      let statement = try SQLiteStatement(handle, sql, isKept: false)
      return try statement.step() ? statement.text(0) : ""
    }

    /// How many rows the last statement has inserted, updated or deleted.
    package var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Prepares a statement for a single use.
    package func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
      try SQLiteStatement(handle, sql, isKept: false)
    }

    /// Returns a statement that is prepared once. It must be reset after use.
    ///
    /// - Parameters:
    ///   - number: The place where it is kept; small, and another one for each statement.
    ///   - sql: Its text.
    package func kept(_ number: Int, _ sql: @autoclosure () -> String) throws(SQLiteFailure) -> SQLiteStatement {
      while kept.count <= number { kept.append(nil) }
      if let statement = kept[number] { return statement }
      let statement = try SQLiteStatement(handle, sql(), isKept: true)
      kept[number] = statement
      return statement
    }

    /// Runs `body` in a transaction, which a failure rolls back.
    package func transaction<R>(_ body: () throws(SQLiteFailure) -> R) throws(SQLiteFailure) -> R {
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
#endif
