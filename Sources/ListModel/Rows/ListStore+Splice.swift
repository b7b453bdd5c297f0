internal import ListReading

extension ListStore {
  /// Inserts a page after the last one that has rows of the pages before it. New rows before a known one go to its
  /// place, all others to the end. Known rows stay where they are.
  mutating func splice(_ rows: PageRows<Item>) -> Merge {
    let policy = duplicates
    // Rows that come again on purpose are not at a later place.
    if duplicates == .moveToNew { duplicates = .replaceInPlace }
    defer { duplicates = policy }
    guard let ids = rows.ids else { return join(rows, at: .next) }
    let groups = newRows(of: ids)
    guard !groups.isEmpty else { return join(rows, at: .next) }
    for group in groups { insert(group.rows, of: rows, before: group.anchor) }
    let inserted = groups.flatMap { $0.rows.compactMap { position(of: ids[$0]) } }
    var rest = rows
    let gone = Set(groups.flatMap(\.rows))
    let left = ids.indices.filter { !gone.contains($0) }
    rest.items = left.map { rows.items[$0] }
    rest.ids = left.map { ids[$0] }
    rest.isWhole = false
    var merge = join(rest, at: .next)
    merge.added += inserted.count
    merge.change.inserted = [Range<Int>](inserted + merge.change.inserted.flatMap(Array.init))
    return merge
  }

  /// New rows, by their indices, that come before a known one.
  private struct Group {
    var rows: [Int]
    let anchor: RowID
  }

  /// Returns the new rows that come before a known row of a page in memory. Those that edits are about go to the end,
  /// as do those next to rows whose place edits remember.
  private func newRows(of ids: [RowID]) -> [Group] {
    let edited = edits.isEmpty ? [] : pagesWithEdits
    var groups: [Group] = []
    var new: [Int] = []
    var seen: Set<RowID> = []
    for (at, id) in ids.enumerated() where seen.insert(id).inserted {
      guard let place = place(of: id) else {
        if edits.isEmpty || edits[id].isEmpty { new.append(at) }
        continue
      }
      let page = place.page.page
      if !new.isEmpty, page.isLoaded, !edited.contains(page.id),
        edits.isEmpty || edits.rowsDisplaced(from: page.id).isEmpty
      {
        groups.append(Group(rows: new, anchor: id))
      }
      new = []
    }
    return groups
  }

  private mutating func insert(_ rows: [Int], of page: PageRows<Item>, before anchor: RowID) {
    guard let place = place(of: anchor), let new = page.ids, var items = place.page.page.items,
      var ids = place.page.page.ids
    else { return }
    let stored = place.page.page
    items.insert(contentsOf: rows.map { page.items[$0] }, at: place.index)
    ids.insert(contentsOf: rows.map { new[$0] }, at: place.index)
    for row in rows { index.insert(new[row].indexHash, order: stored.id.order) }
    tree.replace(stored.with(.items(items), ids: ids))
  }
}

extension Merge {
  /// Adds the counts of another page that was inserted right after.
  mutating func add(_ next: Merge) {
    page = next.page
    added += next.added
    duplicatesInPage += next.duplicatesInPage
    duplicatesAcross += next.duplicatesAcross
  }
}
