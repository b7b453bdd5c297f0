public import ListReading

/// A place in the list where rows of the server are missing, with rows above and below.
///
/// It comes up where a refresh finds so many new rows on top that none of the old ones is on the first page; see
/// ``RefreshMode/splice``. It is one row of the list, ``ListRow/gap(_:)``, until its rows are loaded.
public struct ListGap: Hashable, Sendable, Identifiable {
  /// The rows next to which rows of a gap are loaded.
  public enum Side: Hashable, Sendable, CaseIterable {
    /// Below the rows above the gap, for a reader who goes down.
    case above
    /// Above the rows below the gap, for a reader who goes up.
    case below
  }

  /// The id, valid as long as the gap is open.
  public let id: PageID
  /// The number of missing rows by the server's total; `nil` if it states none.
  public internal(set) var size: Int?
  /// Why the server has no more rows for it; `nil` while it can be loaded.
  public internal(set) var unavailable: LoadError?

  init(id: PageID, size: Int? = nil, unavailable: LoadError? = nil) {
    (self.id, self.size, self.unavailable) = (id, size, unavailable)
  }
}

extension ListGap.Side {
  /// The other one.
  var opposite: Self { self == .above ? .below : .above }
}
