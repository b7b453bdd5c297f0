/// What a load brings.
public enum LoadKind: Hashable, Sendable {
  /// The first page of a list that has none yet.
  case first
  /// The first page again.
  case refresh
  /// The page behind the last one.
  case next
  /// The page before the first one.
  case previous
  /// The page with this number, which becomes the only one.
  case page(Int)
  /// A page in the middle that is not there, such as one given up to save memory.
  case gap(PageID)
  /// The list as it was kept, from a store and without the network; see ``ListModel/restore()``. Where
  /// nothing is kept it finishes without success or failure.
  case restore
}

/// Names a page of a list for as long as the list has it.
public struct PageID: Hashable, Sendable, Comparable {
  let order: Int

  /// Pages compare by their place in the list.
  public static func < (a: PageID, b: PageID) -> Bool { a.order < b.order }
}

extension LoadKind {
  /// Whether the page takes the place of all others.
  package var makesAnew: Bool {
    switch self {
    case .first, .refresh, .page, .restore: true
    case .next, .previous, .gap: false
    }
  }
}
