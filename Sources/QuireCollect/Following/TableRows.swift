#if SQLITE
  internal import ListModel
  internal import ListReading
  internal import SQLiteFile

  /// What is known of the rows of a table that a list follows: their places, and marks of their content. No items.
  struct TableRows {
    /// Which row of a table it is.
    struct Key: Hashable, Sendable {
      /// The row that its list belongs to; `null` in the table of one list.
      var parent = SQLiteValue.null
      var id: SQLiteValue
    }

    /// A row as the table has it now.
    struct Row {
      var key: Key
      var place: TableOrder.Place
      var json: String
      var mark: Int { json.hashValue }
    }

    private struct Known {
      var place: TableOrder.Place
      var mark: Int
      /// The row of the list; `nil` if it can't be decoded, or another row has its id.
      var id: RowID?
      var look: Int
    }

    private var known: [Key: Known] = [:]
    /// The rows whose ids of items are not those of the table.
    private var owners: [RowID: Key] = [:]
    private(set) var order: TableOrder
    /// The rows that another row with their id hides. They are looked at with each change.
    private(set) var hidden: Set<Key> = []
    private var look = 0

    init(descending: Bool) { order = TableOrder(descending: descending) }

    /// Whether no rows were read.
    var isEmpty: Bool { known.isEmpty }

    /// Begins to compare all rows.
    mutating func beginComparing() { look += 1 }

    /// Returns the rows that were not seen since the comparison began.
    func unseen() -> [Key] { known.filter { $0.value.look != look }.map(\.key) }

    /// Returns the rows whose lists belong to other rows.
    func keys(of parents: Set<SQLiteValue>) -> [Key] {
      parents.isEmpty ? [] : known.keys.filter { parents.contains($0.parent) }
    }

    /// Whether a row is as it was. Notes that it was seen.
    mutating func isUnchanged(_ row: Row) -> Bool {
      guard let place = known[row.key]?.place else { return false }
      known[row.key]?.look = look
      return place == row.place && known[row.key]?.mark == row.mark && !hidden.contains(row.key)
    }

    /// Changes rows, and returns what that is for the list.
    ///
    /// - Parameters:
    ///   - gone: The rows that are gone. Those that the list doesn't have are passed over.
    ///   - rows: New and changed rows, in any order, each once.
    ///   - ids: The ids of their items; `nil` for a row that can't be decoded.
    /// - Returns: The positions of the change, and for each row where its item goes.
    mutating func change(
      gone: [Key], rows: [Row], ids: [RowID?], isAtEnd: Bool
    ) -> (removed: [Int], shifted: [ListChange.Move], targets: [Target]) {
      var (leaving, removed, moved) = ([TableOrder.Place](), [Int](), [(row: Int, from: TableOrder.Place)]())
      for key in gone {
        if let place = take(key) { leaving.append(place) }
        known[key] = nil
        hidden.remove(key)
      }
      // A row whose item has another id now is another one for the list.
      for (row, id) in zip(rows, ids) {
        guard let old = known[row.key]?.id, old != id else { continue }
        if let place = take(row.key) { leaving.append(place) }
      }
      let before = order
      removed = leaving.map(before.position(of:)).sorted()
      var arriving: [(row: Int, place: TableOrder.Place)] = []
      var targets = [Target](repeating: .none, count: rows.count)
      for (at, (row, id)) in zip(rows, ids).enumerated() {
        hidden.remove(row.key)
        let old = known[row.key]
        var shown = id
        if let id, let owner = owner(of: id), owner != row.key {
          hidden.insert(row.key)
          shown = nil
        }
        known[row.key] = Known(place: row.place, mark: row.mark, id: shown, look: look)
        guard let shown else { continue }
        if Self.id(of: row.key) != shown { owners[shown] = row.key }
        if old?.id == nil {
          arriving.append((at, row.place))
        } else if let old, old.place != row.place {
          leaving.append(old.place)
          moved.append((at, old.place))
          arriving.append((at, row.place))
        } else {
          targets[at] = .update(0)
        }
      }
      var positions: [Int]
      if isAtEnd {
        positions = Array(order.places.count..<order.places.count + arriving.count)
        order.append(arriving.map(\.place))
      } else {
        positions = order.replace(leaving, by: arriving.map(\.place))
      }
      let origins = Dictionary(uniqueKeysWithValues: moved.map { ($0.row, before.position(of: $0.from)) })
      var shifted: [ListChange.Move] = []
      for (arrival, position) in zip(arriving, positions) {
        if let from = origins[arrival.row] {
          shifted.append(ListChange.Move(from: from, to: position))
          targets[arrival.row] = .update(position)
        } else {
          targets[arrival.row] = .insert(position)
        }
      }
      for (at, row) in rows.enumerated() where origins[at] == nil {
        if case .update = targets[at] { targets[at] = .update(order.position(of: row.place)) }
      }
      return (removed, shifted, targets)
    }

    /// Where the item of a row goes.
    enum Target {
      case none
      case insert(Int)
      case update(Int)
    }

    /// Takes a row out of the list. Returns its place, if the list had it.
    private mutating func take(_ key: Key) -> TableOrder.Place? {
      guard let row = known[key], let id = row.id else { return nil }
      known[key]?.id = nil
      if owners[id] == key { owners[id] = nil }
      return row.place
    }

    /// The row of the table that the list has under an id.
    private func owner(of id: RowID) -> Key? {
      if let key = owners[id] { return key }
      let key = Self.key(of: id)
      return known[key]?.id == id ? key : nil
    }

    /// The id of a row as the sink stores it.
    static func key(of id: RowID, in parent: SQLiteValue = .null) -> Key {
      let value: SQLiteValue =
        switch id {
        case .number(let number): .integer(number)
        case .text(let text) where text.utf8.first == 0: .blob(Array(text.utf8.dropFirst()))
        case .text(let text): .text(text)
        case .other: .blob(Array(id.description.utf8))
        }
      return Key(parent: parent, id: value)
    }

    /// The id of the item that a row has if it has that of the row.
    private static func id(of key: Key) -> RowID? {
      guard key.parent == .null else { return nil }
      return switch key.id {
      case .integer(let number): .number(number)
      case .text(let text): .text(text)
      case .null, .real, .blob: nil
      }
    }
  }
#endif
