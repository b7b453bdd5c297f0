/// A page that is about to join the list: which of its rows are kept, where they were before, and what
/// changes in other pages.
struct Arrival<Item> {
  /// The changes in another page.
  struct Patch {
    var replaced: [Int: Item] = [:]
    var removed: Set<Int> = []
  }

  /// The received items.
  var items: [Item]
  let ids: [RowID]
  /// The ids of rows that only the program has in this page.
  var localRows: Set<RowID> = []
  /// The rows that are left out, by their received index.
  var dropped: Set<Int> = []
  /// The previous positions of rows that were in the list, by their received index.
  var origins: [Int: Int] = [:]
  /// The rows that were in the list and have other content now, by their received index.
  var changed: Set<Int> = []
  /// The changes in other pages.
  var patches: [PageID: Patch] = [:]
  var duplicatesInPage = 0
  var duplicatesAcross = 0

  init(_ rows: PageRows<Item>, ids: [RowID], localRows: Set<RowID> = []) {
    items = rows.items
    self.ids = ids
    self.localRows = localRows
  }

  /// The received indices of the kept rows.
  var kept: [Int] { ids.indices.filter { !dropped.contains($0) } }

  /// Resolves a row that is in the page already, at an earlier index.
  mutating func resolve(_ place: Int, repeating earlier: Int, by policy: DuplicatePolicy) {
    duplicatesInPage += 1
    switch policy {
    case .keepFirst:
      dropped.insert(place)
    case .replaceInPlace:
      dropped.insert(place)
      items[earlier] = items[place]
    case .moveToNew:
      dropped.insert(earlier)
      changed.remove(earlier)
      guard let origin = origins.removeValue(forKey: earlier) else { return }
      origins[place] = origin
      // The content in the list is not known here; the repetition itself counts as a change.
      changed.insert(place)
    }
  }

  /// The index of the kept row with this id before an index.
  func place(of id: RowID, before end: Int) -> Int? {
    ids[..<end].indices.first { ids[$0] == id && !dropped.contains($0) }
  }
}
