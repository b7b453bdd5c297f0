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
  /// Reads all loaded pages again in the background, one after the other, and lays each over the rows as ``splice`` does.
  /// The list can be used meanwhile, and the row in sight stays where it is. ``ListModel/consistency`` then speaks of the
  /// time of this refresh. Pages that have not changed have no body where there is a cache.
  ///
  /// Visible pages are requested first. The load has the kind ``LoadKind/deep``. When it fails or is cancelled, the pages
  /// that it has read stay, and another deep refresh goes on after them. It waits while edits are pending, and ends at a
  /// ``ListGap``. Where the pages can't be laid over the rows, it is ``splice``.
  case deep
  /// The old rows are hidden at once. If the refresh fails, they are shown again.
  case replace
  /// Loads the page of this row instead of the first one, so that the list keeps its position. The old rows
  /// stay visible until then. If there is no such row, or the paging can't load the pages before it, the
  /// first page is loaded.
  case around(RowID)
}
