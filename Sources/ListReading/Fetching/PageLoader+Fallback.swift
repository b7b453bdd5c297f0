internal import ItemMapping
internal import ServerAPI

/// The second page of a list whose paging was recognized confirms it or refutes it.
extension PageLoader {
  /// Loads a page as the recognized paging requests it. If that is refuted, by the first page again, a refusal or no
  /// rows where the server said that there are more, the other ways of the evidence are tried.
  func load(
    _ request: Request, after first: FirstResponse
  ) async throws(LoadError) -> sending LoadedPage<Item> {
    let failure: LoadError
    do throws(LoadError) {
      let page = try await loadAsRequested(request)
      guard first.isRefuted(by: page, for: request.key) else { return page }
      guard let other = try await self.page(by: first.otherWays, request) else { return page }
      return other
    } catch {
      failure = error
    }
    guard failure.refutesPaging, let other = try await page(by: first.otherWays, request) else {
      throw failure
    }
    return other
  }

  /// Returns the page that another way leads to; `nil` if none does.
  private func page(
    by trial: PageKey.Trial?, _ request: Request
  ) async throws(LoadError) -> LoadedPage<Item>? {
    guard let trial else { return nil }
    let page = try await runTrial(trial, request)
    return page.recognized != nil && !page.rows.isEmpty ? page : nil
  }
}

extension FirstResponse {
  /// Whether a second page shows that its paging is not the server's.
  fileprivate func isRefuted<Item>(by page: borrowing LoadedPage<Item>, for key: PageKey) -> Bool {
    // An overlap of a single row before the page is that row again.
    if page.isFirstPageAgain { return rows > 1 || !key.isOverlap }
    guard page.rows.isEmpty, key.doubt == nil, !key.isOverlap else { return false }
    // A page may be empty because of a filter, if it leads on.
    if case .page = page.page.facts.next { return false }
    return saysMore
  }
}

extension LoadError {
  /// Whether the server refuses a request of its list, or responds to it with something else.
  fileprivate var refutesPaging: Bool {
    switch self {
    case .request(let error):
      if case .status(let status) = error.kind {
        PageLoader<Never>.refusals.contains(status)
      } else {
        false
      }
    case .mapping(.notFound), .mapping(.wrongRoot), .paging(.listNotFound): true
    case .mapping, .paging, .decoding, .custom: false
    }
  }
}

extension PageLoader.Request {
  /// Returns the facts of a page with what its recognized paging rests on. A link beside a flag that says that there
  /// is no more is followed once.
  func reviewing(_ facts: PageFacts, _ page: PageResponse) -> PageFacts {
    guard isRecognized else { return facts }
    var facts = facts
    switch facts.next {
    case .end: facts.endMember = facts.endMember ?? paging.strategy.endMember(in: page)
    case .page(var key):
      guard case .url = key.place, key.doubt == nil, let flag = hints.flag, flag.saysEnd(in: page)
      else { break }
      key.doubt = .unconfirmed
      facts.next = .page(key)
    case .stopped: break
    }
    return facts
  }
}

extension EndRule {
  /// Whether a flag says that a page is the last one.
  fileprivate func saysEnd(in page: PageResponse) -> Bool {
    guard let place = flagPlace, case .found(let flag) = page.flag(at: place) else { return false }
    if case .hasNext = self { return !flag }
    return flag
  }
}
