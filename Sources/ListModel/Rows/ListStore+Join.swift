extension ListStore {
  /// Puts a page in the place its id tells, where there is none.
  mutating func join(_ rows: PageRows<Item>, as id: PageID) -> Merge {
    let new = edits.isEmpty ? enter(rows.ids ?? [], of: id) : 0
    guard let ids = rows.ids, new < ids.count else {
      tree.insert(StoredPage(id: id, rows: rows))
      return Merge(page: id, change: .inserting(rowsOf(id)), added: rows.items.count)
    }
    var arrival = Arrival(rows, ids: ids)
    settleDuplicates(&arrival, in: id, after: new)
    let renewed = carryOut(arrival.patches)
    tree.insert(StoredPage(id: id, rows: rows.keeping(arrival, isWhole: edits.isEmpty)))
    return merge(of: arrival, in: id, region: 0..<0, renewed: renewed)
  }

  /// Enters the rows of a page in the index, up to the first that may be there already. Gives how many
  /// those are: almost always all, and nothing remains to be decided then.
  private mutating func enter(_ ids: [RowID], of page: PageID) -> Int {
    index.insertNew(ids.map(\.indexHash), order: page.order)
  }

  /// Whether an item says something else than the one before it, `nil` for one that was not present.
  func isNews(_ item: Item, after old: Item?) -> Bool {
    guard let old, let isSame else { return true }
    return !isSame(old, item)
  }

  /// Changes other pages. Gives the rows whose content is another now, by page and place in it.
  mutating func carryOut(_ patches: [PageID: Arrival<Item>.Patch]) -> [(PageID, Int)] {
    var renewed: [(PageID, Int)] = []
    for (id, patch) in patches {
      guard let page = tree.place(of: id)?.page else { continue }
      let left = (0..<page.count).filter { !patch.taken.contains($0) }
      let content: StoredPage<Item>.Content
      if let items = page.items {
        for (place, at) in left.enumerated() {
          if let item = patch.replaced[at], isNews(item, after: items[at]) {
            renewed.append((id, place))
          }
        }
        content = .items(left.map { patch.replaced[$0] ?? items[$0] })
      } else {
        content = .givenUp(count: left.count)
      }
      tree.replace(page.with(content, ids: page.ids.map { ids in left.map { ids[$0] } }))
    }
    return renewed
  }

  /// Tells what a page did, after it is in its place.
  ///
  /// `region` are the rows it takes the place of, among the rows before, and `renewed` rows of other
  /// pages with other content.
  func merge(
    of arrival: Arrival<Item>, in page: PageID, region: Range<Int>, renewed: [(PageID, Int)]
  ) -> Merge {
    var merge = Merge(page: page)
    merge.duplicatesInPage = arrival.duplicatesInPage
    merge.duplicatesAcross = arrival.duplicatesAcross
    let rows = rowsOf(page)
    guard !region.isEmpty || !arrival.origins.isEmpty || !renewed.isEmpty else {
      merge.change = .inserting(rows)
      merge.added = rows.count
      return merge
    }
    let kept = arrival.kept
    merge.change = .arranging(
      region, origins: kept.map { arrival.origins[$0] }, from: rows.lowerBound)
    merge.added = rows.count - arrival.origins.count
    var updated = renewed.map { page, place in rowsOf(page).lowerBound + place }
    for (place, at) in kept.enumerated() where arrival.renewed.contains(at) {
      updated.append(rows.lowerBound + place)
    }
    merge.change.updated = [Range<Int>](updated)
    return merge
  }

  /// The rows of a page among all rows.
  func rowsOf(_ page: PageID) -> Range<Int> { tree.place(of: page)?.rows ?? 0..<0 }
}

extension PageRows {
  /// The page without the rows that an arrival leaves out. It is whole where no edit had a say.
  func keeping(_ arrival: Arrival<Item>, isWhole: Bool) -> PageRows {
    var rows = self
    rows.items = arrival.items
    rows.isWhole = isWhole && arrival.dropped.isEmpty
    guard !arrival.dropped.isEmpty else { return rows }
    let kept = arrival.kept
    rows.items = kept.map { arrival.items[$0] }
    rows.bytes = rows.bytes * kept.count / max(1, arrival.items.count)
    rows.ids = kept.map { arrival.ids[$0] }
    return rows
  }
}

/// What a page did to the rows of the list.
struct Merge: Hashable, Sendable {
  /// The page that holds the rows now.
  var page: PageID
  /// What changed, exactly.
  var change = ListChange()
  /// How many rows the list did not have before.
  var added = 0
  /// Whether it brought a row that the list did not have.
  var isNew: Bool { added > 0 }
  /// How many rows came more than once in the page.
  var duplicatesInPage = 0
  /// How many rows of the page the list had already, in other pages.
  var duplicatesAcross = 0
}
