extension Paging {
  /// Pages that begin behind a number of rows.
  ///
  /// ```swift
  /// .offset(limit: 20)                                               // ?offset=0&limit=20
  /// .offset(limit: 20, parameter: "skip", limitParameter: "take", endsBy: .total("total"))
  /// ```
  ///
  /// The next page begins behind the rows that were really sent, so that neither a server with a
  /// smaller limit of its own nor a short page in the middle loses rows. The page before offset 10 is
  /// asked to have 10 rows, however large the limit is.
  ///
  /// The list ends by the rules of ``PageEnd``; without any, at a page without rows or with fewer than
  /// a page before it had.
  ///
  /// - Parameters:
  ///   - limit: How many rows a page is asked to have.
  ///   - first: The number of the first row: 0, or 1 as SCIM and OpenSearch count.
  ///   - parameter: Where the number of rows before the page goes, plus `first`.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for.
  ///   - endsBy: What tells the last page.
  public static func offset(
    limit: Int, first: Int = 0, parameter: CallPlace = "offset",
    limitParameter: CallPlace? = "limit",
    firstSize: Int? = nil, endsBy rules: PageEnd...
  ) -> Paging {
    Paging(
      strategy: OffsetPaging(
        pages: CountedPages(
          size: limit, firstSize: firstSize, sizeParameter: limitParameter, ends: rules),
        limit: limit, start: first, parameter: parameter))
  }
}
