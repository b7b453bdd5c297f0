internal import ItemMapping
internal import ServerAPI

/// Pages without rows that are made without a response.
extension PageLoader {
  /// Returns the empty page for a page that doesn't exist on the server.
  func pageBeyondEnd(_ request: Request, _ status: Int) -> sending LoadedPage<Item> {
    var facts = PageFacts(
      next: request.key.doubt?.end ?? .end,
      previous: request.paging.strategy.key(-1, after: request.key).map { .page($0) } ?? .end)
    facts.endSign = [404, 410, 416].contains(status) ? .absent : .refused
    // A list that has not even a first row is empty.
    if status == 416, request.key.place == .offset(0) { facts.endSign = .said }
    return empty(request, facts)
  }

  /// Returns the page for a response that says that an earlier one is still valid.
  func unchangedPage(_ request: Request) -> sending LoadedPage<Item> {
    var page = empty(request, PageFacts(next: .end))
    (page.isSame, page.signs) = (true, request.signs)
    return page
  }

  func empty(_ request: Request, _ facts: PageFacts) -> sending LoadedPage<Item> {
    let page = envelope.init()
    page.facts = facts
    var rows = PageRows<Item>(
      key: request.key, items: [], ids: identity.id.map { _ in [] }, isEmpty: true)
    rows.asOf = server.time.secondsSince1970()
    var loaded = LoadedPage(rows: rows, page: page, itemsPath: request.itemsPath)
    loaded.hasResponse = false
    loaded.version = version.map { _ in PageVersion(nil) }
    return loaded
  }
}
