#if SQLITE
  internal import ItemMapping
  internal import ListReading
  internal import SQLiteFile

  /// The table of a list: its columns, its view and its indexes.
  struct SQLiteTable {
    let name: String
    private(set) var shape: TableShape
    private(set) var exists: Bool
    /// Whether it has the rows of lists that belong to rows of another one.
    let isChild: Bool
    /// Whether it has the columns of the sink.
    private var isPrepared: Bool
    private var indexed: Set<String> = []

    private var quoted: String { SinkSchema.quoted(name) }

    /// Reads the columns of a table. Throws if the name is that of something else.
    init(_ name: String, isChild: Bool, in database: SQLiteConnection) throws {
      (self.name, self.isChild) = (name, isChild)
      let statement = try database.prepare("SELECT type FROM sqlite_master WHERE name = ?1 COLLATE NOCASE")
      statement.bind(1, name)
      exists = try statement.step()
      if exists, statement.text(0) != "table" {
        throw CollectError.table(name, "the database has a \(statement.text(0)) of that name; use another name")
      }
      let list = try database.prepare("SELECT is_foreign FROM _quire_lists WHERE list = ?1")
      list.bind(1, name)
      shape = TableShape(isForeign: try exists && (!list.step() || list.number(0) == 1))
      isPrepared = false
      guard exists else { return }
      let columns = try database.prepare(
        """
        SELECT name, type, hidden, (SELECT count(*) FROM _quire_columns WHERE list = ?1 AND "column" = name)
        FROM pragma_table_xinfo(?1)
        """)
      columns.bind(1, name)
      while try columns.step() {
        let column = columns.text(0)
        if column == SinkSchema.Own.id.rawValue { isPrepared = true }
        // Computed columns have a value of their own.
        guard !column.hasPrefix(CollectPlan.reservedPrefix), columns.number(2) == 0 else { continue }
        let found = TableShape.Column(name: column, kind: ColumnKind(declared: columns.text(1)))
        if columns.number(3) > 0 { shape.add(found) } else { shape.addSpare(found) }
      }
    }

    /// Makes the table, or adds the columns of the sink to one that a program made.
    mutating func prepare(for rows: some Sequence<JSONView>, in database: SQLiteConnection) throws {
      if !exists {
        let columns = shape.additions(for: rows)
        let own = SinkSchema.Own.all(ofChild: isChild)
        let definitions =
          columns.map { Self.definition($0) }
          + own.map { $0 == .id || $0 == .parent ? "\($0.definition) NOT NULL" : $0.definition }
          + ["PRIMARY KEY (\(SinkSchema.Own.key(ofChild: isChild)))"]
        try database.run("CREATE TABLE \(quoted) (\(definitions.joined(separator: ", ")))")
        for column in columns { try use(column, in: database) }
        exists = true
        try makeView(in: database)
      } else if !isPrepared {
        for own in SinkSchema.Own.all(ofChild: isChild) {
          try database.run("ALTER TABLE \(quoted) ADD COLUMN \(own.definition)")
        }
        try database.run(
          "CREATE UNIQUE INDEX \(indexName("quire id")) ON \(quoted) (\(SinkSchema.Own.key(ofChild: isChild)))")
        try makeView(in: database)
      }
      isPrepared = true
    }

    /// Adds the columns that rows need. Returns whether there were any.
    mutating func grow(for rows: some Sequence<JSONView>, in database: SQLiteConnection) throws -> Bool {
      let columns = shape.additions(for: rows)
      for column in columns {
        if !shape.hasSpare(column) { try database.run("ALTER TABLE \(quoted) ADD COLUMN \(Self.definition(column))") }
        try use(column, in: database)
      }
      if !columns.isEmpty { try makeView(in: database) }
      return !columns.isEmpty
    }

    /// Stores the values of a member in a column from now on.
    private mutating func use(_ column: TableShape.Column, in database: SQLiteConnection) throws {
      shape.add(column)
      let statement = try database.prepare("INSERT INTO _quire_columns VALUES (?1, ?2) ON CONFLICT DO NOTHING")
      statement.bind(1, name)
      statement.bind(2, column.name)
      try statement.run()
    }

    /// The column with the id of a table that a program made, by which its rows are found; `nil` if there is none.
    func idColumn(_ id: JSONPath?) -> String? { shape.isForeign ? column(of: id) : nil }

    /// The column of a path that has one step.
    private func column(of path: JSONPath?) -> String? {
      guard let path, path.segments.count == 1, case .name(let name) = path.segments[0] else { return nil }
      return shape.place(of: name).map { shape.columns[$0].name }
    }

    /// Makes the indexes by which rows are looked up.
    mutating func index(_ paths: [JSONPath?], in database: SQLiteConnection) throws {
      for case let column? in paths.map({ column(of: $0) }) where indexed.insert(column).inserted {
        try database.run(
          "CREATE INDEX IF NOT EXISTS \(indexName(column)) ON \(quoted) (\(SinkSchema.quoted(column)))")
      }
      try database.run(
        "CREATE INDEX IF NOT EXISTS \(indexName("gone")) ON \(quoted) (_quire_gone_at) WHERE _quire_gone_at IS NOT NULL"
      )
    }

    private func indexName(_ column: String) -> String { SinkSchema.quoted("\(name) by \(column)") }

    /// Makes a view of the rows that are not gone, without the columns of the sink but the row that they belong to, unless
    /// the name is taken.
    private func makeView(in database: SQLiteConnection) throws {
      let view = SinkSchema.view(of: name)
      let statement = try database.prepare("SELECT sql FROM sqlite_master WHERE name = ?1 COLLATE NOCASE")
      statement.bind(1, view)
      if try statement.step() {
        guard statement.text(0).contains(SinkSchema.viewMark) else { return }
        statement.reset()
        try database.run("DROP VIEW \(SinkSchema.quoted(view))")
      }
      guard !shape.columns.isEmpty else { return }
      let columns =
        ((isChild ? ["_quire_parent"] : []) + shape.columns.map { SinkSchema.quoted($0.name) }).joined(separator: ", ")
      try database.run(
        "CREATE VIEW \(SinkSchema.quoted(view)) AS \(SinkSchema.viewMark) SELECT \(columns) FROM \(quoted)"
          + " WHERE _quire_gone_at IS NULL AND _quire_id IS NOT NULL")
    }

    private static func definition(_ column: TableShape.Column) -> String {
      SinkSchema.quoted(column.name) + (column.kind == .any ? "" : " \(column.kind.rawValue)")
    }

    /// Whether rows were collected into it.
    var isUsed: Bool { exists && isPrepared }

    /// The number of rows of the list that are not gone.
    func rowCount(in database: SQLiteConnection) throws -> Int {
      return try database.number("SELECT count(_quire_id) FROM \(quoted)")
        - database.number("SELECT count(_quire_id) FROM \(quoted) WHERE _quire_gone_at IS NOT NULL")
    }

    /// The number of rows that belong to a row, and are not gone.
    func rowCount(of parent: RowID, in database: SQLiteConnection) throws(SQLiteFailure) -> Int {
      let statement = try database.prepare(
        "SELECT count(*) FROM \(quoted) WHERE _quire_parent = ?1 AND _quire_gone_at IS NULL")
      statement.bind(1, parent)
      return try statement.step() ? statement.number(0) : 0
    }
  }
#endif
