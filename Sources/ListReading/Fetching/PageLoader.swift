package import ItemMapping
package import ServerAPI

/// Loads one page: requests it, reads it, and finds its place, all off the main actor.
package struct PageLoader<Item>: Sendable {
  package let server: Server
  package let reader: PageReader<Item>
  package let identity: ItemIdentity<Item>
  package let filter: (@Sendable (Item) -> Bool)?
  package let measure: (@Sendable (Item) -> Void)?
  let envelope: ListPage<Item>.Type
  /// Whether responses are kept.
  let keeps: Bool
  /// Whether links and redirects may leave the list's home.
  let allowsOtherOrigins: Bool
  /// Whether rows that can't be read are meant to be left out.
  let acceptsUnreadableRows: Bool
  /// Whether a page remembers the items of its response, in case the same bytes are received again. A walk
  /// sees each page once, and tells pages apart by itself.
  var remembers = true
  /// Where a response has the version of the whole list, if the program declared that.
  package var version: ResponseLocation?
  /// The member of a response that says that its rows are complete, if they may come in parts.
  var batchFlag: JSONPath?
  /// Whether a page is requested once more if its response is damaged.
  var mends = false
  /// What says that a response failed.
  package var failures = FailureWords()
  /// Returns the pages in place of the server, if they come from the program.
  package var closure: PageClosure<Item>?
  /// Sends a call; a test can observe it here.
  package var send: @Sendable (Call) async throws(RequestError) -> HTTPResponse

  package init(
    server: Server, reader: PageReader<Item>, identity: ItemIdentity<Item>,
    filter: (@Sendable (Item) -> Bool)?, envelope: ListPage<Item>.Type, keeps: Bool,
    allowsOtherOrigins: Bool, acceptsUnreadableRows: Bool = false,
    measure: (@Sendable (Item) -> Void)? = nil
  ) {
    self.server = server
    self.reader = reader
    self.identity = identity
    self.filter = filter
    self.measure = measure
    self.envelope = envelope
    self.keeps = keeps
    self.allowsOtherOrigins = allowsOtherOrigins
    self.acceptsUnreadableRows = acceptsUnreadableRows
    send = { call async throws(RequestError) in try await server.send(call) }
  }

  /// The page to load, and what is already known about the list.
  package struct Request: Sendable {
    var key: PageKey
    package var call: Call
    package var paging: Paging
    /// The path of the rows in earlier pages.
    var itemsPath: JSONPath?
    /// The origin of the first page; `nil` where this is the first.
    var home: WebURL.Origin?
    /// The `ETag` of an earlier response, if the same response need not be sent again.
    var validator: String?
    /// The facts that all earlier pages had.
    var signs: PageSigns = []
    /// The names and kinds of the facts of the first page.
    var shape: Int?
    /// Where it says whether there is more.
    var moreSigns: [MoreSign] = []
    /// Whether the paging was recognized, and not declared.
    var isRecognized = false
    /// What the first page says for this one.
    var hints = PagingHints()
    /// What the list already has of the page.
    package var known: PageRows<Item>.Parsed.Known?
    /// The response, which is read before it is stored.
    package let reading = ResponseReading()
  }

  @concurrent
  package func load(_ request: Request) async throws(LoadError) -> sending LoadedPage<Item> {
    if case .trial(let trial) = request.key.place { return try await runTrial(trial, request) }
    if let first = request.hints.first { return try await load(request, after: first) }
    return try await loadAsRequested(request)
  }

  /// Loads a page in the way that its request says.
  func loadAsRequested(_ request: Request) async throws(LoadError) -> sending LoadedPage<Item> {
    if let closure { return try await page(from: closure, request) }
    let call = try self.call(for: request)
    let response: HTTPResponse
    switch try await outcome(of: call, request) {
    case .response(let found): response = found
    case .refusal(let status):
      guard let rest = request.paging.strategy.rest(ofPageAt: request.key) else {
        return pageBeyondEnd(request, status)
      }
      var request = request
      request.key = rest
      return try await load(request)
    }
    let page: LoadedPage<Item>
    do throws(LoadError) {
      page = try self.page(of: response, to: call, request)
    } catch {
      let (call, other) = try await self.response(
        inPlaceOf: response, to: call, request, after: error)
      return try self.page(of: other, to: call, request)
    }
    // The response may be meant for another request, or come from a server that fails. This is a check and no retry, so
    // a policy without retries doesn't forbid it.
    guard page.signs.areDoubtful(after: request.signs),
      let again = repeating(call, after: response, because: "a response that lacks facts")
    else { return page }
    let other: Outcome
    do throws(LoadError) {
      other = try await outcome(of: again, request)
    } catch {
      // Where there is no time for another response, the first one is what there is.
      if case .request(let error) = error, case .timeout = error.kind { return page }
      throw error
    }
    switch other {
    case .refusal(let status): return pageBeyondEnd(request, status)
    case .response(let other):
      // Nothing is known of the other response.
      var request = request
      request.known = nil
      return try self.page(of: other, to: again, request)
    }
  }

  /// Loads a page from the cache, without the network; `nil` where nothing usable is stored.
  @concurrent
  package func loadStored(_ request: Request) async -> sending LoadedPage<Item>? {
    var request = request
    request.call.cache = .cacheOnly
    do throws(LoadError) {
      return try await load(request)
    } catch {
      return nil
    }
  }

  /// Returns the page of a response, either a received or a kept one.
  package func page(
    of response: HTTPResponse, to call: Call, _ request: Request
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let start = server.time.now()
    let page: LoadedPage<Item>
    do throws(LoadError) {
      page = try response.read { response throws(LoadError) in
        try decodedPage(of: response, to: call, request)
      }
    } catch {
      var timings = response.timings
      timings.addDecoding(server.time.now() - start)
      request.reading.timings = timings
      throw error.about(response, to: call)
    }
    noteDecoding(since: start, page)
    return page
  }

  func noteDecoding(since start: Duration, _ page: borrowing LoadedPage<Item>) {
    page.page.timings.addDecoding(server.time.now() - start)
  }

  private func decodedPage(
    of response: HTTPResponse, to call: Call, _ request: Request
  ) throws(LoadError) -> sending LoadedPage<Item> {
    if let known = request.known, case .json = reader.way,
      known.mark == ContentDigest(response.body)
    {
      return try samePage(as: known, response, call, request)
    }
    if request.validator != nil, response.status == 304 { return unchangedPage(request) }
    let (document, partial) = try judged(response, to: call, request)
    let read = try reader.read(
      response, to: call.method, found: request.itemsPath, parsed: document)
    return try page(read, response, to: call, request, partial: partial)
  }

  /// Returns the page of a decoded response, with what the response says of its place.
  func page(
    _ read: sending DecodedPage<Item>, _ response: HTTPResponse, to call: Call, _ request: Request,
    partial: String?
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let pageResponse = self.pageResponse(request, call, response, read)
    let paging = closure == nil ? request.paging : request.paging.ending(ClosureFacts.ends(in: read.envelope))
    var recognition = paging.strategy.checkedRecognition(in: pageResponse)
    recognition.facts.partial = partial
    var page = try page(
      read, pageResponse, request.reviewing(recognition.facts, pageResponse))
    page.recognized = recognition.recognized
    page.hints = request.key.place == .start ? recognition.hints : nil
    if let first = request.hints.first, let rows = pageResponse.rows {
      page.isFirstPageAgain = first.isSame(as: rows)
    }
    page.version = version(in: pageResponse)
    if closure != nil { page.page.url = nil }
    (page.signs, page.shape) = (recognition.signs, recognition.shape)
    page.moreSigns = recognition.moreSigns
    if let batchFlag {
      let flag = pageResponse.value(at: .body(batchFlag))
      page.isBatchComplete = flag.map { !$0.isNull && $0.yesOrNo != false } ?? false
    }
    return page
  }

  /// Returns the version of the list in a response; `nil` if the program declared none.
  func version(in page: PageResponse) -> PageVersion? {
    if closure != nil { return page.value(at: ClosureFacts.version).map { PageVersion($0) } }
    return version.map { PageVersion(page.value(at: $0)) }
  }

  /// Returns the page of a decoded response.
  func page(
    _ read: sending DecodedPage<Item>, _ pageResponse: PageResponse, _ facts: PageFacts,
    repeated: Int = 0
  ) throws(LoadError) -> sending LoadedPage<Item> {
    if !acceptsUnreadableRows, read.items.isEmpty, read.report.droppedItems > 0 {
      throw .mapping(.noReadableRows(read.report))
    }
    let made = try item(read.envelope)
    let page = made.page
    page.items = repeated == 0 ? read.items : Array(read.items.dropFirst(repeated))
    page.report = read.report
    fill(page, from: pageResponse.response, facts)
    var items = page.items
    var ids = identity.id.map { items.map($0) }
    // Made from the rows as sent: pages that a filter empties are not all the same.
    let lacksIDs = ids?.contains(where: \.isMissing) ?? false
    let fingerprint =
      (lacksIDs ? nil : ids?.hashValue)
      ?? (remembers || lacksIDs ? pageResponse.response.body.hashValue : 0)
    if lacksIDs { ids = ids?.map { $0.isMissing ? .unique() : $0 } }
    var filteredIDs: [RowID] = []
    if let filter {
      let kept = items.indices.filter { filter(items[$0]) }
      if let all = ids, kept.count < all.count {
        let positions = Set(kept)
        filteredIDs = all.indices.filter { !positions.contains($0) }.map { all[$0] }
      }
      ids = ids.map { ids in kept.map { ids[$0] } }
      items = kept.map { items[$0] }
    }
    if let measure { for item in items { measure(item) } }
    var rows = PageRows(
      key: pageResponse.key, items: items, ids: ids, filteredIDs: filteredIDs,
      bytes: pageResponse.response.body.count * items.count / max(1, page.items.count),
      fingerprint: fingerprint, isEmpty: page.items.isEmpty)
    rows.lacksIDs = lacksIDs
    stamp(&rows, pageResponse.response)
    if remembers {
      rows.parsed = PageRows.Parsed(
        .init(
          mark: ContentDigest(pageResponse.response.body), itemsPath: read.itemsPath,
          count: pageResponse.count),
        sent: page.items, rows: rows, report: read.report)
    }
    var loaded = LoadedPage(
      rows: rows, page: page, itemsPath: read.itemsPath, filtered: page.items.count - items.count,
      envelopeReport: made.report)
    loaded.home = pageResponse.usedOrigins.home
    loaded.stored = responseToKeep(pageResponse.response, to: pageResponse.call, asOf: rows.asOf)
    return loaded
  }

  /// Creates the page object; only a subclass of the program reads the data around the rows.
  func item(
    _ view: JSONView?
  ) throws(LoadError) -> sending (page: ListPage<Item>, report: MappingReport) {
    guard envelope != ListPage<Item>.self, let view else {
      return (envelope.init(), MappingReport())
    }
    do throws(MappingError) {
      let mapped = try ItemMapper().item(envelope, in: view.document)
      return (mapped.value, mapped.report)
    } catch {
      throw .mapping(error)
    }
  }
}
