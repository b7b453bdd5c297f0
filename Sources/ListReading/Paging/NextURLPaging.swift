internal import ItemMapping
public import ServerAPI

extension Paging {
  /// Pages that are chained by addresses in the response.
  ///
  /// ```swift
  /// .nextURL(at: "next", previous: "previous", total: "count")       // Django REST framework
  /// .nextURL(at: "links.next")                                       // JSON:API
  /// .nextURL(at: "$['@odata.nextLink']")                            // OData
  /// ```
  ///
  /// The list ends where there is no address: the member is missing, `null`, `false` or empty. If it is missing
  /// in a first page that shows that there is more, the path is likely wrong, and the list stops with an error.
  /// An address may be relative, a path or only a query; it is resolved against the address of the
  /// response, after redirects. It is followed unchanged: headers, method and body of the call stay, its
  /// parameters are replaced by those of the address. The list stops at an address of the page itself,
  /// and at an address at an origin other than its own; see ``ListSettings/allowsOtherOrigins``.
  ///
  /// - Parameters:
  ///   - at: Where the address of the next page is, or an object with a member `href`.
  ///   - previous: Where the address of the previous page is.
  ///   - total: Where the response has the total number of rows.
  ///   - keeping: Parameters of the call that are sent again where the address doesn't have them,
  ///     such as an API key.
  ///   - base: The base of relative addresses, where that is not the address of the response.
  public static func nextURL(
    at next: ResponseLocation, previous: ResponseLocation? = nil, total: ResponseLocation? = nil,
    keeping: [String] = [], base: WebURL? = nil
  ) -> Paging {
    Paging(
      strategy: NextURLPaging(
        next: next, previous: previous, total: total,
        addresses: PageAddresses(keeping: keeping, base: base)))
  }
}

/// Pages that are chained by addresses in the response.
package struct NextURLPaging: PageStrategy {
  package var next: ResponseLocation
  var previous: ResponseLocation?
  package var total: ResponseLocation?
  package var addresses: PageAddresses

  var way: Paging.Way { .nextURL(self) }
  var first: PageKey { PageKey(.start) }
  var goesBack: Bool { previous != nil }
  var placeOfNext: ResponseLocation? { next }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    try addresses.follow(key, in: &call)
  }

  func facts(in page: PageResponse) -> PageFacts {
    let verdict = PageVerdict(total.map { [.total($0)] } ?? [], page, at: PagePosition())
    var facts = verdict.facts(
      link(at: next, in: page), previous: previous.map { link(at: $0, in: page) } ?? .end)
    // A page without rows that leads to itself may be the end.
    facts.endSign = facts.next == .end && leadsOn(page) ? .silent : .said
    facts.lastLink = lastLink(in: page)
    return facts
  }

  private func leadsOn(_ page: PageResponse) -> Bool {
    guard let value = page.value(at: next) else { return false }
    return (value["href"] ?? value).string.map { !$0.isEmpty } ?? false
  }

  /// The link to the last page, where it is beside that of the next one and named like it.
  private func lastLink(in page: PageResponse) -> String? {
    guard case .body(let path) = next, case .name(let name)? = path.segments.last else {
      return nil
    }
    let other = name.replacing("next", with: "last").replacing("Next", with: "Last")
    guard other != name,
      let last = page.envelope?[JSONPath(path.segments.dropLast() + [.name(other)])]
    else { return nil }
    return (last["href"] ?? last).string
  }

  private func link(at place: ResponseLocation, in page: PageResponse) -> PageFacts.Link {
    guard let value = page.value(at: place) else { return .end }
    // HAL and JSON:API may write a link as `{"href": …}`.
    let address = value["href"] ?? value
    switch address {
    case .null, .bool(false), .string(""), [:], []: return .end
    case .string(let text): return addresses.link(to: text, in: page)
    default:
      return .stopped(
        .wrongFact("\(place)", expected: "an address or null", found: value.excerpt))
    }
  }

  var declaration: String {
    Declaration("nextURL")
      .with("at", next)
      .with("previous", previous, unless: nil)
      .with("total", total, unless: nil)
      .with("keeping", addresses.keeping, unless: [])
      .with("base", addresses.base.map(BaseAddress.init), unless: nil)
      .call
  }
}

/// A base address, spelled as a program creates it.
private struct BaseAddress: DeclarationText, Equatable {
  let url: WebURL

  var declared: String { "try WebURL(\(url.description.declared))" }
}
