/// Opens the database of a folder, or makes a new one where there is none that can be used.
///
/// Several processes may do so at once: each does all of it with the lock of the folder, and looks
/// first whether another one has done it meanwhile.
struct CacheOpening {
  /// As it was named; without links once it was made.
  private(set) var folder: CacheFolder
  let settings: CacheDatabase.Settings
  /// What is to be said of it.
  private(set) var problem: CacheProblem?
  /// The connection that it was opened with.
  private(set) var connection: SQLiteConnection?

  init(folder: CacheFolder, settings: CacheDatabase.Settings) {
    (self.folder, self.settings) = (folder, settings)
  }

  mutating func open(
    without damaged: Int?, because failure: SQLiteFailure?
  ) throws(CacheProblem) -> CacheDatabase.Opened {
    do throws(CacheProblem) {
      folder = try folder.made()
      var opening = self
      let opened = try folder.locked(patience: settings.openingPatience) {
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
      try folder.check(newest)
      do throws(SQLiteFailure) {
        let opened = try use(newest)
        folder.removeOlder(than: newest)
        return opened
      } catch {
        switch error.meaning {
        case .damaged: why = error
        // A folder in the place of the file, for instance, will not go away.
        case .unusable where folder.identity(newest) != nil: why = error
        default: throw error.problem(folder.database(newest))
        }
      }
    }
    let next = (newest ?? -1) + 1
    guard try folder.create(next) else {
      throw CacheProblem(.failed, "\(folder.database(next)): somebody else made it")
    }
    try folder.check(next)
    do throws(SQLiteFailure) {
      let opened = try use(next)
      if let why, let newest {
        let what = "\(folder.database(newest)): \(why.text) (SQLite error \(why.code))"
        problem = CacheProblem(.recreated, what)
      }
      folder.removeOlder(than: next)
      return opened
    } catch {
      throw error.problem(folder.database(next))
    }
  }

  /// Opens one that nobody may write to; only what is there can be used.
  private mutating func openReadOnly(
    _ cause: CacheProblem, without damaged: Int?
  ) throws(CacheProblem) -> CacheDatabase.Opened {
    guard let newest = folder.newest(), newest != damaged else {
      throw CacheProblem(.unusable, cause.text)
    }
    try folder.check(newest)
    do throws(SQLiteFailure) {
      problem = cause
      do throws(SQLiteFailure) {
        return try use(newest, .readOnly)
      } catch {
        // It may need files beside it that can't be made.
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
    let connection = try SQLiteConnection(folder.database(generation), access)
    connection.generation = generation
    try connection.begin(settings)
    if access == .readWrite, try connection.isEmpty() { try connection.fill() }
    let salt = try connection.salt()
    self.connection = connection
    return CacheDatabase.Opened(
      folder: folder, generation: generation, identity: folder.identity(generation) ?? 0,
      access: access, salt: salt)
  }
}

extension SQLiteConnection {
  /// Whether nothing was written to the file yet.
  fileprivate func isEmpty() throws(SQLiteFailure) -> Bool {
    guard try number("PRAGMA application_id") == 0, try number("PRAGMA user_version") == 0 else {
      return false
    }
    return try number("SELECT count(*) FROM sqlite_master") == 0
  }

  /// Makes the tables.
  fileprivate func fill() throws(SQLiteFailure) {
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

  /// Makes sure that the database is one of a cache, and reads its salt.
  fileprivate func salt() throws(SQLiteFailure) -> [UInt8] {
    let (application, version) = try (
      number("PRAGMA application_id"), number("PRAGMA user_version")
    )
    guard application == CacheSchema.application else {
      throw .unfit("is not a cache: its application is \(application)")
    }
    guard version == CacheSchema.version else {
      throw .unfit("has version \(version), expected \(CacheSchema.version)")
    }
    try checkSchema()
    do throws(SQLiteFailure) {
      for query in CacheQuery.allCases { _ = try statement(query) }
      let statement = try prepare("SELECT salt FROM store")
      guard try statement.step(), statement.bytes(0).count == 16 else {
        throw .unfit("has no salt")
      }
      return Array(statement.bytes(0))
    } catch {
      // What it complains of is a table that is not as it should be.
      throw error.meaning == .other ? .unfit(error.text) : error
    }
  }

  /// Makes sure that the schema is the one that ``fill()`` makes, to the letter, and nothing beside it.
  ///
  /// A trigger, a view in the place of a table or an index over an expression would act on every
  /// statement of the store.
  private func checkSchema() throws(SQLiteFailure) {
    let statement = try prepare("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master")
    var missing = Set(CacheSchema.objects)
    var pages: Set<Int> = []
    while try statement.step() {
      let object = CacheSchema.Object(
        type: statement.text(0), name: statement.text(1), table: statement.text(2),
        sql: statement.text(3))
      // Two tables on one page would each read what the other one wrote.
      guard missing.remove(object) != nil, pages.insert(statement.number(4)).inserted else {
        throw .unfit("has something in its schema that is not of a cache")
      }
    }
    guard missing.isEmpty else { throw .unfit("lacks a table or an index of a cache") }
  }
}
