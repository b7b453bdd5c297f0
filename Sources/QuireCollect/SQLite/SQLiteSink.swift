#if SQLITE
  internal import ListReading
  internal import ListSync
  internal import SQLiteFile

  /// A database of SQLite that rows are collected into.
  ///
  /// Each list has a table of its name, with a column for each member of its rows, made and widened as they come. A value
  /// that its column can't hold, such as a text among numbers, is `NULL` there. Beside them stand
  ///
  /// | column | has |
  /// | --- | --- |
  /// | `_quire_id` | the id: an integer or a text, as in JSON; another id as a blob with its JSON |
  /// | `_quire_row` | the whole row as JSON |
  /// | `_quire_round` | the round that has inserted, changed or deleted it last |
  /// | `_quire_gone_at` | when it was found gone |
  ///
  /// The view `books_live` has the rows of `books` that are not gone, without these columns. Receipts are in
  /// `_quire_rounds`, rows that could not be read in `_quire_unread`, and values without a column in `_quire_misfits`.
  ///
  /// A table that a program has made is respected: its columns keep their types, and a row that breaks one of its rules is
  /// left out.
  public final class SQLiteSink: RowSink {
    /// The file.
    public let path: String
    let database: SQLiteConnection
    private var tables: [String: SQLiteTable] = [:]
    private var writers: [String: RowWriter] = [:]
    /// The number of the last record of each list.
    private var lastRecord: [String: Int] = [:]

    /// Opens a database, or creates it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - survivesPowerLoss: Whether each batch is on the disk before the next one is read. Without it, a loss of power
    ///     may take the last batches away, all of them wholly; the next run reads them again.
    public init(_ path: String, survivesPowerLoss: Bool = false) throws(CollectError) {
      self.path = path
      if path.isEmpty || path.hasPrefix(":") || path.hasPrefix("file:") {
        throw .database("“\(path)” is no file that stays; name one, or write it as ./\(path)")
      }
      do throws(SQLiteFailure) {
        database = try SQLiteConnection(path, .create, isPassive: false)
        database.setBusyTimeout(milliseconds: 10_000)
        if try database.number("SELECT count(*) FROM sqlite_master") == 0 {
          try database.run("PRAGMA journal_mode = WAL")
        }
        // With larger ones, a first round reads and writes fewer pages twice.
        try database.run("PRAGMA cache_size = -4096; PRAGMA wal_autocheckpoint = 2000; PRAGMA foreign_keys = ON")
        let hasLog = try database.text("PRAGMA journal_mode") == "wal"
        try database.run("PRAGMA synchronous = \(hasLog && !survivesPowerLoss ? "NORMAL" : "FULL")")
        // Needs the right to write, also if another program writes at this time.
        try database.transaction { () throws(SQLiteFailure) in try database.run(SinkSchema.tables) }
      } catch {
        throw error.asError(path)
      }
    }

    /// Reads what the table of a list has.
    public func open(_ list: CollectList) throws -> StoredList? {
      try checked {
        let known = try database.prepare("SELECT format, source FROM _quire_lists WHERE list = ?1")
        known.bind(1, list.name)
        guard try known.step() else {
          tables[list.name] = try SQLiteTable(list.name, in: database)
          return nil
        }
        guard known.number(0) == SinkSchema.format else {
          throw CollectError.table(list.name, "it was made by another version of Quire; use that, or another database")
        }
        let table = try SQLiteTable(list.name, in: database)
        guard let rows = try table.rowCount(in: database) else {
          // Its table was dropped, to start over.
          try forget(list.name)
          tables[list.name] = try SQLiteTable(list.name, in: database)
          return nil
        }
        tables[list.name] = table
        var stored = StoredList(source: known.text(1), records: [], rows: rows)
        let records = try database.prepare("SELECT number, record FROM _quire_steps WHERE list = ?1 ORDER BY number")
        records.bind(1, list.name)
        while try records.step() {
          lastRecord[list.name] = records.number(0)
          stored.records.append(Array(records.bytes(1)))
        }
        return stored
      }
    }

    private func forget(_ list: String) throws {
      try database.transaction { () throws(SQLiteFailure) in
        for name in SinkSchema.names {
          let statement = try database.prepare("DELETE FROM \(name) WHERE list = ?1")
          statement.bind(1, list)
          try statement.run()
        }
      }
      lastRecord[list] = nil
    }

    /// Stores a batch in one transaction.
    public func store(_ batch: inout CollectBatch) throws {
      do {
        try database.run("BEGIN IMMEDIATE")
        try write(&batch)
        try database.run("COMMIT")
      } catch {
        try? database.run("ROLLBACK")
        // The table is as it was before, also its columns.
        (writers[batch.list.name], tables[batch.list.name]) = (nil, nil)
        throw (error as? SQLiteFailure)?.asError(path) ?? error
      }
      SinkCommits.notify(path)
    }

    private func write(_ batch: inout CollectBatch) throws {
      let name = batch.list.name
      var table = try tables[name] ?? SQLiteTable(name, in: database)
      if writers[name] == nil {
        let isForeign = table.shape.isForeign
        try table.prepare(for: batch.rows.lazy.map(\.json), in: database)
        try addList(batch, isForeign: isForeign)
      }
      var writer = try writers[name] ?? RowWriter(table, batch.list.deletes, id: batch.idPath, in: database)
      try addRound(batch)
      // The rows of a batch are looked through once for new members.
      var hasGrown = false
      for place in batch.rows.indices {
        var result = try writer.write(batch.rows[place], batch.round, isFinal: hasGrown)
        if case .needsColumns = result {
          hasGrown = true
          if try table.grow(for: batch.rows[place...].lazy.map(\.json), in: database) {
            try add(writer.takeMisfits(), name)
            writer = try RowWriter(table, batch.list.deletes, id: batch.idPath, in: database)
          }
          result = try writer.write(batch.rows[place], batch.round, isFinal: true)
        }
        if case .refused(let reason) = result { batch.refuse(place, because: reason) }
      }
      for id in batch.deletes { try writer.delete(id, at: SinkText.date(batch.date), batch.round) }
      try add(writer.takeMisfits(), name)
      try addUnread(batch)
      if let receipt = batch.receipt {
        try table.index([batch.idPath, batch.list.watermark?.stamp], in: database)
        try end(receipt, batch)
      }
      try addRecord(batch.record(), of: name)
      (tables[name], writers[name]) = (table, writer)
    }

    /// Replaces the records of a list in one transaction.
    public func replaceRecords(of list: String, by records: [[UInt8]]) throws {
      try checked {
        let last = lastRecord[list] ?? 0
        try database.transaction { () throws(SQLiteFailure) in
          let statement = try database.prepare("DELETE FROM _quire_steps WHERE list = ?1 AND number <= ?2")
          statement.bind(1, list)
          statement.bind(2, last)
          try statement.run()
          for record in records { try addRecord(record, of: list) }
        }
      }
    }

    /// Adds a record after the last one that this sink knows. Two programs can't do that.
    private func addRecord(_ record: [UInt8], of list: String) throws(SQLiteFailure) {
      let number = (lastRecord[list] ?? 0) + 1
      let statement = try database.prepare("INSERT INTO _quire_steps (list, number, record) VALUES (?1, ?2, ?3)")
      statement.bind(1, list)
      statement.bind(2, number)
      statement.bind(3, record)
      do throws(SQLiteFailure) { try statement.run() } catch {
        guard error.meaning == .refusedRow else { throw error }
        throw SQLiteFailure(
          code: nil, text: "another program collects into the table “\(list)” at this time; nothing was changed")
      }
      lastRecord[list] = number
    }

    /// Runs a body, and says of a failure which database it is of.
    private func checked<R>(_ body: () throws -> R) throws -> R {
      do { return try body() } catch let error as SQLiteFailure { throw error.asError(path) }
    }
  }
#endif
