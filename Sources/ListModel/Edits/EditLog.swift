internal import ListReading

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
  /// The rows that the server's rows have replaced, and those.
  private(set) var replaced: [RowID: RowID] = [:]
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
    rows.keys.sorted { $0.number < $1.number }.compactMap { id in
      rows[id].flatMap { chains[$0]?.first { $0.id == id } }
    }
  }

  /// The row of a pending edit; `nil` if the edit is confirmed or rolled back.
  func row(of edit: EditID) -> RowID? { rows[edit] }

  mutating func add(_ edit: ListEdit<Item>, item: Item? = nil, spot: RowSpot? = nil) -> EditID {
    let id = EditID(number: next)
    next += 1
    replaced[edit.row] = nil
    self[edit.row].append(Pending(id: id, edit: edit, item: item, spot: spot))
    return id
  }

  /// Makes a row that the server has local again, below all edits of it.
  mutating func addInsertion(of item: Item, _ row: RowID, at place: ListEdit<Item>.Place) -> EditID {
    let edits = self[row]
    let id = add(.insert(item, id: row, at: place))
    if let insertion = self[row].last { self[row] = [insertion] + edits }
    return id
  }

  mutating func removeAll() {
    (chains, rows, replaced) = ([:], [:], [:])
  }

  /// Whether an edit has removed the row from the list.
  func isRemoving(_ row: RowID) -> Bool { chains[row]?.last?.isRemoval ?? false }

  /// Whether an edit is a removal, and the server has its row.
  func hasPlace(ofRemoval edit: EditID) -> Bool {
    guard let row = rows[edit], let pending = chains[row]?.first(where: { $0.id == edit }) else {
      return false
    }
    return pending.isRemoval && pending.spot != nil
  }

  /// Whether the row exists only by an edit, and not on the server.
  func isInserting(_ row: RowID) -> Bool { chains[row]?.first?.isInsertion ?? false }

  /// Whether an edit determines the place of the row.
  func isPlaced(_ row: RowID) -> Bool {
    guard let chain = chains[row], !isRemoving(row) else { return false }
    return chain.contains { $0.isInsertion || $0.isMove }
  }

  /// The content of a row by its edits; `nil` if it has the server's content.
  func content(of row: RowID) -> Item? {
    chains[row]?.reversed().lazy.compactMap(\.content).first { _ in true }
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
    for at in edits where at == edits.first || self[row][at].spot == nil || self[row][at].isRemoval {
      chains[row]?[at].spot = spot
    }
  }

  /// Records that the server no longer has a row where it was.
  mutating func forget(_ row: RowID) {
    guard !isInserting(row) else { return }
    record(nil, for: row)
    for at in self[row].indices { chains[row]?[at].item = nil }
  }

  /// Sets the server's content of a row, below all edits of it.
  mutating func setContent(_ item: Item, of row: RowID) {
    var content = item
    for at in self[row].indices {
      if self[row][at].savesContent { chains[row]?[at].item = content }
      content = self[row][at].content ?? content
    }
  }

  /// The server's place of a row that edits have moved or removed.
  func home(of row: RowID) -> RowSpot? { chains[row]?.first(where: \.savesPlace)?.spot }

  /// Sets the server's place of a row, below all edits of it.
  ///
  /// - Parameter place: The place by its moves, to which a rollback of its removal returns it.
  mutating func setHome(_ home: RowSpot, of row: RowID, movedTo place: RowSpot?) {
    let saving = self[row].indices.filter { self[row][$0].savesPlace }
    if let first = saving.first { chains[row]?[first].spot = home }
    if let last = saving.last, last != saving.first, self[row][last].isRemoval, let place {
      chains[row]?[last].spot = place
    }
  }

  /// Gives the edits of a row to the server's row that replaces it. Edits that name the row as a place name
  /// the other one.
  mutating func rename(_ row: RowID, to other: RowID) {
    var chain = (self[other] + self[row]).sorted { $0.id.number < $1.id.number }
    self[row] = []
    // A row is removed once, after all other edits of it.
    if let removal = chain.first(where: \.isRemoval) {
      chain.removeAll(where: \.isRemoval)
      chain.append(removal)
    }
    self[other] = chain
    for id in chains.keys {
      chains[id] = chains[id]?.map { $0.renaming(row, to: other) }
    }
    replaced[row] = other
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

extension EditLog.Pending {
  /// The edit with the name of one row replaced by another.
  fileprivate func renaming(_ row: RowID, to other: RowID) -> Self {
    var spot = spot
    if spot?.after == row { spot?.after = other }
    return Self(id: id, edit: edit.renaming(row, to: other), item: item, spot: spot)
  }
}

extension ListEdit {
  fileprivate func renaming(_ row: RowID, to other: RowID) -> ListEdit {
    let id = self.row == row ? other : self.row
    switch self {
    case .insert(let item, _, let place):
      return .insert(item, id: id, at: place.renaming(row, to: other))
    case .remove: return .remove(id)
    case .update(_, let item): return .update(id, item)
    case .move(_, let place): return .move(id, to: place.renaming(row, to: other))
    }
  }
}

extension ListEdit.Place {
  fileprivate func renaming(_ row: RowID, to other: RowID) -> ListEdit<Item>.Place {
    switch self {
    case .after(row): .after(other)
    case .before(row): .before(other)
    case .start, .end, .after, .before: self
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
