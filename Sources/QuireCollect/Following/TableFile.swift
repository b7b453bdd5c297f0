#if SQLITE
  internal import ItemMapping
  internal import ListReading
  internal import ListSync
  internal import SQLiteFile

  /// A connection that reads one table, within transactions.
  final class TableFile {
    /// What a transaction finds.
    enum Finding {
      case nothing
      /// Only these rows may have changed, and all whose lists belong to some rows.
      case rows([TableRows.Key], of: Set<SQLiteValue>)
      case anything
    }

    /// The rows that have changed, and those whose lists have.
    private typealias Changes = (keys: [TableRows.Key], parents: Set<SQLiteValue>)

    let database: SQLiteConnection
    private let path: String
    private let name: String
    private let column: String?
    private let file: FileID?
    private var state = SyncState()
    private var last: (number: Int, record: [UInt8])?
    private var versions: (data: Int, schema: Int)?
    /// The number of the last record of any list.
    private var lastStep = 0
    private var tie = "rowid"
    /// Whether it has the lists of many rows.
    private(set) var isChild = false

    init(_ path: String, _ name: String, _ column: String?) throws {
      (self.path, self.name, self.column) = (path, name, column)
      file = FileID(path)
      guard file != nil else {
        throw CollectError.reading(name, "\(path): there is no such file yet; collect into it, or check the path")
      }
      do throws(SQLiteFailure) {
        database = try SQLiteConnection(path, .readOnly, isPassive: false)
        // Longer waits let go of the thread.
        database.setBusyTimeout(milliseconds: 100)
      } catch { throw error.asError(path) }
    }

    /// Whether the path still names the file that was opened.
    var isCurrent: Bool { FileID(path) == file }

    /// Finds out what may have changed since the last time. Has to be called in a transaction.
    func find() throws -> Finding {
      let schema = try database.number("PRAGMA schema_version")
      let data = try database.number("PRAGMA data_version")
      if let versions, versions == (data, schema) { return .nothing }
      let isSameSchema = versions?.schema == schema
      if !isSameSchema { try readSchema() }
      let step = try database.number("SELECT seq FROM sqlite_sequence WHERE name = '_quire_steps'")
      let changes = try isChild ? versions.map { _ in try readRecords(after: lastStep) } : readRecords()
      let isOurs = step != lastStep || versions == nil
      (versions, lastStep) = ((data, schema), step)
      guard let changes, isSameSchema else { return .anything }
      // No sink has stored anything, so another program has.
      if changes.keys.isEmpty, changes.parents.isEmpty { return isOurs ? .nothing : .anything }
      return .rows(changes.keys, of: changes.parents)
    }

    /// Everything has to be read the next time.
    func forget() { (versions, last) = (nil, nil) }

    private func readSchema() throws {
      let known = try database.prepare(
        "SELECT (SELECT count(*) FROM sqlite_master WHERE name = '_quire_lists'), wr FROM pragma_table_list"
          + " WHERE name = ?1 COLLATE NOCASE AND type = 'table' AND schema = 'main'")
      known.bind(1, name)
      guard try known.step(), known.number(0) > 0 else {
        throw CollectError.reading(name, "\(path) has no such table; collect into it, or check its name")
      }
      let isWithoutRowID = known.number(1) != 0
      let list = try database.prepare("SELECT format FROM _quire_lists WHERE list = ?1")
      list.bind(1, name)
      guard try list.step() else {
        throw CollectError.reading(name, "no list was collected into it yet; its rows show when one is")
      }
      guard list.number(0) == SinkSchema.format else {
        throw CollectError.reading(name, "it was made by another version of Quire; use that, or another database")
      }
      let columns = try database.prepare("SELECT name FROM pragma_table_xinfo(?1)")
      columns.bind(1, name)
      var names: [String] = []
      while try columns.step() { names.append(columns.text(0)) }
      isChild = names.contains(SinkSchema.Own.parent.rawValue)
      if let column, !names.contains(where: { TableShape.folded($0) == TableShape.folded(column) }) {
        let others = names.filter { !$0.hasPrefix(CollectPlan.reservedPrefix) }.joined(separator: ", ")
        throw CollectError.reading(name, "it has no column “\(column)”; sort by another one: \(others)")
      }
      let taken = Set(names.map(TableShape.folded))
      let rowID = isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
      tie = rowID ?? (isChild ? "quote(_quire_parent) || ' ' || quote(_quire_id)" : "_quire_id")
    }

    /// Reads the records since the last one. Returns the ids of the rows that they change; `nil` if they don't say.
    private func readRecords() throws -> Changes? {
      let statement = try database.prepare(
        "SELECT number, record FROM _quire_steps WHERE list = ?1 AND number >= ?2 ORDER BY number")
      statement.bind(1, name)
      statement.bind(2, last?.number ?? 0)
      var isKnown = last == nil
      var ids: [TableRows.Key]? = last == nil ? nil : []
      if last == nil { state = SyncState() }
      do {
        while try statement.step() {
          let record = Array(statement.bytes(1))
          if !isKnown {
            guard let last, statement.number(0) == last.number, record == last.record else { break }
            isKnown = true
            continue
          }
          let changes = try state.changes(adding: record)
          if let changes { ids?.append(contentsOf: changes.map { TableRows.key(of: $0) }) } else { ids = nil }
          last = (statement.number(0), record)
        }
      } catch let error as SyncError {
        last = nil
        throw CollectError.reading(name, "\(error); collect into another database")
      }
      if isKnown { return ids.map { ($0, []) } }
      // All records were replaced, or the table was dropped and filled again.
      last = nil
      return try readRecords()
    }

    /// Reads the records of many lists since a step. Returns the rows that they change, and those whose lists have changed
    /// in a way that they don't say. What is known of a list is in memory only while it is read.
    private func readRecords(after step: Int) throws -> Changes {
      // With a sign, the index of all steps of the list is not used.
      let changed = try database.prepare("SELECT DISTINCT parent FROM _quire_steps WHERE +list = ?1 AND step > ?2")
      changed.bind(1, name)
      changed.bind(2, step)
      let records = try database.prepare(
        "SELECT number, record, step FROM _quire_steps WHERE list = ?1 AND parent = ?2 ORDER BY number")
      var (keys, parents) = ([TableRows.Key](), Set<SQLiteValue>())
      while try changed.step() {
        let parent = changed.value(0)
        records.bind(1, name)
        records.bind(2, parent)
        var state = SyncState()
        while try records.step() {
          let isNew = records.number(2) > step
          // The row was gone meanwhile.
          let isStart = records.number(0) == 0
          do throws(SyncError) {
            let ids = try isStart ? nil : state.changes(adding: Array(records.bytes(1)))
            guard isNew else { continue }
            if let ids { keys += ids.map { TableRows.key(of: $0, in: parent) } } else { parents.insert(parent) }
          } catch {
            throw CollectError.reading(name, "\(error); collect into another database")
          }
        }
        records.reset()
      }
      return (keys.filter { !parents.contains($0.parent) }, parents)
    }

    /// The rows of the list; with `condition` some of them.
    func rows(where condition: String = "", orderedBy direction: String? = nil) throws -> SQLiteStatement {
      let sort = column.map { "\(SinkSchema.quoted($0)) COLLATE BINARY" } ?? "NULL"
      let order = direction.map { " ORDER BY \(sort) \($0), \(tie)" } ?? ""
      return try database.prepare(
        "SELECT _quire_id, \(sort), \(tie), _quire_row, \(isChild ? "_quire_parent" : "NULL") FROM \(SinkSchema.quoted(name))"
          + " WHERE _quire_gone_at IS NULL AND _quire_id IS NOT NULL\(condition)\(order)")
    }

    /// The row of a statement.
    static func row(of statement: SQLiteStatement) -> TableRows.Row {
      TableRows.Row(
        key: TableRows.Key(parent: statement.value(4), id: statement.value(0)),
        place: TableOrder.Place(value: statement.value(1), tie: statement.value(2)), json: statement.text(3))
    }
  }
#endif
