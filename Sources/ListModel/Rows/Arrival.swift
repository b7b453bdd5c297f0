/// A page on its way into the list: which of its rows it keeps, where they were, and what it does to
/// the rows of other pages.
struct Arrival<Item> {
  /// What changes in another page.
  struct Patch {
    var replaced: [Int: Item] = [:]
    var taken: Set<Int> = []
  }

  /// The rows as they came.
  var items: [Item]
  let ids: [RowID]
  /// Rows in it that only the program has, or has there.
  var own: Set<RowID> = []
  /// The rows that are left out, by their place in the page as it came.
  var dropped: Set<Int> = []
  /// Where rows were among the rows before, by their place in the page as it came.
  var origins: [Int: Int] = [:]
  /// The rows that were in the list and say something else now, by their place in the page as it came.
  var renewed: Set<Int> = []
  /// What changes in other pages.
  var patches: [PageID: Patch] = [:]
  var duplicatesInPage = 0
  var duplicatesAcross = 0

  init(_ rows: PageRows<Item>, ids: [RowID], own: Set<RowID> = []) {
    items = rows.items
    self.ids = ids
    self.own = own
  }

  /// The places of the rows that are kept, as they came.
  var kept: [Int] { ids.indices.filter { !dropped.contains($0) } }

  /// Settles a row that is in the page already, at an earlier place.
  mutating func settle(_ place: Int, repeating earlier: Int, by policy: DuplicatePolicy) {
    duplicatesInPage += 1
    switch policy {
    case .keepFirst:
      dropped.insert(place)
    case .replaceInPlace:
      dropped.insert(place)
      items[earlier] = items[place]
    case .moveToNew:
      dropped.insert(earlier)
      renewed.remove(earlier)
      guard let origin = origins.removeValue(forKey: earlier) else { return }
      origins[place] = origin
      // What it said before is not at hand here; that it came twice is news enough.
      renewed.insert(place)
    }
  }

  /// The place of an id among the rows before a place that are kept.
  func place(of id: RowID, before end: Int) -> Int? {
    ids[..<end].indices.first { ids[$0] == id && !dropped.contains($0) }
  }
}
