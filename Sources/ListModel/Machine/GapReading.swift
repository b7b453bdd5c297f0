internal import ListReading

/// How the rows of a gap are read, from both of its sides.
struct GapReading: Hashable {
  /// How the page before the rows below the gap is requested.
  enum Below: Hashable {
    /// By what these rows lead to.
    case page(PageKey)
    /// By its place, counted from the server's total. Whether it has a row below the gap, it shows itself.
    case counted(PageKey)
    case unknown
  }

  /// The reading of the rows above the gap, which goes on into it.
  var above: Reading
  var below = Below.unknown
  /// Whether the next page begins after the last row above. A page may end with a row from below that has moved up.
  var isAdjacent = true
  /// Whether both sides have met, although the gap can't close while edits are pending.
  var isHeldOpen = false
  /// The number of pages that the list has loaded by itself.
  var ownPages = 0

  /// Returns the page that is requested at a side; `nil` if there is none.
  func key(_ side: ListGap.Side) -> PageKey? {
    guard side == .below else { return above.link.key }
    return switch below {
    case .page(let key), .counted(let key): key
    case .unknown: nil
    }
  }

  /// Returns the side to load from: this one, or else the other; `nil` if the server has no more rows.
  func side(preferring side: ListGap.Side) -> ListGap.Side? {
    [side, side.opposite].first { key($0) != nil }
  }

  /// Counts where the page before the rows below is, given the number of missing rows. It has to overlap with these.
  mutating func count(_ size: Int?) {
    if case .page = below { return }
    below = .unknown
    // One page from above has all of them.
    guard let size, let page = above.pageSize, size >= page, let next = above.link.key else { return }
    let key = next.moved(by: size - page + 1) ?? (size % page == 0 ? nil : next.moved(byPages: size / page))
    below = key.map { .counted($0) } ?? .unknown
  }

  /// Ends a side at which the server refuses the next page.
  mutating func end(_ side: ListGap.Side, because error: LoadError) {
    switch side {
    case .above: above.link = .stopped(.custom("\(error)"))
    case .below: below = .unknown
    }
  }

  /// Why no side leads on.
  var reason: PagingError {
    if case .stopped(let error) = above.link { return error }
    return .missingRows("the server's list ends before the rows below")
  }
}
