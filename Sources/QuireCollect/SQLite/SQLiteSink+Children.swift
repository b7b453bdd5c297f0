#if SQLITE
  internal import ItemMapping
  public import ListReading
  internal import SQLiteFile

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// Lists that belong to rows of other ones.
  extension SQLiteSink {
    private static let rowsOfPage = 256
    /// How many receipts stay of the list of each row, beside the last one of a full round.
    private static let keptReceipts = 10

    /// Reads the next rows of a list that are not gone, in the order of their ids.
    public func rows(of list: CollectList, after id: RowID?) throws -> [CollectBatch.Row] {
      try checked {
        guard try hasRows(list) else { return [] }
        let statement = try database.prepare(
          """
          SELECT _quire_id, _quire_row FROM \(SinkSchema.quoted(list.name)) WHERE _quire_gone_at IS NULL
          AND _quire_id \(id == nil ? "IS NOT NULL" : "> ?1") ORDER BY _quire_id LIMIT \(Self.rowsOfPage)
          """)
        if let id { statement.bind(1, id) }
        var rows: [CollectBatch.Row] = []
        while try statement.step() {
          guard let id = RowID(stored: statement.value(0)), let row = try? JSONDocument(Array(statement.bytes(1)))
          else {
            throw CollectError.table(
              list.name,
              "the row \(rows.last.map { "after \($0.id)" } ?? "of its start") was changed by another program")
          }
          rows.append(CollectBatch.Row(id: id, json: row.root))
        }
        return rows
      }
    }

    /// Whether rows of a list were stored.
    private func hasRows(_ list: CollectList) throws(SQLiteFailure) -> Bool {
      let statement = try database.prepare("SELECT 1 FROM _quire_lists WHERE list = ?1")
      statement.bind(1, list.name)
      return try statement.step()
    }

    /// Notes why the list of a row could not be read, and that the next run begins behind it.
    public func note(_ failure: String, of list: CollectList, at date: Date) throws {
      try checked {
        try database.transaction { () throws(SQLiteFailure) in
          let statement = try database.prepare(
            "INSERT OR REPLACE INTO _quire_failures (list, parent, at, reason) VALUES (?1, ?2, ?3, ?4)")
          statement.bind(list)
          statement.bind(3, SinkText.date(date))
          statement.bind(4, failure)
          try statement.run()
          try setPlace(list)
          // Who follows a table takes a commit without a new number for one of another program.
          try database.run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = '_quire_steps'")
        }
      }
    }

    /// Notes that the list of a row was read.
    func endChild(_ list: CollectList, _ round: Int) throws(SQLiteFailure) {
      try setPlace(list)
      try run("DELETE FROM _quire_failures WHERE list = ?1 AND parent = ?2", of: list)
      try run(
        """
        DELETE FROM _quire_rounds WHERE list = ?1 AND parent = ?2 AND round <= \(round - Self.keptReceipts)
        AND round < (SELECT max(round) FROM _quire_rounds WHERE list = ?1 AND parent = ?2 AND is_full)
        """, of: list)
    }

    private func setPlace(_ list: CollectList) throws(SQLiteFailure) {
      try run("INSERT OR REPLACE INTO _quire_places (list, parent) VALUES (?1, ?2)", of: list)
    }

    /// The row whose list was read last.
    func place(of list: CollectList) throws(SQLiteFailure) -> RowID? {
      let statement = try database.prepare("SELECT parent FROM _quire_places WHERE list = ?1")
      statement.bind(1, list.name)
      return try statement.step() ? RowID(stored: statement.value(0)) : nil
    }

    /// Takes along what belongs to rows that are gone.
    func removeChildren(of batch: CollectBatch) throws {
      guard !batch.deletes.isEmpty else { return }
      for child in batch.list.children {
        let table = try SQLiteTable(child.name, isChild: true, in: database)
        for id in batch.deletes {
          let list = child.belonging(to: batch.list.name, id)
          try run("DELETE FROM _quire_failures WHERE list = ?1 AND parent = ?2", of: list)
          if child.deletes != .off, table.isUsed { try removeRows(of: list, id, table, batch.date) }
        }
      }
    }

    private func removeRows(
      of list: CollectList, _ parent: RowID, _ table: SQLiteTable, _ date: Date
    ) throws(SQLiteFailure) {
      let name = SinkSchema.quoted(list.name)
      let statement = try database.prepare(
        list.deletes == .hard
          ? "DELETE FROM \(name) WHERE _quire_parent = ?1"
          : "UPDATE \(name) SET _quire_gone_at = ?2 WHERE _quire_parent = ?1 AND _quire_gone_at IS NULL")
      statement.bind(1, parent)
      if list.deletes != .hard { statement.bind(2, SinkText.date(date)) }
      try statement.run()
      guard try table.rowCount(of: parent, in: database) == 0 else {
        throw SQLiteFailure(
          code: nil,
          text: "the rows of “\(list.name)” that belong to \(parent) can't be deleted: a trigger has ignored that")
      }
      for about in ["_quire_rounds", "_quire_unread", "_quire_steps"] {
        try run("DELETE FROM \(about) WHERE list = ?1 AND parent = ?2", of: list)
      }
      // Who follows the table sees by it that these rows have changed.
      if database.changedRows > 0 {
        try run("INSERT INTO _quire_steps (list, parent, number, record) VALUES (?1, ?2, 0, x'')", of: list)
      }
    }

    private func run(_ sql: String, of list: CollectList) throws(SQLiteFailure) {
      let statement = try database.prepare(sql)
      statement.bind(list)
      try statement.run()
    }
  }

  extension SQLiteStatement {
    /// Binds the name of a list, and the row that it belongs to.
    func bind(_ list: CollectList, from index: Int32 = 1) {
      bind(index, list.name)
      if let row = list.parent?.row { bind(index + 1, row) } else { bind(index + 1, "") }
    }
  }

  extension RowID {
    /// The id of a value that was stored for one.
    init?(stored value: SQLiteValue) {
      switch value {
      case .integer(let number): self = .number(number)
      case .text(let text): self = .text(text)
      case .blob(let bytes): self = .text("\0" + String(decoding: bytes, as: UTF8.self))
      case .null, .real: return nil
      }
    }
  }
#endif
