public import ListModel

/// Where the rows that are shown come from, and how old they are.
public enum Freshness: Hashable, Sendable {
  /// From the server, as of the last load.
  case live
  /// From a store, where they have been for so long.
  case stored(age: Duration)
  /// From a store or from before, because the server can't be reached; of unknown age where there never
  /// were any.
  case offline(age: Duration?, LoadError)
}
