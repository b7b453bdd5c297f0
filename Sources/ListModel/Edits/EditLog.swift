/// The pending edits, each with the state that a rollback restores.
struct EditLog<Item> {
  /// A pending edit and the state of its row without it. While it is pending, the server's state of the row
  /// is recorded here instead of in the list.
  struct Pending {
    let id: EditID
    let edit: ListEdit<Item>
    /// The content before an update or a removal; `nil` if it is unknown or the server has no such row.
    var item: Item?
    /// The place before a move or a removal; `nil` if the server has no such row.
    var spot: RowSpot?
  }

  /// The edits of each row, oldest first.
  private(set) var chains: [RowID: [Pending]] = [:]
  private var rows: [EditID: RowID] = [:]
  private var next = 0

  var isEmpty: Bool { rows.isEmpty }

  subscript(row: RowID) -> [Pending] {
    get { chains[row] ?? [] }
    set {
      for pending in chains[row] ?? [] { rows[pending.id] = nil }
      for pending in newValue { rows[pending.id] = row }
      chains[row] = newValue.isEmpty ? nil : newValue
    }
  }

  /// All edits, oldest first.
  var all: [Pending] {
    rows.keys.sorted().compactMap { id in
      rows[id].flatMap { chains[$0]?.first { $0.id == id } }
    }
  }

  /// The row of a pending edit; `nil` if the edit is confirmed or rolled back.
  func row(of edit: EditID) -> RowID? { rows[edit] }

  mutating func add(_ edit: ListEdit<Item>, item: Item? = nil, spot: RowSpot? = nil) -> EditID {
    let id = EditID(number: next)
    next += 1
    self[edit.row].append(Pending(id: id, edit: edit, item: item, spot: spot))
    return id
  }

  mutating func removeAll() {
    chains = [:]
    rows = [:]
  }

  /// Whether an edit has removed the row from the list.
  func isRemoving(_ row: RowID) -> Bool { chains[row]?.last?.isRemoval ?? false }

  /// Whether the row exists only by an edit, and not on the server.
  func isInserting(_ row: RowID) -> Bool { chains[row]?.first?.isInsertion ?? false }

  /// Whether an edit determines the place of the row.
  func isPlaced(_ row: RowID) -> Bool {
    guard let chain = chains[row], !isRemoving(row) else { return false }
    return chain.contains { $0.isInsertion || $0.isMove }
  }

  /// The content of a row by its edits; `nil` if it has the server's content.
  func content(of row: RowID) -> Item? {
    chains[row]?.reversed().lazy.compactMap(\.content).first
  }

  /// The ids of rows whose place is determined by edits.
  var placedRows: [RowID] { chains.keys.filter(isPlaced) }

  /// The server has an inserted row, so it is no longer local.
  mutating func confirmInsertion(_ row: RowID) {
    if isInserting(row) { self[row].removeFirst() }
  }

  /// Records the server's content of a row.
  mutating func record(_ item: Item, for row: RowID) {
    guard let at = self[row].firstIndex(where: \.savesContent) else { return }
    chains[row]?[at].item = item
    // A removal after an update restores the content of the update.
    guard let last = self[row].indices.last, last > at, self[row][last].isRemoval else { return }
    let content = content(of: row)
    chains[row]?[last].item = content
  }

  /// Records the server's place of a row.
  mutating func record(_ spot: RowSpot?, for row: RowID) {
    let edits = self[row].indices.filter { self[row][$0].savesPlace }
    for at in edits where at == edits.first || self[row][at].spot == nil || self[row][at].isRemoval
    {
      chains[row]?[at].spot = spot
    }
  }

  /// Records that the server no longer has a row where it was.
  mutating func forget(_ row: RowID) {
    guard !isInserting(row) else { return }
    record(nil, for: row)
    for at in self[row].indices { chains[row]?[at].item = nil }
  }

  /// The rows of the server in a page that edits moved or removed from it.
  func rowsDisplaced(from page: PageID) -> [RowID] {
    chains.filter { $0.value.first(where: \.savesPlace)?.spot?.page == page }.map(\.key)
  }

  /// Forgets the server's state of all rows.
  mutating func forgetAll() {
    for row in chains.keys {
      forget(row)
      for at in self[row].indices { chains[row]?[at].spot = nil }
    }
  }
}

extension EditLog: Sendable where Item: Sendable {}
extension EditLog.Pending: Sendable where Item: Sendable {}

extension EditLog.Pending {
  var isInsertion: Bool { if case .insert = edit { true } else { false } }
  var isRemoval: Bool { if case .remove = edit { true } else { false } }
  var isUpdate: Bool { if case .update = edit { true } else { false } }
  var isMove: Bool { if case .move = edit { true } else { false } }

  /// Whether it saves the previous content.
  var savesContent: Bool { isUpdate || isRemoval }
  /// Whether it saves the previous place.
  var savesPlace: Bool { isMove || isRemoval }

  /// The content it sets.
  var content: Item? {
    switch edit {
    case .insert(let item, _, _), .update(_, let item): item
    case .remove, .move: nil
    }
  }
}

/// A place in a page that can be found again after other rows were inserted or removed.
struct RowSpot: Hashable, Sendable {
  var page: PageID
  /// The preceding row; `nil` at the start of the page.
  var after: RowID?
  /// The index in the page, used if the preceding row is gone.
  var index: Int
}
