/// What becomes of a row that comes again, in the same page or in a later one.
public enum DuplicatePolicy: Hashable, Sendable {
  /// The row stays as it is; what came again is left out.
  case keepFirst
  /// The row stays where it is and takes the newer content.
  case replaceInPlace
  /// The row goes to where it came last, with the newer content.
  case moveToNew
}

extension ListStore {
  /// Decides row by row what becomes of a page, and enters its rows in the index.
  ///
  /// The first `new` rows are entered. `former` tells where rows of the same page were when it was there
  /// before.
  mutating func settleDuplicates(
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
      if !edits.isEmpty, earlier == nil, meetEdits(at: at, of: &arrival, in: page, found: other) {
        continue
      }
      if order == nil {
        index.insert(hash, order: page.order)
        if let origin = former[id] { arrival.origins[at] = origin }
      } else if let earlier {
        if !edits.isEmpty { keepEdits(at: at, of: &arrival) }
        arrival.settle(at, repeating: earlier, by: duplicates)
      } else if let other {
        settleDuplicate(at, of: &arrival, in: page, found: other)
      }
    }
  }

  /// Decides what becomes of a row that another page has.
  private mutating func settleDuplicate(
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
      arrival.patches[otherPage, default: .init()].taken.insert(other.index)
      arrival.origins[at] = other.position
      if isNews(arrival.items[at], after: other.item) { arrival.renewed.insert(at) }
      index.remove(hash, order: otherPage.order)
      index.insert(hash, order: page.order)
    }
  }
}
