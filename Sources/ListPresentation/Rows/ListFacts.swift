public import ListModel

/// What a list says of itself at one moment. Header and footer of a ``RowPlan`` are made of it,
/// ``RefreshCoordinator`` decides by it what is loaded, and ``placeholderReason`` says why there are no rows.
public struct ListFacts: Hashable, Sendable {
  /// How many rows are shown. A plan that asks for its header and footer is told of items only.
  public var shownRows = 0
  /// Whether rows are there that are not shown, or that a filter left out.
  public var isFiltered = false
  /// Whether a first page has ever come.
  public var hasLoaded = false
  /// Whether the last load that ended left nothing to show.
  public var endedEmpty = false
  /// Where first load, refresh and jump stand.
  public var refreshState = LoadState.idle
  /// Where the loads of the page before the first one stand.
  public var previousState = LoadState.idle
  /// Where the loads of the page behind the last one stand.
  public var nextState = LoadState.idle
  /// What is known of the age of the rows.
  public var freshness = Freshness.nothing

  /// A list that never loaded.
  public init() {}
}

extension ListFacts {
  /// Where a list is now.
  ///
  /// - Parameter isFiltered: Whether the rows are known to be only some of those there are.
  @MainActor init(of model: some PagedList, shownRows: Int, isFiltered: Bool) {
    self.shownRows = shownRows
    self.isFiltered = isFiltered
    hasLoaded = model.hasLoaded
    refreshState = model.refreshState
    previousState = model.state(of: .previous)
    nextState = model.state(of: .next)
    freshness = model.freshness
  }
}

/// Keeps what a list only tells once: what its filter left out, and whether a load left nothing to show.
struct FactKeeper {
  private(set) var facts: ListFacts
  /// Rows that the filter of the list left out since the list was loaded anew.
  private var filtered = 0
  /// Rows that it left out of the load that makes the list anew, while that runs.
  private var filteredAnew = 0

  /// A list as it is.
  init(_ facts: ListFacts, endedEmpty: Bool) {
    self.facts = facts
    self.facts.endedEmpty = endedEmpty
  }

  /// Takes in where the list is now.
  mutating func look(_ now: ListFacts) {
    let endedEmpty = facts.endedEmpty
    facts = now
    facts.endedEmpty = endedEmpty
    if filtered > 0 { facts.isFiltered = true }
  }

  /// The list has told of something.
  mutating func take(_ event: ListEvent) {
    switch event {
    case .didStart(let kind) where kind.makesAnew: filteredAnew = 0
    case .didReport(let report) where report.kind.makesAnew:
      filteredAnew += report.filtered
      // The page that comes last is told of before the success is.
      if facts.refreshState != .loading { filtered = filteredAnew }
    case .didReport(let report): filtered += report.filtered
    case .didSucceed(let kind) where kind.makesAnew: filtered = filteredAnew
    case .didReset:
      (filtered, filteredAnew) = (0, 0)
      facts.endedEmpty = false
    case .didFinish: facts.endedEmpty = facts.hasLoaded && facts.shownRows == 0
    default: break
    }
  }
}
