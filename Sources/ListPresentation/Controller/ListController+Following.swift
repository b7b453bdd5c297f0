package import ListModel
internal import ListReading

extension ListController: ListObserver {
  /// Does nothing: a controller keeps its list alive, so this is never called.
  package func close() {}

  package func notify(_ step: ListEvents<Item>.Step) {
    switch step.event {
    case .didStart(.previous): isLoadingPrevious = true
    case .didFinish(.previous): isLoadingPrevious = false
    case .didStart(.gap(let gap)): gapChanged(gap, isLoading: true)
    case .didFinish(.gap(let gap)): gapChanged(gap, isLoading: false)
    default: break
    }
    act { $0.stepBegan(step.event) }
    let isChange: Bool
    if case .didChange(let change) = step.event {
      isChange = true
      follow(change, to: step.rows)
    } else {
      isChange = false
    }
    followFacts()
    showState()
    if isChange { lookAtView() }
    brain.stepEnded()
  }
}

extension ListFacts {
  /// The error of a failed refresh above rows.
  var refreshFailure: LoadError? {
    guard shownRows > 0, case .failed(let error) = refreshState else { return nil }
    return error
  }

  /// Adds what the handlers of a screen can load.
  mutating func complete<Item>(by settings: ListController<Item>.Settings) {
    guard isLocal else { return }
    canRefresh = settings.refreshHandler != nil
    canLoadMore = settings.loadMoreHandler != nil
    if !canRefresh { hasLoaded = true }
    if canLoadMore { nextState = .idle }
  }
}

/// A row that the user has moved in the view.
struct MovedRow {
  let from: RowPosition
  let to: RowPosition

  /// Whether a change of the rows is this move and nothing else.
  func isAll<Item>(
    of change: SectionsChange, from old: ListSections<Item>, to new: ListSections<Item>,
    by identity: ItemIdentity<Item>
  ) -> Bool {
    guard let id = identity.id, change.updatedRows.isEmpty, change.sections.isEmpty else { return false }
    func ids(_ sections: ListSections<Item>) -> [[RowID?]] {
      sections.sections.map { $0.rows.map { $0.item.map(id) } }
    }
    var rows = ids(old)
    guard old.row(at: from) != nil, rows.indices.contains(to.section) else { return false }
    let row = rows[from.section].remove(at: from.row)
    guard to.row <= rows[to.section].count else { return false }
    rows[to.section].insert(row, at: to.row)
    return rows == ids(new)
  }
}
