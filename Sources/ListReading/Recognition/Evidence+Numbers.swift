internal import ItemMapping
internal import ServerAPI

/// Conventions in which pages are numbered.
extension Evidence {
  /// The number of the next page in the body: `meta.next_page`.
  var nextNumber: Finding? {
    let next = members(FactNames.nextPage).first { member in
      member.value.wholeNumber.map { isPageNumber($0, member.words) } ?? false
    }
    let null = members(["next page"]).first { $0.value.isNull }
    guard let member = next ?? null else { return nil }
    var finding = pageNumbers(
      pageFact.map(parameters(for:)) ?? pageNames(["page"]), ends: [.nextPage(.body(member.path))],
      "the body has “\(member.path.plainText)”")
    finding?.isEnough = next != nil || isWellKnown(member.path, as: .next)
    finding?.namesNext = next != nil
    return finding
  }

  /// Whether a number is that of the next page. One that is only called `next` may also be an offset or a key, so it
  /// has to be the number after this page's.
  func isPageNumber(_ number: Int, _ words: NameWords) -> Bool {
    guard words.ideas.contains(where: FactNames.nextPage.contains) else { return false }
    if words.has("page") { return true }
    return number == (pageFact?.value ?? pageParameter?.number ?? 1).plus(1)
  }

  /// The number of the page with the number of pages, or with another fact that gives the last one:
  /// Spring, Algolia, Laravel, Strapi and many others.
  var pageNumbers: Finding? {
    guard let page = pageFact else { return nil }
    let ends = pageEnds
    guard !ends.isEmpty else { return nil }
    return pageNumbers(
      parameters(for: page), ends: ends,
      "the body has “\(page.path.plainText)” and “\(ends[0].place)”")
  }

  /// The number of the next page in a header: GitLab.
  var nextPageHeader: Finding? {
    for field in page.response.headers.fields {
      guard NameWords(field.name).words.suffix(2) == ["next", "page"],
        field.value.isEmpty || field.value.wholeNumber != nil
      else { continue }
      return pageNumbers(
        pageNames(["page"]), ends: [.nextPage(.header(field.name))] + headerTotalEnd,
        "the response has the header \(field.name)")
    }
    return nil
  }

  /// The number of pages in a header, or in the JSON of one: WordPress, Yii, ASP.NET.
  var pageHeaders: Finding? {
    for field in page.response.headers.fields {
      let words = NameWords(field.name).words
      let last = NameWords(words: Array(words.suffix(2)))
      if last.ideas.contains("total pages") || words.last == "totalpages",
        field.value.wholeNumber != nil
      {
        return pageNumbers(
          pageNames(["page"]), ends: [.pageCount(.header(field.name))] + headerTotalEnd,
          "the response has the header \(field.name)")
      }
    }
    for member in headerMembers where member.value.wholeNumber != nil {
      guard member.words.ideas.contains("total pages"),
        case .headerJSON(let header, let path) = member.place
      else { continue }
      return pageNumbers(
        pageNames(["page"], then: ["pageNumber"]), ends: [.pageCount(member.place)],
        "the header \(header) has “\(path.plainText)”")
    }
    return nil
  }

  private var headerTotalEnd: [EndRule] { headerTotal.map { [.total($0.place)] } ?? [] }

  /// The number of this page; `number` only where the response looks like a page of Spring.
  var pageFact: Fact<Int>? {
    let isSpring = flag(["last"]) != nil || number(["total pages"]) != nil
    return number(FactNames.page.filter { $0 != "number" && $0 != "current" })
      ?? (isSpring ? number(["number"]) : nil) ?? number(["current"])
  }

  /// The rules for the last page, the most certain first.
  private var pageEnds: [EndRule] {
    var ends: [EndRule] = []
    if hasMore != nil, let flagRule { ends.append(flagRule) }
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
  private func pageNumbers(_ names: [String], ends: [EndRule], _ reason: String) -> Finding? {
    let said =
      pageFact?.value
      ?? page.response.headers.fields.lazy.compactMap { field in
        let words = NameWords(field.name).words.suffix(2)
        return ["page", "current"].contains(
          words.last == "page" ? words.first == "x" ? "page" : words.first : nil)
          ? Int(field.value) : nil
      }.first
    let own = ownPage
    let asked = own?.number
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
      own.map { [numbered(by: $0.name, into: $0.place, from: first, ends)] }
        ?? names.map { numbered(by: $0, from: first, ends) }, reason,
      at: .number(asked ?? said ?? first), .inferred)
  }

  /// The parameter of the call with the number of this page: a usual one, or one that is named like the fact and has
  /// its number.
  var ownPage: CallParameters.Parameter? {
    if let pageParameter { return pageParameter }
    guard let fact = pageFact, case .name(let name)? = fact.path.segments.last else { return nil }
    return parameters.first(NameWords(name)).flatMap { $0.number == fact.value ? $0 : nil }
  }

  /// Returns the paging with numbered pages in a parameter, with the size that the call requests.
  func numbered(
    by name: String, into place: RequestLocation? = nil, from first: Int, _ ends: [EndRule]
  ) -> Paging {
    let size = sizeParameter
    return .pageNumber(
      size: size?.value, first: first, parameter: place ?? goes(into: name),
      sizeParameter: size.map(\.place) ?? "per_page"
    ).ending(ends)
  }

  /// Returns the number of the first page, 0 or 1. A response to a call without a page number has the number
  /// of the first page. Otherwise a page 0 shows it, or the offset of this page.
  private func firstNumber(of said: Int?) -> Int {
    let asked = ownPage?.number
    guard let page = asked ?? said else { return 1 }
    if asked == nil || page == 0 { return min(page, 1) }
    // Spring and Algolia count from 0; some APIs let Spring count from 1 in calls only.
    if members(["nb pages"]).first(where: { _ in true }) != nil || flag(["last"]) != nil, let said {
      return page == said ? 0 : 1
    }
    if let offset = number(["offset"])?.value, let size = number(FactNames.size)?.value, size > 0,
      offset == page.times(size)
    {
      return 0
    }
    return 1
  }

  /// Returns the parameters a page number may go to: only one where nothing contradicts it.
  private func parameters(for page: Fact<Int>) -> [String] {
    guard case .name(let name)? = page.path.segments.last else { return pageNames(["page"]) }
    // `pagination.page` may go to `pagination[page]`.
    var inBrackets: [String] = []
    if case .name(let outer)? = page.path.segments.dropLast().last {
      inBrackets = ["\(outer)[\(name)]"]
    }
    return switch NameWords(name).words {
    case ["page"], ["number"]: pageNames(["page"], then: inBrackets)
    case ["current", "page"]: pageNames(["page"], then: [name] + inBrackets)
    default: (pageNames([name]) + ["page", "p"]).unique
    }
  }

  /// Returns these names for page numbers, and those that go with the page size of the call.
  func pageNames(_ names: [String], then others: [String] = []) -> [String] {
    guard let size = sizeParameter?.name else { return (names + others).unique }
    let twins = TwinNames.pages(for: size)
    if let first = names.first, twins.contains(first) { return (names + others + twins).unique }
    return (twins + names + others).unique
  }
}
