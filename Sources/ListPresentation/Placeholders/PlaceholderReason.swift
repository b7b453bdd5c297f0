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

extension ListFacts {
  /// Why there are no rows; `nil` while there are, and before anything was asked for.
  public var placeholderReason: PlaceholderReason? {
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
