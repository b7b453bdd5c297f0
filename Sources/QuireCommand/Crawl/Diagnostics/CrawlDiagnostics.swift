internal import Quire

/// How a crawl ends after a failure, and what it explains.
enum CrawlDiagnostics {
  /// A page that failed to load.
  struct FailedPage {
    /// The number of the page, from 1.
    var number: Int
    /// Whether it is the first page, so that a path which finds nothing was never right.
    var isFirst: Bool
    /// The last response, which the error may be about.
    var response: HTTPResponse?

    /// The number and address of the page.
    fileprivate var name: String {
      "page \(number)" + (response.map { " (\(Redaction().url($0.url)))" } ?? "")
    }
  }

  /// Returns how a crawl exits after a page failed to load.
  ///
  /// The status blames the arguments only for what the user wrote: an address, a path that finds nothing.
  static func end(
    of error: LoadError, _ page: FailedPage, _ options: CrawlOptions
  ) -> EarlyExit {
    let text = options.advice.text(of: error, page.response).text
    switch error {
    case .request(let failure):
      if case .invalidRequest = failure.kind { return EarlyExit(.usage, text) }
      let request = failure.request.isEmpty ? "" : " (\(failure.request))"
      return EarlyExit(.failed, "can't load page \(page.number)\(request): \(text)")
    case .mapping(.invalidJSON): break
    case .mapping where page.isFirst && options.list.items != nil:
      return EarlyExit(.usage, "can't read \(page.name): \(text)")
    case .paging(.wrongCall): return EarlyExit(.usage, text)
    case .mapping, .paging: break
    case .decoding, .custom: return EarlyExit(.failed, text)
    }
    return EarlyExit(.failed, "can't read \(page.name): \(text)")
  }

  /// Returns how sure it is that a list that was read to its end has all rows.
  static func complete(_ consistency: Consistency) -> String {
    consistency.claim == .unproven
      ? "complete as far as can be told: \(consistency)" : "complete: \(consistency)"
  }

  /// Returns the text that `--explain` prints.
  static func explanation(
    of walk: PageWalk, after page: PageWalk.Page, options: CrawlOptions, consistency: Consistency
  ) -> String {
    let paging = walk.recognized?.paging ?? options.list.paging
    return ListExplanation(
      itemsPath: page.itemsPath, isItemsGiven: options.list.items != nil, idPath: walk.idPath,
      declared: options.list.paging, recognized: walk.recognized, end: walk.end,
      consistency: walk.end == nil ? nil : consistency,
      firstSeam: paging.seam(
        before: page.facts.next, rows: page.rows.count + page.duplicates),
      sight: sight(of: walk, by: paging, after: page, options: options), trials: walk.trials, endMember: walk.endMember
    ).lines.joined(separator: "\n")
  }

  /// Returns how seams are seen, where a page leads to another one.
  private static func sight(
    of walk: PageWalk, by paging: Paging, after page: PageWalk.Page, options: CrawlOptions
  ) -> ListExplanation.Sight? {
    guard case .page = page.facts.next else { return nil }
    func overlaps(_ level: Consistency.Level) -> Bool {
      walk.idPath != nil && paging.overlaps(at: page.facts.next, checking: level)
    }
    if overlaps(options.consistency) { return .overlap }
    if options.consistency < .seams, overlaps(.seams) { return .notAsked }
    if options.consistency < .whole, overlaps(.whole) { return .overlapAt(.whole) }
    if case .pageNumber(let numbered) = paging.way, numbered.pages.size == nil {
      return .overlapWithSize
    }
    return ListExplanation.Sight.none
  }
}
