internal import ItemMapping
internal import ServerAPI

/// Conventions in which pages are numbered.
extension Evidence {
  /// The number of the next page in the body: `meta.next_page`.
  var nextNumber: Finding? {
    let null = members(["next_page", "nextPage", "next_page_number", "nextPageNumber"]).first {
      $0.value.isNull
    }
    guard let next = number(FactNames.nextPage)?.path ?? null?.path else { return nil }
    return pageNumbers(
      parameters: ["page"], ends: [.nextPage(.body(next))], "the body has “\(next.plainText)”")
  }

  /// The number of the page with the number of pages, or with another fact that tells the last one:
  /// Spring, Algolia, Laravel, Strapi and many others.
  var pageNumbers: Finding? {
    guard let page = pageFact else { return nil }
    let ends = pageEnds
    guard !ends.isEmpty else { return nil }
    return pageNumbers(
      parameters: parameters(for: page), ends: ends,
      "the body has “\(page.path.plainText)” and “\(ends[0].place)”")
  }

  /// The number of the next page in a header: GitLab.
  var nextPageHeader: Finding? {
    guard page.response.headers["X-Next-Page"] != nil else { return nil }
    return pageNumbers(
      parameters: ["page"], ends: [.nextPage(.header("X-Next-Page"))] + headerTotalEnd,
      "the response has the header X-Next-Page")
  }

  /// The number of pages in a header: WordPress, Yii.
  var pageHeaders: Finding? {
    for name in ["X-WP-TotalPages", "X-Total-Pages", "X-Pagination-Page-Count", "X-Page-Count"] {
      guard page.response.headers[name].flatMap({ Int($0) }) != nil else { continue }
      return pageNumbers(
        parameters: ["page"], ends: [.pageCount(.header(name))] + headerTotalEnd,
        "the response has the header \(name)")
    }
    return nil
  }

  private var headerTotalEnd: [EndRule] { headerTotal.map { [.total(.header($0.name))] } ?? [] }

  /// The number of this page; `number` only where the response looks like a page of Spring.
  private var pageFact: Fact<Int>? {
    number(FactNames.page.filter { $0 != "number" })
      ?? (flag(["last"]) != nil || number(["totalPages", "total_pages"]) != nil
        ? number(["number"]) : nil)
  }

  /// The rules for the last page, the most certain first.
  private var pageEnds: [EndRule] {
    var ends: [EndRule] = []
    if let hasMore { ends.append(.hasNext(.body(hasMore.path))) }
    if let count = number(FactNames.pageCount) {
      ends.append(
        isIndexOfLast(count.value) ? .lastPage(.body(count.path)) : .pageCount(.body(count.path)))
    } else if let last = number(FactNames.lastPage) {
      ends.append(.lastPage(.body(last.path)))
    }
    if let total { ends.append(.total(.body(total.path))) }
    return ends
  }

  /// Whether a number named like a count is the index of the last page, counted from 0. Only
  /// where total and size prove it: treating an index as a count would lose the last page.
  private func isIndexOfLast(_ count: Int) -> Bool {
    guard let total = total?.value, let size = number(FactNames.size)?.value, size > 0,
      page.count <= size
    else { return false }
    return total > 0 && count == (total - 1) / size && firstNumber(of: pageFact?.value) == 0
  }

  /// Creates the finding for a page number parameter and the rules for the end.
  private func pageNumbers(parameters: [String], ends: [EndRule], _ reason: String) -> Finding? {
    let own = parameter(ParameterNames.pages)
    let said =
      pageFact?.value
      ?? ["X-Page", "X-Pagination-Current-Page"].lazy.compactMap {
        page.response.headers[$0].flatMap { Int($0) }
      }.first
    let asked = own.flatMap { Int($0.value) }
    let first = firstNumber(of: said)
    var ends = ends
    // The call and the response count from different numbers, so rules about page numbers can't be used.
    if let asked, let said, asked != said {
      ends.removeAll {
        switch $0 {
        case .pageCount, .lastPage, .nextPage: true
        default: false
        }
      }
    }
    return Finding(
      (own.map { [$0.name] } ?? parameters).map { numbered(by: $0, from: first, ends) }, reason,
      at: .number(asked ?? said ?? first), .inferred)
  }

  /// Returns the paging with numbered pages in a parameter, with the size that the call requests.
  func numbered(by name: String, from first: Int, _ ends: [EndRule]) -> Paging {
    let size = sizeParameter
    return .pageNumber(
      size: size?.value, first: first, parameter: goes(into: name),
      sizeParameter: size.map { goes(into: $0.name) } ?? "per_page"
    ).ending(ends)
  }

  /// Returns the number of the first page, 0 or 1. A response to a call without a page number has the number
  /// of the first page. Otherwise a page 0 shows it, or the offset of this page.
  private func firstNumber(of said: Int?) -> Int {
    let asked = parameter(ParameterNames.pages).flatMap { Int($0.value) }
    guard let page = asked ?? said else { return 1 }
    if asked == nil || page == 0 { return min(page, 1) }
    // Spring and Algolia count from 0; some APIs let Spring count from 1 in calls only.
    if number(["nbPages"]) != nil || flag(["last"]) != nil, let said { return page == said ? 0 : 1 }
    if let offset = number(["offset"])?.value, let size = number(FactNames.size)?.value, size > 0,
      offset == page.times(size)
    {
      return 0
    }
    return 1
  }

  /// Returns the parameters a page number may go to: only one where the convention is known.
  private func parameters(for page: Fact<Int>) -> [String] {
    guard case .name(let name)? = page.path.segments.last else { return ["page"] }
    let place = JSONPath(Array(page.path.segments.dropLast()))
    switch name {
    case "page" where place == "meta.pagination" && number(["pageCount"]) != nil:
      return ["pagination[page]"]
    case "page", "current_page", "currentPage", "number": return ["page"]
    default: return [name, "page"]
    }
  }

  /// The parameter of the call that sets the number of rows per page.
  var sizeParameter: (name: String, value: Int)? {
    parameter(ParameterNames.sizes).flatMap { size in
      Int(size.value).flatMap { $0 > 0 ? (size.name, $0) : nil }
    }
  }

  /// Returns the location of a parameter: in the JSON that the call sends, or in the query.
  func goes(into name: String) -> RequestLocation {
    page.call.jsonBody == nil ? .query(name) : .body(JSONPath([.name(name)]))
  }
}
