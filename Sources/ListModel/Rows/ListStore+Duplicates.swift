internal import ListReading

/// The policy for a row that arrives again, in the same page or in a later one.
public enum DuplicatePolicy: Hashable, Sendable {
  /// Keeps the row, and leaves the later one out.
  case keepFirst
  /// Keeps the row in its place, with the later content.
  case replaceInPlace
  /// Moves the row to the later place, with the later content.
  case moveToNew
}

extension ListStore {
  /// Decides which rows of a page are kept, and inserts them into the index.
  ///
  /// The first `new` rows are in the index already. `former` has the positions that rows had in the previous
  /// version of the page.
  mutating func resolveDuplicates(
    _ arrival: inout Arrival<Item>, in page: PageID, after new: Int = 0, former: [RowID: Int] = [:]
  ) {
    var lookup = RowLookup()
    for (at, id) in arrival.ids.enumerated().dropFirst(new) {
      let hash = id.indexHash
      var (earlier, other): (Int?, RowPlace<Item>?)
      let order = index.order(of: hash) { order in
        if order == page.order {
          earlier = arrival.place(of: id, before: at)
          return earlier != nil
        }
        other = place(of: id, inPage: order, by: &lookup)
        return other != nil
      }
      if !edits.isEmpty, earlier == nil, applyEdits(at: at, of: &arrival, in: page, found: other) {
        continue
      }
      if order == nil {
        index.insert(hash, order: page.order)
        if let origin = former[id] { arrival.origins[at] = origin }
      } else if let earlier {
        if !edits.isEmpty { keepEditedContent(at: at, of: &arrival) }
        arrival.resolve(at, repeating: earlier, by: duplicates)
      } else if let other {
        resolveDuplicate(at, of: &arrival, in: page, found: other)
      }
    }
  }

  /// Resolves a row that another page has.
  private mutating func resolveDuplicate(
    _ at: Int, of arrival: inout Arrival<Item>, in page: PageID, found other: RowPlace<Item>
  ) {
    arrival.duplicatesAcross += 1
    let otherPage = other.page.page.id
    switch duplicates {
    case .keepFirst:
      arrival.dropped.insert(at)
    case .replaceInPlace:
      arrival.dropped.insert(at)
      arrival.patches[otherPage, default: .init()].replaced[other.index] = arrival.items[at]
    case .moveToNew:
      let hash = arrival.ids[at].indexHash
      arrival.patches[otherPage, default: .init()].removed.insert(other.index)
      arrival.origins[at] = other.position
      if isChanged(arrival.items[at], from: other.item) { arrival.changed.insert(at) }
      index.remove(hash, order: otherPage.order)
      index.insert(hash, order: page.order)
    }
  }
}

/// A page that is about to join the list: which of its rows are kept, where they were before, and what
/// changes in other pages.
struct Arrival<Item> {
  /// The changes in another page.
  struct Patch {
    var replaced: [Int: Item] = [:]
    var removed: Set<Int> = []
    /// New rows after the row at an index, by their received indices.
    var inserted: [Int: [Int]] = [:]
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
  /// The kept row of each id, for the first rows of the page. Filled with the first repetition.
  private var places: [RowID: Int] = [:]
  /// The number of rows whose ids are in there.
  private var placed = 0

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
      places[ids[place]] = place
      changed.remove(earlier)
      guard let origin = origins.removeValue(forKey: earlier) else { return }
      origins[place] = origin
      // The content in the list is not known here; the repetition itself counts as a change.
      changed.insert(place)
    }
  }

  /// The index of the kept row with this id before an index, which is never less than the last time. A page in which
  /// every row repeats another one takes as many look-ups as it has rows.
  mutating func place(of id: RowID, before end: Int) -> Int? {
    for at in placed..<max(placed, end) where !dropped.contains(at) && places[ids[at]] == nil {
      places[ids[at]] = at
    }
    placed = max(placed, end)
    return places[id]
  }
}
