internal import ItemMapping
internal import ServerAPI

extension Paging {
  /// Pages that are chained by the `Link` header (RFC 8288), as GitHub and WordPress do.
  ///
  /// ```swift
  /// ListModel<Issue>(server, "/issues", params: ["per_page": 50], paging: .link)
  /// ```
  ///
  /// The list ends at a response without a link to `next`. It loads previous pages by `prev`. See
  /// ``link(total:keeping:)`` for the options.
  public static var link: Paging { link() }

  /// Pages that are chained by the `Link` header.
  ///
  /// ```swift
  /// .link(total: .header("X-WP-Total"))
  /// ```
  ///
  /// The list ends at a response without a link to `next`. If a header is there that can't be read, or a link to the
  /// next page of another page, there may be more, and the list stops with an error. A link is followed unchanged:
  /// headers, method and body of the call stay, its parameters are replaced by those of the link. The list stops at a
  /// link to the page itself, and at a link to an origin other than its own; see ``ListSettings/allowsOtherOrigins``.
  ///
  /// - Parameters:
  ///   - total: Where the response has the total number of rows.
  ///   - keeping: Parameters of the call that are sent again where the link doesn't have them, such
  ///     as an API key.
  public static func link(
    total: ResponseLocation? = nil, keeping: [String] = []
  ) -> Paging {
    Paging(
      strategy: LinkPaging(
        addresses: PageAddresses(keeping: keeping),
        total: total))
  }
}

/// Pages that are chained by the `Link` header.
package struct LinkPaging: PageStrategy {
  package var addresses: PageAddresses
  package var total: ResponseLocation?

  var way: Paging.Way { .link(self) }
  var first: PageKey { PageKey(.start) }
  var placeOfNext: ResponseLocation? { .header("Link") }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    try addresses.follow(key, in: &call)
  }

  func facts(in page: PageResponse) -> PageFacts {
    func link(_ relations: String...) -> PageFacts.Link {
      let link = relations.lazy.compactMap { page.response.link($0) }.first { _ in true }
      return link.map { addresses.link(to: $0.target, in: page) } ?? .end
    }
    let verdict = PageVerdict(total.map { [.total($0)] } ?? [], page, at: PagePosition())
    var next = link("next")
    if next == .end, let sign = page.unusedNextLink { next = .stopped(sign) }
    var facts = verdict.facts(next, previous: link("prev", "previous"))
    // A page without rows that leads to itself may be the end.
    facts.endSign = next == .end && page.response.link("next") != nil ? .silent : .said
    facts.lastLink = page.response.link("last")?.target
    return facts
  }

  var declaration: String {
    Declaration("link")
      .with("total", total, unless: nil)
      .with("keeping", addresses.keeping, unless: [])
      .text
  }
}
