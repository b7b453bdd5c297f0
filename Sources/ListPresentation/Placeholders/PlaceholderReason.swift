public import ListModel

/// Why a view has no rows to show.
public enum PlaceholderReason: Hashable, Sendable {
  /// The first rows are on their way.
  case loadingFirst
  /// There are none.
  case empty
  /// There are some, but the filter leaves all of them out.
  case filteredEmpty
  /// The load that should have brought them failed.
  case failed(LoadError)
  /// No answer of the server comes; what is known is from then, in seconds since 1970, and `nil` where
  /// nothing ever came.
  case offline(asOf: Double?)
}

/// What a view's lack of rows is judged by. A plain value; nothing of it counts how often something was
/// reloaded.
public struct PlaceholderFacts: Hashable, Sendable {
  /// How many rows all sections show.
  public var shownRows = 0
  /// Whether rows are there that are not shown, or that a filter left out.
  public var isFiltered = false
  /// Whether a first page has ever come.
  public var hasLoaded = false
  /// Whether the last load that ended left nothing to show.
  public var endedEmpty = false
  /// Where first load and refresh stand.
  public var refreshState = LoadState.idle
  /// Where the loads of the next page stand.
  public var nextState = LoadState.idle
  /// What is known of the age of the rows.
  public var freshness = Freshness.nothing

  /// A list that never loaded.
  public init() {}

  /// Why there are no rows; `nil` while there are, and before anything was asked for.
  public var reason: PlaceholderReason? {
    guard shownRows == 0 else { return nil }
    switch refreshState {
    case .loading:
      // What is empty stays so until something comes; what was taken out of sight is on its way.
      return hasLoaded && endedEmpty ? emptiness : .loadingFirst
    case .failed(let error):
      return error.meansSilence == true ? .offline(asOf: freshness.asOf) : .failed(error)
    case .idle, .stillSearching, .endReached: break
    }
    if case .offline(let moment, _) = freshness { return .offline(asOf: moment) }
    guard hasLoaded else { return nil }
    switch nextState {
    case .loading: return .loadingFirst
    case .failed(let error): return .failed(error)
    case .idle, .stillSearching, .endReached: return emptiness
    }
  }

  private var emptiness: PlaceholderReason { isFiltered ? .filteredEmpty : .empty }
}
