#if SQLITE
  internal import ItemMapping

  /// The columns of a table. A plain value that decides which column a member of a row goes to.
  struct TableShape: Hashable, Sendable {
    struct Column: Hashable, Sendable {
      var name: String
      var kind: ColumnKind
    }

    private(set) var columns: [Column] = []
    /// Columns of the table that no member had so far. They keep what a program has stored there.
    private(set) var spare: [Column] = []
    /// The place of each column by its name, and by its name in small letters.
    private var places: [String: Int] = [:]
    /// Whether the table was made by a program of the user: then a column `Title` is meant for a member `title`, too.
    let isForeign: Bool

    /// More members than this are found in the JSON of the row only.
    static let mostColumns = 1_000

    init(isForeign: Bool) { self.isForeign = isForeign }

    mutating func addSpare(_ column: Column) { spare.append(column) }

    /// Whether the table has a column already.
    func hasSpare(_ column: Column) -> Bool { spare.contains { $0.name == column.name } }

    /// Adds a column of a member.
    mutating func add(_ column: Column) {
      spare.removeAll { $0.name == column.name }
      places[column.name] = columns.count
      let folded = Self.folded(column.name)
      if places[folded] == nil { places[folded] = columns.count }
      columns.append(column)
    }

    /// The column of a member; `nil` if it has none.
    func place(of member: String) -> Int? {
      guard let place = places[member] else { return isForeign ? places[Self.folded(member)] : nil }
      return isForeign || columns[place].name == member ? place : nil
    }

    /// Returns the columns to add for some rows. A member that is only `null` waits until it has a value.
    func additions(for rows: some Sequence<JSONView>) -> [Column] {
      var kinds: [String: ColumnKind] = [:]
      var names: [String] = []
      for row in rows {
        for member in row.members {
          guard let kind = ColumnKind(member.value) else { continue }
          let name = member.name
          if let known = kinds[name] {
            kinds[name] = known.joined(with: kind)
          } else if place(of: name) == nil {
            kinds[name] = kind
            names.append(name)
          }
        }
      }
      var taken = Set((columns + spare).map { Self.folded($0.name) })
      var added: [Column] = []
      for name in names where columns.count + added.count < Self.mostColumns {
        let folded = Self.folded(name)
        if let known = spare.first(where: { $0.name == name || isForeign && Self.folded($0.name) == folded }) {
          if !added.contains(known) { added.append(known) }
          continue
        }
        if Self.isReserved(folded) || !taken.insert(folded).inserted { continue }
        added.append(Column(name: name, kind: kinds[name] ?? .json))
      }
      return added
    }

    /// Whether a member can't have a column of its own.
    private static func isReserved(_ folded: String) -> Bool {
      folded.isEmpty || folded.hasPrefix(CollectPlan.reservedPrefix) || folded.utf8.contains(0)
    }

    /// The name by which SQLite compares: letters of ASCII are the same in both sizes.
    static func folded(_ name: String) -> String {
      String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
  }
#endif
