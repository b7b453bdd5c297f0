internal import ListModel

/// How many rows may be missing between pages, as far as the server lets that be told.
///
/// Where pages are counted, each row that goes from the pages that were read moves the ones behind it up,
/// so that the next page begins too late. The server's total says how many went, but not where: so they
/// may be missing.
struct MissingRows: Hashable {
  private(set) var count = 0
  /// What the server said when the list was at the place where it goes on.
  private var total: Int?

  /// A load has brought a page.
  ///
  /// - Parameters:
  ///   - key: How the last page of the list was asked for.
  ///   - now: How many rows there are by now.
  mutating func take(_ kind: LoadKind, _ key: PageKey?, total now: Int?) {
    switch kind {
    case .first, .refresh, .page, .restore: self = MissingRows()
    case .next:
      guard key?.place.isCounted == true, let total, let now else { break }
      count += max(0, total - now)
    case .previous, .gap: return
    }
    total = now ?? total
  }
}

extension PageKey.Place {
  /// Whether what comes in or goes before it moves its rows.
  fileprivate var isCounted: Bool {
    switch self {
    case .start, .number, .offset, .trial: true
    case .after, .before, .url: false
    }
  }
}
