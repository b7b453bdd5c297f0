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
  /// The lists of all rows of another one have one table. Its column `_quire_parent`, which the view has too, is the
  /// `_quire_id` of the row that a list belongs to. `_quire_rounds` keeps the last receipts of each, and
  /// `_quire_failures` says which of them could not be read.
  ///
  /// A table that a program has made is respected: its columns keep their types, and a row that breaks one of its rules is
  /// left out.
  public final class SQLiteSink: RowSink {
    /// The file.
    public let path: String
    let database: SQLiteConnection
    private var tables: [String: SQLiteTable] = [:]
    private var writers: [String: RowWriter] = [:]
    /// The number of the last record of each list; where lists of many rows have one table, of the one that was opened last.
    private var lastRecord: [String: (parent: RowID?, number: Int)] = [:]

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
        let known = try database.number(
          "SELECT count(*) FROM pragma_table_info('_quire_steps') WHERE name = 'parent'")
        if known > 0 { return }
      } catch {
        throw error.asError(path)
      }
      throw .database("\(path): it was made by another version of Quire; use that, or another database")
    }

    /// Reads what the table of a list has.
    public func open(_ list: CollectList) throws -> StoredList? {
      try checked {
        lastRecord[list.name] = nil
        let known = try database.prepare("SELECT format, source FROM _quire_lists WHERE list = ?1")
        known.bind(1, list.name)
        guard try known.step() else {
          if list.parent?.row != nil { return nil }
          tables[list.name] = try newTable(of: list)
          // No list of a row could be read so far.
          guard list.parent != nil, let last = try place(of: list) else { return nil }
          var stored = StoredList(source: "", records: [])
          stored.lastParent = last
          return stored
        }
        guard known.number(0) == SinkSchema.format else {
          throw CollectError.table(list.name, "it was made by another version of Quire; use that, or another database")
        }
        var stored = StoredList(source: known.text(1), records: [])
        if let row = list.parent?.row {
          try readRecords(of: list, into: &stored)
          // Nothing was read of it, or its row was gone meanwhile.
          if stored.records.isEmpty { return nil }
          stored.rows = try table(of: list).rowCount(of: row, in: database)
          return stored
        }
        let table = try newTable(of: list)
        guard table.isUsed else {
          // Its table was dropped, to start over.
          try forget(list.name)
          tables[list.name] = try newTable(of: list)
          return nil
        }
        tables[list.name] = table
        if list.parent != nil {
          stored.lastParent = try place(of: list)
        } else {
          stored.rows = try table.rowCount(in: database)
          try readRecords(of: list, into: &stored)
        }
        return stored
      }
    }

    /// The table of a list, as this sink knows it.
    private func table(of list: CollectList) throws -> SQLiteTable {
      try tables[list.name] ?? newTable(of: list)
    }

    private func newTable(of list: CollectList) throws -> SQLiteTable {
      try SQLiteTable(list.name, isChild: list.parent != nil, in: database)
    }

    private func readRecords(of list: CollectList, into stored: inout StoredList) throws {
      let records = try database.prepare(
        "SELECT number, record FROM _quire_steps WHERE list = ?1 AND parent = ?2 ORDER BY number")
      records.bind(list)
      while try records.step() {
        lastRecord[list.name] = (list.parent?.row, records.number(0))
        // The first one of a row that was gone is empty.
        if records.number(0) > 0 { stored.records.append(Array(records.bytes(1))) }
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
      var table = try table(of: batch.list)
      let parent = batch.list.parent?.row
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
        var result = try writer.write(batch.rows[place], of: parent, batch.round, isFinal: hasGrown)
        if case .needsColumns = result {
          hasGrown = true
          if try table.grow(for: batch.rows[place...].lazy.map(\.json), in: database) {
            try add(writer.takeMisfits(), name)
            writer = try RowWriter(table, batch.list.deletes, id: batch.idPath, in: database)
          }
          result = try writer.write(batch.rows[place], of: parent, batch.round, isFinal: true)
        }
        if case .refused(let reason) = result { batch.refuse(place, because: reason) }
      }
      for id in batch.deletes { try writer.delete(id, of: parent, at: SinkText.date(batch.date), batch.round) }
      try removeChildren(of: batch)
      try add(writer.takeMisfits(), name)
      try addUnread(batch)
      if let receipt = batch.receipt {
        try table.index([batch.idPath, batch.list.watermark?.stamp], in: database)
        try end(receipt, batch)
        if parent != nil { try endChild(batch.list, receipt.round) }
      }
      try addRecord(batch.record(), of: batch.list)
      (tables[name], writers[name]) = (table, writer)
    }

    /// Replaces the records of a list in one transaction.
    public func replaceRecords(of list: CollectList, by records: [[UInt8]]) throws {
      try checked {
        let last = lastNumber(of: list)
        try database.transaction { () throws(SQLiteFailure) in
          let statement = try database.prepare(
            "DELETE FROM _quire_steps WHERE list = ?1 AND parent = ?2 AND number <= ?3")
          statement.bind(list)
          statement.bind(3, last)
          try statement.run()
          for record in records { try addRecord(record, of: list) }
        }
      }
    }

    /// The number of the last record of a list that this sink knows.
    private func lastNumber(of list: CollectList) -> Int {
      guard let last = lastRecord[list.name], last.parent == list.parent?.row else { return 0 }
      return last.number
    }

    /// Adds a record after the last one that this sink knows. Two programs can't do that.
    private func addRecord(_ record: [UInt8], of list: CollectList) throws(SQLiteFailure) {
      let number = lastNumber(of: list) + 1
      let statement = try database.prepare(
        "INSERT INTO _quire_steps (list, parent, number, record) VALUES (?1, ?2, ?3, ?4)")
      statement.bind(list)
      statement.bind(3, number)
      statement.bind(4, record)
      do throws(SQLiteFailure) { try statement.run() } catch {
        guard error.meaning == .refusedRow else { throw error }
        throw SQLiteFailure(
          code: nil, text: "another program collects into the table “\(list.name)” at this time; nothing was changed")
      }
      lastRecord[list.name] = (list.parent?.row, number)
    }

    /// Runs a body, and says of a failure which database it is of.
    func checked<R>(_ body: () throws -> R) throws -> R {
      do { return try body() } catch let error as SQLiteFailure { throw error.asError(path) }
    }
  }
#endif
