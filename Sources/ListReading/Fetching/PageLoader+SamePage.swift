internal import ItemMapping
internal import ServerAPI

extension PageLoader {
  /// Returns a page whose rows the list already has: only the data around them is read, since the headers
  /// may have changed.
  func samePage(
    as known: PageRows<Item>.Parsed.Known, _ response: HTTPResponse, _ call: Call,
    _ request: Request
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let (parsed, partial) = try judged(response, to: call, request)
    let document: JSONDocument
    do throws(MappingError) {
      document = if let parsed { parsed } else { try response.document() }
    } catch {
      throw .mapping(error)
    }
    let pageResponse = self.pageResponse(
      request, call, response, document.root, itemsPath: known.itemsPath, count: known.count)
    var recognition = request.paging.strategy.checkedRecognition(in: pageResponse)
    recognition.facts.partial = partial
    let made = try item(document.root)
    fill(made.page, from: response, request.reviewing(recognition.facts, pageResponse))
    var rows = PageRows<Item>(
      key: request.key, items: [], ids: nil)
    stamp(&rows, response)
    var page = LoadedPage(rows: rows, page: made.page, itemsPath: known.itemsPath)
    page.home = pageResponse.usedOrigins.home
    page.envelopeReport = made.report
    page.recognized = recognition.recognized
    page.hints = request.key.place == .start ? recognition.hints : nil
    page.version = version(in: pageResponse)
    (page.signs, page.shape) = (recognition.signs, recognition.shape)
    page.moreSigns = recognition.moreSigns
    page.isSame = true
    page.stored = responseToKeep(response, to: call, asOf: rows.asOf)
    return page
  }

  /// Sets the properties that every page object has.
  func fill(
    _ page: ListPage<Item>, from response: HTTPResponse, _ facts: PageFacts
  ) {
    page.facts = facts
    page.headers = response.headers
    page.url = response.url
    page.timings = response.timings
    page.source = response.source
  }

  /// Sets the source and the age of rows.
  func stamp(_ rows: inout PageRows<Item>, _ response: HTTPResponse) {
    rows.source = response.source
    rows.asOf =
      response.source.cachedSince ?? server.time.secondsSince1970()
  }
}
