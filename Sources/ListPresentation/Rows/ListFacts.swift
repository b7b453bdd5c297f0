public import ListModel

/// The state of a list at one moment. The header and footer of a ``RowPlan`` are made from it,
/// `RefreshCoordinator` decides on loads with it, and `placeholderReason` explains why there are no rows.
public struct ListFacts: Hashable, Sendable {
  /// The number of shown rows. For the header and footer of a plan, only items count.
  public var shownRows = 0
  /// Whether there are rows that aren't shown, or that a filter left out.
  public var isFiltered = false
  /// Whether a first page was ever loaded.
  public var hasLoaded = false
  /// Whether the last load that ended left nothing to show.
  package var endedEmpty = false
  /// The state of first load, refresh and jump.
  public var refreshState = LoadState.idle
  /// The state of loads of the page before the first one.
  public var previousState = LoadState.idle
  /// The state of loads of the page after the last one.
  public var nextState = LoadState.idle
  /// The age of the rows, as far as it is known.
  public var freshness = Freshness.nothing
  /// Whether the rows are the program's own, which loads them itself if at all.
  package var isLocal = false
  /// Whether a first load, refresh or jump runs, or waits for a restore.
  package var isReloading = false
  /// The number of resets that drop loads of the program.
  package var resets = 0
  /// Whether there is a way to refresh the rows.
  package var canRefresh = true
  /// Whether there is a way to load further rows.
  package var canLoadMore = true

  /// Creates the state of a list that was never loaded.
  package init() {}
}

extension ListFacts {
  /// Creates the current state of a list.
  ///
  /// - Parameter isFiltered: Whether the rows are known to be only some of the existing ones.
  @MainActor init<Item>(of list: any RowSource<Item>, shownRows: Int, isFiltered: Bool) {
    self.shownRows = shownRows
    self.isFiltered = isFiltered
    hasLoaded = list.hasLoaded
    refreshState = list.refreshState
    previousState = list.state(of: .previous)
    nextState = list.state(of: .next)
    freshness = list.freshness
    isReloading = list.isReloading
    isLocal = list is LocalList<Item>
    resets = list.resets
  }
}

/// Keeps facts that a list reports only once: the rows that its filter left out, and whether a load left
/// nothing to show.
struct FactKeeper {
  private(set) var facts: ListFacts
  /// The rows that the filter of the list left out since the list was last reloaded.
  private var filtered = 0
  /// The rows that the filter left out of the running reload.
  private var filteredInReload = 0

  /// Creates the facts of a list as it is.
  init(_ facts: ListFacts, endedEmpty: Bool) {
    self.facts = facts
    self.facts.endedEmpty = endedEmpty
  }

  /// Updates the current state of the list.
  mutating func look(_ now: ListFacts) {
    let endedEmpty = facts.endedEmpty
    facts = now
    facts.endedEmpty = endedEmpty
    if filtered > 0 { facts.isFiltered = true }
  }

  /// Handles an event of the list.
  mutating func take(_ event: ListEvent) {
    switch event {
    case .didStart(let kind) where kind.replacesList: filteredInReload = 0
    case .didReport(let report) where report.kind.replacesList:
      filteredInReload += report.filtered
      // The last page is reported before the success.
      if facts.refreshState != .loading { filtered = filteredInReload }
    case .didReport(let report): filtered += report.filtered
    case .didSucceed(let kind) where kind.replacesList: filtered = filteredInReload
    case .didReset:
      (filtered, filteredInReload) = (0, 0)
      facts.endedEmpty = false
    case .didFinish: facts.endedEmpty = facts.hasLoaded && facts.shownRows == 0
    default: break
    }
  }
}
