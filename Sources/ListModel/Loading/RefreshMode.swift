public import ListReading

/// Which rows are visible during a refresh, and where it starts.
public enum RefreshMode: Hashable, Sendable {
  /// The old rows stay visible until the first page is loaded, and are replaced in one step.
  case keepVisible
  /// The old rows are hidden at once. If the refresh fails, they are shown again.
  case replace
  /// Loads the page of this row instead of the first one, so that the list keeps its position. The old rows
  /// stay visible until then. If there is no such row, or the paging can't load the pages before it, the
  /// first page is loaded.
  case around(RowID)
}
