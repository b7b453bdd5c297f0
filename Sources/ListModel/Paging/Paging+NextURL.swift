public import ServerAPI

extension Paging {
  /// Pages that are chained by addresses in the answer.
  ///
  /// ```swift
  /// .nextURL(at: "next", previous: "previous", total: "count")       // Django REST framework
  /// .nextURL(at: "links.next")                                       // JSON:API
  /// .nextURL(at: "$['@odata.nextLink']")                            // OData
  /// ```
  ///
  /// The list ends where there is no address: the member is missing, `null`, `false` or empty.
  /// An address may be relative, a path or a query alone; it counts from where the answer came from,
  /// after redirects. It is followed as it is: headers, method and body of the call stay, its
  /// parameters are those of the address. An address of the page it stands on stops the list, and so
  /// does one that leaves the list's home, see ``ListSettings/allowsOtherOrigins``.
  ///
  /// - Parameters:
  ///   - at: Where the address of the next page is, or an object with a member `href`.
  ///   - previous: Where that of the page before is.
  ///   - total: Where the answer says how many rows there are in all.
  ///   - keeping: Parameters of the call that are sent again where the address doesn't have them,
  ///     such as a key of the service.
  ///   - base: What relative addresses count from, where that is not the address of the answer.
  public static func nextURL(
    at next: AnswerPlace, previous: AnswerPlace? = nil, total: AnswerPlace? = nil,
    keeping: [String] = [], base: WebURL? = nil
  ) -> Paging {
    Paging(
      strategy: NextURLPaging(
        next: next, previous: previous, total: total,
        addresses: PageAddresses(keeping: keeping, base: base)))
  }
}
