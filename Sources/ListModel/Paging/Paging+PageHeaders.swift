extension Paging {
  /// Pages that have numbers, with the facts in headers, as GitLab has it.
  ///
  /// ```swift
  /// .pageHeaders(size: 50)
  /// .pageHeaders(size: 50, total: "X-WP-Total", pageCount: "X-WP-TotalPages")        // WordPress
  /// ```
  ///
  /// The list ends where the header `next` is empty. Without that header, the number of pages decides,
  /// then that of rows, then what ``PageEnd`` says of a list without rules.
  ///
  /// - Parameters:
  ///   - size: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - first: The number of the first page, usually 1 or 0.
  ///   - parameter: Where the number goes.
  ///   - sizeParameter: Where the size goes; `nil` does not send it.
  ///   - next: The header with the number of the next page.
  ///   - total: The header with the number of all rows.
  ///   - pageCount: The header with the number of all pages.
  public static func pageHeaders(
    size: Int? = nil, first: Int = 1, parameter: CallPlace = "page",
    sizeParameter: CallPlace? = "per_page", next: String = "X-Next-Page",
    total: String = "X-Total", pageCount: String = "X-Total-Pages"
  ) -> Paging {
    let headers = PageNumberPaging.Headers(next: next, total: total, pageCount: pageCount)
    return Paging(
      strategy: PageNumberPaging(
        pages: CountedPages(
          size: size, firstSize: nil, sizeParameter: sizeParameter, ends: headers.ends),
        start: first, parameter: parameter, headers: headers))
  }
}
