/// A limit for the rows that a list keeps in memory.
public enum ListWindow: Hashable, Sendable {
  /// This number of rows.
  case rows(Int)
  /// Rows from responses with this many bytes in total.
  case bytes(Int)
}
