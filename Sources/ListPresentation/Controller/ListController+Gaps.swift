public import ListModel

extension ListController {
  /// Returns the gap that a row stands for; `nil` for all other rows.
  public func gap(at position: RowPosition) -> ListGap? { sections.row(at: position)?.gap }

  /// Loads rows of the gap at a position, as selecting its row does.
  ///
  /// - Parameters:
  ///   - position: The position of its row.
  ///   - side: The rows that stay in sight. Without it, those that the user comes from.
  /// - Returns: Whether there is a gap.
  @discardableResult public func loadGap(at position: RowPosition, from side: ListGap.Side? = nil) -> Bool {
    guard let gap = gap(at: position), let model else { return false }
    model.loadGap(gap.id, from: side)
    return true
  }

  /// Returns the content of a gap's row.
  func content(of gap: ListGap) -> RowContent {
    RowContent(settings.placeholders.texts.text(of: gap, state(of: gap)))
  }

  /// The state of a gap's load when the screen last heard of it. The list may be ahead of that.
  package func state(of gap: ListGap) -> LoadState { gapStates[gap.id] ?? .idle }

  /// Takes over the states of loads that began before this screen.
  func learnGapStates() {
    for gap in model?.gaps ?? [] { gapStates[gap.id] = model?.state(ofGap: gap.id) }
  }

  /// Shows that the load of a gap has begun or ended.
  func gapChanged(_ gap: PageID, isLoading: Bool) {
    gapStates = gapStates.filter { listRows.rows(of: $0.key) != nil }
    gapStates[gap] = isLoading ? .loading : model?.state(ofGap: gap)
    isLoadingAboveLastRows = isLoading && model?.sideOfLoad(ofGap: gap) == .below
    guard let rows = listRows.rows(of: gap), listRows.row(at: rows.lowerBound)?.gap != nil else { return }
    follow(ListChange(updated: [rows]), to: listRows)
  }
}

extension ListRow {
  /// The gap; `nil` for all other rows.
  var gap: ListGap? { if case .gap(let gap) = self { gap } else { nil } }
}

extension Placeholder.Plan.Texts {
  /// Returns the text of a gap.
  func text(of gap: ListGap, _ state: LoadState) -> String {
    if gap.unavailable != nil { return gapUnavailable }
    return switch state {
    case .loading: loading
    case .failed: gapFailed
    case .idle, .stillSearching, .reachedEnd: self.gap(gap.size)
    }
  }
}
