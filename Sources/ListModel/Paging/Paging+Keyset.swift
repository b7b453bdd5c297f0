public import ItemMapping

extension Paging {
  /// Pages that begin behind the last row of the page before, by values of that row.
  ///
  /// ```swift
  /// .keyset(["id"], into: ["starting_after"], limit: 20, endsBy: .hasNext("has_more"))   // Stripe
  /// .keyset(["createdAt", "id"], into: ["after_date", "after_id"], limit: 20)
  /// ```
  ///
  /// Values are taken from the JSON of the row, digit for digit. A last row without one of them, or
  /// with the very values the page was asked for, stops the list. It ends by the rules of ``PageEnd``;
  /// without any, at a page without rows or with fewer than a page before it had.
  ///
  /// - Parameters:
  ///   - fields: Where in a row the values are, as the rows are sorted.
  ///   - into: Where each of them goes, in the same order.
  ///   - limit: How many rows a page is asked to have; without it, it is the server's choice.
  ///   - limitParameter: Where the limit goes; `nil` does not send it.
  ///   - firstSize: How many rows the first load asks for.
  ///   - endsBy: What tells the last page. Facts that are counted only inform here.
  public static func keyset(
    _ fields: [JSONPath], into places: [CallPlace], limit: Int? = nil,
    limitParameter: CallPlace? = "limit", firstSize: Int? = nil, endsBy rules: PageEnd...
  ) -> Paging {
    precondition(
      !fields.isEmpty && fields.count == places.count,
      "each field needs one place to go, found \(fields.count) fields and \(places.count) places")
    return Paging(
      strategy: KeysetPaging(
        fields: fields, places: places,
        pages: CountedPages(
          size: limit, firstSize: firstSize, sizeParameter: limitParameter, ends: rules)))
  }
}
