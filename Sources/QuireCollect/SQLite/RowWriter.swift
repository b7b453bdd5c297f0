#if SQLITE
  internal import ItemMapping
  internal import ListReading
  internal import SQLiteFile

  /// Writes rows to the table of a list, by statements that are prepared once for its columns.
  struct RowWriter {
    private let upsert: SQLiteStatement
    private let remove: SQLiteStatement
    private let database: SQLiteConnection
    private let columns: [TableShape.Column]
    private let names: [[UInt8]]
    /// The column of each member that was looked up; `nil` for those without one.
    private var places: [[UInt8]: Int?] = [:]
    private let shape: TableShape
    /// How many rows have a value that their column can't hold, and one of these values.
    private var misfits: [String: (rows: Int, example: String)] = [:]

    init(
      _ table: SQLiteTable, _ deletes: CollectList.Deletes, id: JSONPath?, in database: SQLiteConnection
    ) throws(SQLiteFailure) {
      (shape, self.database) = (table.shape, database)
      columns = shape.columns
      names = columns.map { Array($0.name.utf8) }
      let quoted = SinkSchema.quoted(table.name)
      let key = table.isChild ? ["_quire_id", "_quire_parent"] : ["_quire_id"]
      let all = columns.map { SinkSchema.quoted($0.name) } + ["_quire_row", "_quire_round"] + key
      let updates = all.dropLast(key.count).map { "\($0) = excluded.\($0)" } + ["_quire_gone_at = NULL"]
      let insert = """
        INSERT INTO \(quoted) (\(all.joined(separator: ", ")))
        VALUES (\((1...all.count).map { "?\($0)" }.joined(separator: ", ")))
        ON CONFLICT (\(SinkSchema.Own.key(ofChild: table.isChild))) DO UPDATE SET \(updates.joined(separator: ", "))
        """
      // A row that a program has stored becomes that of the list with its key, if the table lets no two have that.
      let adopting = table.idColumn(id).flatMap { column -> SQLiteStatement? in
        try? database.prepare(
          "\(insert) ON CONFLICT (\(SinkSchema.quoted(column))) DO UPDATE SET \(updates.joined(separator: ", ")),"
            + " \(key.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")) WHERE _quire_id IS NULL")
      }
      if let adopting { upsert = adopting } else { upsert = try database.prepare(insert) }
      let row = "WHERE _quire_id = ?1" + (table.isChild ? " AND _quire_parent = ?4" : "")
      remove = try database.prepare(
        deletes == .hard
          ? "DELETE FROM \(quoted) \(row)"
          : "UPDATE \(quoted) SET _quire_gone_at = ?2, _quire_round = ?3 \(row)")
    }

    /// What became of a row.
    enum Result {
      case written
      /// It has a member that may need a column.
      case needsColumns
      /// The table doesn't take it.
      case refused(String)
    }

    /// Inserts a row, or replaces its content.
    ///
    /// - Parameters:
    ///   - parent: The row that its list belongs to, if it belongs to one.
    ///   - isFinal: Whether members without a column stay in the JSON only.
    mutating func write(
      _ row: CollectBatch.Row, of parent: RowID?, _ round: Int, isFinal: Bool
    ) throws(SQLiteFailure) -> Result {
      defer { upsert.reset() }
      var unfit: [(place: Int, value: JSONView)] = []
      var next = 0
      var needsColumns = false
      row.json.forEachMember { name, value in
        guard let place = place(of: name, expecting: next) else {
          needsColumns = !isFinal && !value.isNull
          return !needsColumns
        }
        next = place + 1
        if !upsert.bind(Int32(place + 1), value, as: columns[place].kind) { unfit.append((place, value)) }
        return true
      }
      if needsColumns { return .needsColumns }
      let count = Int32(columns.count)
      upsert.bind(count + 1, borrowing: row.json.unsafeText)
      upsert.bind(count + 2, round)
      upsert.bind(count + 3, row.id)
      if let parent { upsert.bind(count + 4, parent) }
      do throws(SQLiteFailure) { try upsert.run() } catch {
        guard error.meaning == .refusedRow else { throw error }
        return .refused(error.text)
      }
      guard database.changedRows > 0 else {
        return .refused("the table has ignored it: a trigger, or another row with its key")
      }
      for (place, value) in unfit { addMisfit(place, value) }
      return .written
    }

    /// Removes a row, or marks it as gone.
    func delete(_ id: RowID, of parent: RowID?, at date: String, _ round: Int) throws(SQLiteFailure) {
      defer { remove.reset() }
      remove.bind(1, id)
      remove.bind(2, date)
      remove.bind(3, round)
      if let parent { remove.bind(4, parent) }
      try remove.run()
      guard database.changedRows > 0 else {
        throw SQLiteFailure(
          code: nil, text: "the row \(id) can't be deleted: it is not in the table, or a trigger has ignored that")
      }
    }

    /// Returns the column of a member. Rows of one list mostly have the same members in the same order.
    private mutating func place(of name: UnsafeBufferPointer<UInt8>, expecting next: Int) -> Int? {
      if next < names.count, names[next].count == name.count, name.indices.allSatisfy({ names[next][$0] == name[$0] }) {
        return next
      }
      let name = Array(name)
      if let known = places[name] { return known }
      let place = shape.place(of: String(decoding: name, as: UTF8.self))
      // Names that each row has only once would fill the memory.
      if places.count < 2 * TableShape.mostColumns { places[name] = .some(place) }
      return place
    }

    private mutating func addMisfit(_ place: Int, _ value: JSONView) {
      misfits[columns[place].name, default: (0, String(value.text.prefix(100)))].rows += 1
    }

    /// Returns the misfits so far, and forgets them.
    mutating func takeMisfits() -> [String: (rows: Int, example: String)] {
      defer { misfits = [:] }
      return misfits
    }
  }

  extension SQLiteStatement {
    /// Binds an id so that `7` and `"7"` are different ones.
    func bind(_ index: Int32, _ id: RowID) {
      switch id {
      case .number(let number): bind(index, number)
      // Ids that are neither a number nor a text begin with a null character.
      case .text(let text) where text.utf8.first == 0: bind(index, Array(text.utf8.dropFirst()))
      case .text(let text): bind(index, text)
      case .other: bind(index, Array(id.description.utf8))
      }
    }
  }
#endif
