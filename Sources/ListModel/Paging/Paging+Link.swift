extension Paging {
  /// Pages that are chained by the `Link` header (RFC 8288), as GitHub and WordPress have it.
  ///
  /// ```swift
  /// ListModel<Issue>(server, "/issues", params: ["per_page": 50], paging: .link)
  /// ```
  ///
  /// The list ends at an answer without a link to `next`. It goes back by `prev`. See
  /// ``link(total:keeping:)`` for what can be set.
  public static var link: Paging { link() }

  /// Pages that are chained by the `Link` header.
  ///
  /// ```swift
  /// .link(total: .header("X-WP-Total"))
  /// ```
  ///
  /// The list ends at an answer without a link to `next`. A link is followed as it is: headers, method
  /// and body of the call stay, its parameters are those of the link. A link to the page it stands on
  /// stops the list, and so does one that leaves the list's home, see
  /// ``ListSettings/allowsOtherOrigins``.
  ///
  /// - Parameters:
  ///   - total: Where the answer says how many rows there are in all.
  ///   - keeping: Parameters of the call that are sent again where the link doesn't have them, such
  ///     as a key of the service.
  public static func link(
    total: AnswerPlace? = nil, keeping: [String] = []
  ) -> Paging {
    Paging(
      strategy: LinkPaging(
        addresses: PageAddresses(keeping: keeping),
        total: total))
  }
}
