extension Consistency {
  /// How much is requested to be sure of the rows of a list.
  ///
  /// ```swift
  /// let walk = PageWalk(server, "/events", paging: .offset(limit: 100), consistency: .any)
  /// ```
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The pages, and nothing else.
    case any
    /// The pages, until something shows that rows move: the total changes, a row comes again, or a page in the middle is short.
    /// Then the page is requested again, and the pages after it as for ``seams``.
    case signs
    /// Windows that overlap, where that takes no further request, so that one response has rows of both sides of each
    /// seam. Where there is none, pages before are read until one has.
    case seams
    /// As ``seams``, and pages with numbers are requested in other sizes, so that they overlap too. A list with less than
    /// the claim ``Consistency/Claim/whole`` ends as incomplete.
    case whole
    /// As ``seams``, and a walk reads the list a second time, until its rows are known to be those of one instant. The server has
    /// to count its rows, by a total or by offsets or page numbers. A list with less than the claim
    /// ``Consistency/Claim/exact`` ends as incomplete.
    case exact
  }
}

extension Consistency.Level {
  /// The claim without which a list is incomplete.
  var claim: Consistency.Claim? {
    switch self {
    case .any, .signs, .seams: nil
    case .whole: .whole
    case .exact: .exact
    }
  }
}

extension Consistency.Level: Comparable {
  /// Compares how much is requested.
  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .any: 0
    case .signs: 1
    case .seams: 2
    case .whole: 3
    case .exact: 4
    }
  }
}
