extension ListModel {
  /// The gaps, in order; see ``ListGap``. Each is also a row, ``ListRow/gap(_:)``.
  public var gaps: [ListGap] { observed { brain in brain.store.gaps.compactMap { brain.store.gap($0) } } }

  /// Loads a page of a gap, next to the rows on one side of it. The gap closes when a page has rows of both sides.
  ///
  /// ```swift
  /// case .gap(let gap): cell.onTap = { books.loadGap(gap.id, from: .below) }
  /// ```
  ///
  /// Where the paging can't go back, or the server has no more rows on this side, the page is loaded from the other one.
  /// A gap that both sides can't load is ``ListGap/unavailable``, and the load fails with the reason.
  ///
  /// - Parameters:
  ///   - gap: The id of the gap.
  ///   - side: The rows that stay in sight. Without it, those that the user comes from, as
  ///     ``ListModel/rowsWillAppear(_:)`` has shown.
  @discardableResult public func loadGap(_ gap: PageID, from side: ListGap.Side? = nil) -> Load {
    load { $0.loadGap(gap, from: side, load: $1) }
  }

  /// The state of the load of a gap.
  public func state(ofGap gap: PageID) -> LoadState { states.state(ofPage: gap) }

  /// The side from which a gap is being loaded; `nil` if it isn't.
  package func sideOfLoad(ofGap gap: PageID) -> ListGap.Side? {
    brain.machine.runningLoads.first { $0.slot == .middle(gap) }?.running.side
  }
}
