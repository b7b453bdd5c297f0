extension Paging {
  /// Pages that have numbers.
  ///
  /// ```swift
  /// .pageNumber(size: 20)                                            // ?page=1&per_page=20
  /// .pageNumber(size: 20, first: 0, sizeParameter: "size", endsBy: .pageCount("totalPages"))
  /// .pageNumber(size: 20, parameter: .path("page"))                  // /books/pages/{page}
  /// ```
  ///
  /// The list ends by the rules of ``PageEnd``. Without any, it does at a page without rows, and at
  /// one with fewer rows than a page before it had; so a server that sends 10 rows where 20 are asked
  /// for loses none, and a list that fits on one page costs a second request. The page before number
  /// `first` is none.
  ///
  /// - Parameters:
  ///   - size: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for: `size` or a multiple of it, since pages
  ///     of other sizes would not meet the next one.
  ///   - endsBy: What tells the last page.
  public static func pageNumber(
    size: Int? = nil, first: Int = 1, parameter: CallPlace = "page",
    sizeParameter: CallPlace? = "per_page", firstSize: Int? = nil, endsBy rules: PageEnd...
  ) -> Paging {
    if let firstSize {
      precondition(
        size.map { $0 > 0 && firstSize % $0 == 0 } ?? false,
        "firstSize should be a multiple of size, found \(firstSize) with \(size.declared)")
    }
    return Paging(
      strategy: PageNumberPaging(
        pages: CountedPages(
          size: size, firstSize: firstSize, sizeParameter: sizeParameter, ends: rules),
        start: first, parameter: parameter))
  }
}
