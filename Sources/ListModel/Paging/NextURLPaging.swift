internal import ItemMapping
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
    at next: ResponseLocation, previous: ResponseLocation? = nil, total: ResponseLocation? = nil,
    keeping: [String] = [], base: WebURL? = nil
  ) -> Paging {
    Paging(
      strategy: NextURLPaging(
        next: next, previous: previous, total: total,
        addresses: PageAddresses(keeping: keeping, base: base)))
  }
}

/// Pages that are chained by addresses in the answer.
package struct NextURLPaging: PageStrategy {
  package var next: ResponseLocation
  var previous: ResponseLocation?
  package var total: ResponseLocation?
  package var addresses: PageAddresses

  var way: Paging.Way { .nextURL(self) }
  var first: PageKey { PageKey(.start) }
  var goesBack: Bool { previous != nil }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    try addresses.follow(key, in: &call)
  }

  func facts(in answer: PageResponse) -> PageFacts {
    let verdict = PageVerdict(total.map { [.total($0)] } ?? [], answer, at: PagePosition())
    return PageFacts(
      next: link(at: next, in: answer),
      previous: previous.map { link(at: $0, in: answer) } ?? .end,
      total: verdict.total, problems: verdict.problems)
  }

  private func link(at place: ResponseLocation, in answer: PageResponse) -> PageFacts.Link {
    guard let value = answer.value(at: place) else { return .end }
    // `{"href": …}` is how HAL and JSON:API may write a link.
    let address = value["href"] ?? value
    switch address {
    case .null, .bool(false), .string(""), [:], []: return .end
    case .string(let text): return addresses.link(to: text, in: answer)
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

/// A base address as a program makes one.
private struct BaseAddress: DeclarationText, Equatable {
  let url: WebURL

  var declared: String { "try WebURL(\(url.description.declared))" }
}
