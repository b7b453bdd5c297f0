/// How a page follows those that were read before it.
public enum Seam: String, Hashable, Sendable, CaseIterable {
  /// One response had rows of both sides: no row that stayed is missing between them.
  case seen
  /// The response before led here by a cursor or the key of its last row.
  case chained
  /// The place was counted. Rows may have been inserted or removed before it meanwhile.
  case assumed
  /// Rows had moved up, and were found further back.
  case mended
  /// Rows moved, and some may be missing here.
  case open
}
