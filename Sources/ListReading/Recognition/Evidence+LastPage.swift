internal import ItemMapping
internal import ServerAPI

/// The number of this page and of the last one.
extension Evidence {
  /// The number of this page and that of the last one, as far as the response says.
  ///
  /// - Parameter place: The number of this page, counted from 1, where the paging counts pages.
  func numbers(at place: Int?) -> (this: Int, last: Int)? {
    if let this = pageFact?.value {
      if let last = number(FactNames.lastPage)?.value { return (this, last) }
      // Pages may be counted from 0, so that the last of ten is 9.
      if let count = number(FactNames.pageCount)?.value, this.plus(1) < count {
        return (this, count)
      }
    }
    if let this = headerNumber ?? place, let last = headerLast { return (this, last) }
    if let place, let count = number(FactNames.pageCount)?.value, place < count {
      return (place, count)
    }
    return numberInLink
  }

  /// The number of pages or of the last one.
  var lastNumber: Int? {
    number(FactNames.pageCount)?.value ?? number(FactNames.lastPage)?.value ?? headerLast
  }

  /// The number of this page and of the page that the link to the last one leads to, by the parameter that counts them.
  private var numberInLink: (this: Int, last: Int)? {
    if let pageInLink { return pageInLink }
    guard let last = linkToLast else { return nil }
    for name in ParameterNames.offsets {
      guard let other = Self.number(name, in: last) else { continue }
      guard let this = Self.number(name, in: page.response.url) else {
        return page.key.place == .start && other > 1 ? (1, other) : nil
      }
      // An overlap that begins before the last page may reach its rows.
      return (this.plus(max(0, page.count - 1)), other)
    }
    return nil
  }

  /// The same, where the parameter counts pages.
  var pageInLink: (this: Int, last: Int)? {
    guard let last = linkToLast else { return nil }
    for name in ParameterNames.pages {
      guard let other = Self.number(name, in: last) else { continue }
      if let this = Self.number(name, in: page.response.url) { return (this, other) }
      guard page.key.place == .start else { return nil }
      // The first page may be number 0 or 1, which the link to the second one shows.
      let next = page.response.link("next").flatMap { try? $0.url(from: page.response.url) }
      let this = next.flatMap { Self.number(name, in: $0) }.map { $0 - 1 } ?? 1
      return other > this ? (this, other) : nil
    }
    return nil
  }

  /// The number of the last page in its link, where the request has none.
  var lastPageInLink: Int? {
    let url = page.response.url
    return linkToLast.flatMap { last in
      ParameterNames.pages.lazy
        .filter { Self.number($0, in: url) == nil }
        .compactMap { Self.number($0, in: last) }.first { _ in true }
    }
  }

  private var linkToLast: WebURL? {
    let header = page.response.link("last").flatMap { try? $0.url(from: page.response.url) }
    guard let last = header ?? lastAddress, last.path == page.response.url.path else { return nil }
    return last
  }

  /// The address of the last page in the body: `links.last`, `last_page_url`.
  private var lastAddress: WebURL? {
    let url = page.response.url
    return members.lazy.filter { $0.words.has("last") && Self.lastNames.contains($0.words.text) }
      .compactMap { member in
        let text = member.value.string ?? member.value.link?.view.string
        return text.flatMap { $0.isEmpty ? nil : try? url.resolving($0) }
      }.first { _ in true }
  }

  private static let lastNames: Set<String> = [
    "last", "last url", "last link", "last page url", "last page link",
  ]

  private static func number(_ name: String, in url: WebURL) -> Int? {
    url.queryParams.items.first { $0.name == name }?.value.texts.first.flatMap { Int($0) }
  }

  /// The total number of pages. `page_count` may count the rows of the page.
  var reportedPages: Int? {
    lastNumber.flatMap { $0 == page.count && !hasClearPageCount ? nil : $0 }
  }

  /// The same, by the link to the last page, where the first one has a known number.
  func pagesInLink(from first: PageKey.Place) -> Int? {
    guard case .number(let first) = first, let last = pageInLink?.last else { return nil }
    return last.minus(first).plus(1)
  }

  /// Whether the number of pages can't be one of rows by its name.
  private var hasClearPageCount: Bool {
    members(FactNames.pageCount).contains { $0.words.hasAny(of: ["pages", "total"]) }
      || number(FactNames.lastPage) != nil
  }

  /// The fewest pages after this one, by its own number and that of all pages: whether they are counted from 0 or from 1 is
  /// not known, nor whether the call counts as the response does.
  var fewestPagesAfter: Int? {
    guard let this = pageFact?.value ?? headerNumber, let all = reportedPages else { return nil }
    // The first page has the number from which pages are counted.
    return all.minus(this).minus(page.key.place == .start && this == 1 ? 0 : 1)
  }

  /// The number of pages after this one, by the link to the last page.
  var pagesAfter: Int? { pageInLink.map { $0.last.minus($0.this) } }
}

extension PageResponse {
  /// Why a `Link` header without a link to the next page is not the end: it has one that is about another page, or a
  /// part that can't be read. `nil` if there is no header or all of it is understood.
  var unusedNextLink: PagingError? {
    let headers = response.headers
    guard headers["Link"] != nil, response.link("next") == nil else { return nil }
    if let link = headers.links.first(where: { $0.relations.contains("next") }) {
      return .wrongFact(
        "header Link", expected: "a link to the next page of this one",
        found: "one of \(JSONAny.string(link.anchor ?? "").excerpt)")
    }
    guard headers.hasUnreadableLinks else { return nil }
    return .wrongFact(
      "header Link", expected: "links such as <address>; rel=\"next\"",
      found: JSONAny.string(headers.values("Link").joined(separator: ", ")).excerpt)
  }
}
