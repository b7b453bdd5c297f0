#if SQLITE
  /// The tables and columns that a sink adds to a database.
  enum SinkSchema {
    static let format = 2

    /// The columns that each table of a list has beside those of its rows.
    enum Own: String, CaseIterable {
      /// The id of the row that the list belongs to, where lists of many rows have one table.
      case parent = "_quire_parent"
      /// A number or a text, as in JSON; another id as a blob with its text.
      case id = "_quire_id"
      /// The row as the server sent it.
      case row = "_quire_row"
      /// The round that has inserted, updated or deleted the row last.
      case round = "_quire_round"
      /// When the row was found gone.
      case goneAt = "_quire_gone_at"

      /// The columns of a table.
      static func all(ofChild isChild: Bool) -> [Own] { isChild ? allCases : allCases.filter { $0 != .parent } }

      /// Those that no two rows have alike.
      static func key(ofChild isChild: Bool) -> String { isChild ? "_quire_parent, _quire_id" : "_quire_id" }

      /// Its definition in a table that is made; without the uniqueness of the id in one that is changed.
      var definition: String {
        switch self {
        case .parent: "_quire_parent"
        case .id: "_quire_id"
        case .row: "_quire_row TEXT"
        case .round: "_quire_round INTEGER"
        case .goneAt: "_quire_gone_at TEXT"
        }
      }
    }

    /// Tables about the lists. The parent is an empty text for a list that belongs to no row. A step has a number that no
    /// other one gets later.
    static let tables = """
      CREATE TABLE IF NOT EXISTS _quire_lists (
        list TEXT PRIMARY KEY COLLATE NOCASE, format INTEGER NOT NULL, source TEXT NOT NULL, is_foreign INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS _quire_steps (
        step INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL COLLATE NOCASE, parent NOT NULL,
        number INTEGER NOT NULL, record BLOB NOT NULL, UNIQUE (list, parent, number));
      CREATE TABLE IF NOT EXISTS _quire_rounds (
        list TEXT NOT NULL COLLATE NOCASE, parent NOT NULL, round INTEGER NOT NULL, began TEXT NOT NULL, ended TEXT,
        claim TEXT, assumptions TEXT, may_lack INTEGER, is_complete INTEGER, problem TEXT, is_full INTEGER, requests INTEGER, "rows" INTEGER,
        inserted INTEGER, returned INTEGER, updated INTEGER, deleted INTEGER, held_back INTEGER, held_back_because TEXT,
        deletes TEXT, delete_limit INTEGER, unread INTEGER, watermark TEXT, lateness REAL, missed INTEGER,
        PRIMARY KEY (list, parent, round));
      CREATE TABLE IF NOT EXISTS _quire_unread (
        list TEXT NOT NULL COLLATE NOCASE, parent NOT NULL, round INTEGER NOT NULL, id, reason TEXT NOT NULL, "row" TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS _quire_unread_by_list ON _quire_unread (list, parent, round);
      CREATE TABLE IF NOT EXISTS _quire_columns (
        list TEXT NOT NULL COLLATE NOCASE, "column" TEXT NOT NULL, PRIMARY KEY (list, "column"));
      CREATE TABLE IF NOT EXISTS _quire_misfits (
        list TEXT NOT NULL COLLATE NOCASE, "column" TEXT NOT NULL, "rows" INTEGER NOT NULL, example TEXT NOT NULL,
        PRIMARY KEY (list, "column"));
      CREATE TABLE IF NOT EXISTS _quire_failures (
        list TEXT NOT NULL COLLATE NOCASE, parent NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL,
        PRIMARY KEY (list, parent));
      CREATE TABLE IF NOT EXISTS _quire_places (list TEXT PRIMARY KEY COLLATE NOCASE, parent NOT NULL);
      """

    static let names = [
      "_quire_lists", "_quire_steps", "_quire_rounds", "_quire_unread", "_quire_columns", "_quire_misfits",
      "_quire_failures", "_quire_places",
    ]

    /// Returns a name in quotes.
    static func quoted(_ name: String) -> String {
      "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The name of the view of a table.
    static func view(of table: String) -> String { CollectPlan.view(of: table) }

    /// By which a view is known to be one of the sink.
    static let viewMark = "/* rows that are not gone */"
  }
#endif
