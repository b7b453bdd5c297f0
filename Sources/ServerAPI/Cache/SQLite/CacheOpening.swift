#if SQLITE
  internal import SQLiteFile

  /// Opens the database of a folder, or creates a new one if none is usable.
  ///
  /// Several processes may do this at once: each holds the lock of the folder during all of it, and first checks
  /// whether another one has finished it.
  struct CacheOpening {
    /// The folder as given, and with a resolved path once it is prepared.
    private(set) var folder: CacheFolder
    let settings: CacheDatabase.Settings
    /// The problem to report about a successful opening.
    private(set) var problem: CacheProblem?
    /// The connection that opened the database.
    private(set) var connection: SQLiteConnection?

    init(folder: CacheFolder, settings: CacheDatabase.Settings) {
      (self.folder, self.settings) = (folder, settings)
    }

    mutating func open(
      without damaged: Int?, because failure: SQLiteFailure?
    ) throws(CacheProblem) -> CacheDatabase.Opened {
      do throws(CacheProblem) {
        folder = try folder.prepared()
        var opening = self
        let opened = try folder.locked(timeout: settings.openTimeout) {
          () throws(CacheProblem) in
          try opening.openLocked(without: damaged, because: failure)
        }
        self = opening
        return opened
      } catch {
        guard error.kind == .readOnly else { throw error }
        return try openReadOnly(error, without: damaged)
      }
    }

    private mutating func openLocked(
      without damaged: Int?, because failure: SQLiteFailure?
    ) throws(CacheProblem) -> CacheDatabase.Opened {
      let newest = folder.newest()
      var why = failure
      if let newest, newest != damaged {
        try folder.checkSecurity(of: newest)
        do throws(SQLiteFailure) {
          if let name = folder.fileThatBlocks(newest) {
            throw .invalidDatabase("\(name) is not a regular file")
          }
          let opened = try use(newest)
          folder.removeOlder(than: newest)
          return opened
        } catch {
          switch error.meaning {
          case .damaged: why = error
          // For example, a folder in place of the file never goes away.
          case .unusable where folder.identity(newest) != nil: why = error
          default: throw error.problem(folder.database(newest))
          }
        }
      }
      let next = (newest ?? -1) + 1
      guard try folder.create(next) else {
        throw CacheProblem(.failed, "\(folder.database(next)): another process created it")
      }
      try folder.checkSecurity(of: next)
      do throws(SQLiteFailure) {
        let opened = try use(next)
        if let why, let newest {
          let what = "\(folder.database(newest)): \(why)"
          problem = CacheProblem(.recreated, what)
        }
        folder.removeOlder(than: next)
        return opened
      } catch {
        throw error.problem(folder.database(next))
      }
    }

    /// Opens a read-only database; only its existing entries can be used.
    private mutating func openReadOnly(
      _ cause: CacheProblem, without damaged: Int?
    ) throws(CacheProblem) -> CacheDatabase.Opened {
      guard let newest = folder.newest(), newest != damaged else {
        throw CacheProblem(.unusable, cause.text)
      }
      try folder.checkSecurity(of: newest)
      do throws(SQLiteFailure) {
        problem = cause
        do throws(SQLiteFailure) {
          return try use(newest, .readOnly)
        } catch {
          // A reader of a log needs auxiliary files, which can't be created here.
          if folder.hasLog(newest) { throw error }
          return try use(newest, .immutable)
        }
      } catch {
        throw CacheProblem(.unusable, "\(cause.text); \(error.problem(folder.database(newest)).text)")
      }
    }

    private mutating func use(
      _ generation: Int, _ access: SQLiteConnection.Access = .readWrite
    ) throws(SQLiteFailure) -> CacheDatabase.Opened {
      let connection = try SQLiteConnection(folder.database(generation), access, isPassive: true)
      try connection.configure(settings)
      if access == .readWrite, try connection.isEmpty() { try connection.createTables() }
      let salt = try connection.salt()
      self.connection = connection
      return CacheDatabase.Opened(
        folder: folder, generation: generation, identity: folder.identity(generation) ?? 0,
        access: access, salt: salt, path: connection.path)
    }
  }

  extension SQLiteConnection {
    /// Whether the database has no content yet.
    fileprivate func isEmpty() throws(SQLiteFailure) -> Bool {
      guard try number("PRAGMA application_id") == 0, try number("PRAGMA user_version") == 0 else {
        return false
      }
      return try number("SELECT count(*) FROM sqlite_master") == 0
    }

    /// Creates the tables.
    fileprivate func createTables() throws(SQLiteFailure) {
      try run(CacheSchema.layout)
      try transaction { () throws(SQLiteFailure) in
        try run(CacheSchema.tables)
        var random = SystemRandomNumberGenerator()
        let salt: [UInt8] = (0..<16).map { _ in random.next() }
        let statement = try prepare("INSERT INTO store (salt, bytes) VALUES (?1, 0)")
        statement.bind(1, salt)
        try statement.run()
      }
    }

    /// Verifies that the database is one of a cache, and reads its salt.
    fileprivate func salt() throws(SQLiteFailure) -> [UInt8] {
      let (application, version) = try (
        number("PRAGMA application_id"), number("PRAGMA user_version")
      )
      guard application == CacheSchema.application else {
        throw .invalidDatabase("it is not a cache: its application id is \(application)")
      }
      guard version == CacheSchema.version else {
        throw .invalidDatabase("its version is \(version), expected \(CacheSchema.version)")
      }
      try checkSchema()
      do throws(SQLiteFailure) {
        for query in CacheQuery.allCases { _ = try statement(query) }
        let statement = try prepare("SELECT salt FROM store")
        guard try statement.step(), statement.bytes(0).count == 16 else {
          throw .invalidDatabase("its salt is missing")
        }
        return Array(statement.bytes(0))
      } catch {
        // A statement that can't be prepared means that a table differs.
        throw error.meaning == .other ? .invalidDatabase(error.text) : error
      }
    }

    /// Verifies that the schema is exactly the one that ``createTables()`` creates.
    ///
    /// A trigger, a view instead of a table, or an index on an expression would act on every statement of the
    /// store.
    private func checkSchema() throws(SQLiteFailure) {
      let statement = try prepare("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master")
      var missing = Set(CacheSchema.objects)
      var pages: Set<Int> = []
      while try statement.step() {
        let object = CacheSchema.Object(
          type: statement.text(0), name: statement.text(1), table: statement.text(2),
          sql: statement.text(3))
        // Two tables with one root page would read each other's rows.
        guard missing.remove(object) != nil, pages.insert(statement.number(4)).inserted else {
          throw .invalidDatabase("an object of its schema is unknown")
        }
      }
      guard missing.isEmpty else { throw .invalidDatabase("a table or an index is missing") }
    }
  }
#endif
