/// Whether all rows on a side of the list are there.
public enum ListEnd: Hashable, Sendable {
  /// The server said so.
  case complete
  /// There may be more; this is why it can't be had.
  case incomplete(PagingError)
}

/// A side of a list.
public enum ListSide: Hashable, Sendable, CaseIterable {
  /// Before the first row.
  case previous
  /// Behind the last row.
  case next
}
