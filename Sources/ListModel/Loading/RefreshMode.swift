public import ListReading

/// Which rows are visible during a refresh, and where it starts.
public enum RefreshMode: Hashable, Sendable {
  /// The old rows stay visible until the first page is loaded, and are replaced in one step.
  case keepVisible
  /// Requests the first page, and lays it over the rows: new rows are inserted, rows that are gone are removed, and all
  /// others stay, however many pages are loaded. What a pull does on a screen. Rows further down are as old as before,
  /// and ``ListModel/consistency`` has the time of the oldest response.
  ///
  /// Where the two have no row in common, a ``ListGap`` stands between them. The page replaces all rows where rows have no
  /// ids, while edits are pending, or where a filter leaves out rows.
  case splice
  /// The old rows are hidden at once. If the refresh fails, they are shown again.
  case replace
  /// Loads the page of this row instead of the first one, so that the list keeps its position. The old rows
  /// stay visible until then. If there is no such row, or the paging can't load the pages before it, the
  /// first page is loaded.
  case around(RowID)
}
