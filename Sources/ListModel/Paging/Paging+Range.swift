extension Paging {
  /// Pages that are asked for by the `Range` header, as PostgREST has it.
  ///
  /// ```swift
  /// .range(size: 20)                     // Range: items=0-19, answered by Content-Range: items 0-19/523
  /// ```
  ///
  /// The list ends where `Content-Range` has reached the total, or, where the total is `*`, at a page
  /// with fewer rows than asked for; and at the status 416. An answer of 200 without `Content-Range`
  /// is taken for the whole list. The next page begins behind the last row that was sent.
  ///
  /// - Parameters:
  ///   - unit: What the server calls a row.
  ///   - size: How many rows a page is asked to have.
  ///   - firstSize: How many rows the first load asks for.
  public static func range(
    unit: String = "items", size: Int, firstSize: Int? = nil
  ) -> Paging {
    Paging(
      strategy: RangePaging(
        unit: unit,
        pages: CountedPages(size: size, firstSize: firstSize, sizeParameter: nil, ends: []),
        size: size))
  }
}
