/// The edits that are neither confirmed nor rolled back, each with what a rollback gives back.
struct EditLog<Item> {
  /// An edit and the state of its row without it. As long as it is pending, what the server says of the
  /// row goes in here instead of into the list.
  struct Pending {
    let id: EditID
    let edit: ListEdit<Item>
    /// The content before an update or a removal; `nil` where it is not known or there is no such row.
    var item: Item?
    /// The place before a move or a removal; `nil` where the server has no such row.
    var spot: RowSpot?
  }

  /// The edits of each row, in the order they were made.
  private var chains: [RowID: [Pending]] = [:]
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

  /// All edits in the order they were made.
  var all: [Pending] {
    rows.keys.sorted().compactMap { id in
      rows[id].flatMap { chains[$0]?.first { $0.id == id } }
    }
  }

  /// The row of a pending edit; `nil` when the edit is settled.
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

  /// Whether the row is out of the list by an edit.
  func isRemoving(_ row: RowID) -> Bool { chains[row]?.last?.isRemoval ?? false }

  /// Whether only an edit has the row, and not the server.
  func isInserting(_ row: RowID) -> Bool { chains[row]?.first?.isInsertion ?? false }

  /// Whether the row is where an edit put it.
  func isPlaced(_ row: RowID) -> Bool {
    guard let chain = chains[row], !isRemoving(row) else { return false }
    return chain.contains { $0.isInsertion || $0.isMove }
  }

  /// The content that edits gave a row; `nil` where it has the server's.
  func content(of row: RowID) -> Item? {
    chains[row]?.reversed().lazy.compactMap(\.content).first
  }

  /// Ids of rows that are where edits put them.
  var placedRows: [RowID] { chains.keys.filter(isPlaced) }

  /// The server has a row that was inserted: it is no longer only the program's.
  mutating func fulfil(_ row: RowID) {
    if isInserting(row) { self[row].removeFirst() }
  }

  /// The server has this content for a row.
  mutating func remember(_ item: Item, for row: RowID) {
    guard let at = self[row].firstIndex(where: \.knowsContent) else { return }
    chains[row]?[at].item = item
    // A removal behind an update gives back what the update made.
    guard let last = self[row].indices.last, last > at, self[row][last].isRemoval else { return }
    let content = content(of: row)
    chains[row]?[last].item = content
  }

  /// The server has a row at this place.
  mutating func remember(_ spot: RowSpot?, for row: RowID) {
    let edits = self[row].indices.filter { self[row][$0].knowsPlace }
    for at in edits where at == edits.first || self[row][at].spot == nil || self[row][at].isRemoval
    {
      chains[row]?[at].spot = spot
    }
  }

  /// The server does not have a row where it was.
  mutating func forget(_ row: RowID) {
    guard !isInserting(row) else { return }
    remember(nil, for: row)
    for at in self[row].indices { chains[row]?[at].item = nil }
  }

  /// The rows that the server has in a page, and that edits moved or removed from there.
  func rowsTaken(from page: PageID) -> [RowID] {
    chains.filter { $0.value.first(where: \.knowsPlace)?.spot?.page == page }.map(\.key)
  }

  /// Nothing is known any more of what the server has.
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

  /// Whether it keeps the content before it.
  var knowsContent: Bool { isUpdate || isRemoval }
  /// Whether it keeps the place before it.
  var knowsPlace: Bool { isMove || isRemoval }

  /// The content it gave the row.
  var content: Item? {
    switch edit {
    case .insert(let item, _, _), .update(_, let item): item
    case .remove, .move: nil
    }
  }
}

/// A place among the rows of a page, to find again when other rows came and went.
struct RowSpot: Hashable, Sendable {
  var page: PageID
  /// The row right before it; `nil` at the start of the page.
  var after: RowID?
  /// The place in the page, for when that row is gone.
  var index: Int
}
