internal import ItemMapping
internal import ServerAPI

/// Brings one page: asks for it, reads it, and finds its place, all away from the main actor.
struct PageLoader<Item>: Sendable {
  let server: Server
  let reader: PageReader<Item>
  let identity: ItemIdentity<Item>
  let filter: (@Sendable (Item) -> Bool)?
  let measure: (@Sendable (Item) -> Void)?
  let envelope: ListPage<Item>.Type
  /// Whether answers are to be kept.
  let keeps: Bool
  /// Whether links and redirects may leave the list's home.
  let allowsOtherOrigins: Bool
  let asked = AskedOrigin()
  /// Whether a page remembers what was made of its response, for when the same bytes come again. A walk sees
  /// each page once, and tells pages apart by itself.
  var remembers = true
  /// Makes a call; a test looks on here.
  var send: @Sendable (Call) async throws(RequestError) -> HTTPResponse

  init(
    server: Server, reader: PageReader<Item>, identity: ItemIdentity<Item>,
    filter: (@Sendable (Item) -> Bool)?, envelope: ListPage<Item>.Type, keeps: Bool,
    allowsOtherOrigins: Bool, measure: (@Sendable (Item) -> Void)? = nil
  ) {
    self.server = server
    self.reader = reader
    self.identity = identity
    self.filter = filter
    self.measure = measure
    self.envelope = envelope
    self.keeps = keeps
    self.allowsOtherOrigins = allowsOtherOrigins
    send = { call async throws(RequestError) in try await server.send(call) }
  }

  /// What is asked, and what is known of the list already.
  struct Request: Sendable {
    var key: PageKey
    var call: Call
    var paging: Paging
    /// Where the rows were found before.
    var itemsPath: JSONPath?
    /// Where the first page came from; absent where this is the first.
    var home: WebURL.Origin?
    /// What the list has of the page already.
    var known: PageRows<Item>.Parsed.Known?
  }

  @concurrent
  func load(_ request: Request) async throws(LoadError) -> sending LoadedPage<Item> {
    if case .trial(let trial) = request.key.place { return try await tryOut(trial, request) }
    let (call, response) = try await answer(to: request)
    guard let response else { return pageBeyondEnd(request) }
    return try page(of: response, to: call, request)
  }

  /// What is stored of a page, without the network; `nil` where nothing usable is.
  @concurrent
  func loadStored(_ request: Request) async -> sending LoadedPage<Item>? {
    var request = request
    request.call.cache = .cacheOnly
    do throws(LoadError) {
      return try await load(request)
    } catch {
      return nil
    }
  }

  /// The page of an answer, whether it has just come or was kept.
  func page(
    of response: HTTPResponse, to call: Call, _ request: Request
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let start = server.configuration.time.now()
    let page = try decodedPage(of: response, to: call, request)
    noteDecoding(since: start, page)
    return page
  }

  func noteDecoding(since start: Duration, _ page: borrowing LoadedPage<Item>) {
    page.page.timings.addDecoding(server.configuration.time.now() - start)
  }

  private func decodedPage(
    of response: HTTPResponse, to call: Call, _ request: Request
  ) throws(LoadError) -> sending LoadedPage<Item> {
    if let known = request.known, case .json = reader.way, known.mark == ContentMark(response.body)
    {
      return try samePage(as: known, response, call, request)
    }
    let read = try reader.read(response, found: request.itemsPath)
    let answer = self.answer(request, call, response, read)
    let recognition = request.paging.strategy.recognition(in: answer)
    var page = try page(read, answer, recognition.facts)
    page.recognized = recognition.recognized
    return page
  }

  /// The call as it was made, and the answer to it; none where the server says in its own way that there
  /// is no such page.
  func answer(to request: Request) async throws(LoadError) -> (Call, HTTPResponse?) {
    let call = try call(for: request)
    do throws(RequestError) {
      return (call, try await send(call))
    } catch {
      if case .status(let status) = error.kind,
        request.paging.strategy.isEnd(status, for: request.key)
      {
        return (call, nil)
      }
      throw .request(error)
    }
  }

  /// The page of an answer.
  func page(
    _ read: sending DecodedPage<Item>, _ answer: PageResponse, _ facts: PageFacts, repeated: Int = 0
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let made = try item(read.envelope)
    let page = made.page
    page.items = repeated == 0 ? read.items : Array(read.items.dropFirst(repeated))
    page.report = read.report
    fill(page, from: answer.response, facts)
    var items = page.items
    var ids = identity.id.map { items.map($0) }
    // Made of what the server sent: pages that a filter empties are not all the same.
    let fingerprint = ids?.hashValue ?? (remembers ? answer.response.body.hashValue : 0)
    if let filter {
      let kept = items.indices.filter { filter(items[$0]) }
      ids = ids.map { ids in kept.map { ids[$0] } }
      items = kept.map { items[$0] }
    }
    if let measure { for item in items { measure(item) } }
    var rows = PageRows(
      key: answer.key, items: items, ids: ids,
      bytes: answer.response.body.count * items.count / max(1, page.items.count),
      fingerprint: fingerprint, isEmpty: page.items.isEmpty, border: answer.key.place.border)
    stamp(&rows, answer.response)
    if remembers {
      rows.parsed = PageRows.Parsed(
        .init(
          mark: ContentMark(answer.response.body), itemsPath: read.itemsPath, count: answer.count),
        sent: page.items, rows: rows, report: read.report)
    }
    var loaded = LoadedPage(
      rows: rows, page: page, itemsPath: read.itemsPath, filtered: page.items.count - items.count,
      envelopeReport: made.report)
    loaded.home = answer.usedOrigins.home
    loaded.answer = responseToKeep(answer.response, to: answer.call, asOf: rows.asOf)
    return loaded
  }

  /// The page object; only a class of the program's own reads anything of what is around the rows.
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

  /// A page that a server says is not there: one without rows.
  func pageBeyondEnd(_ request: Request) -> sending LoadedPage<Item> {
    empty(
      request,
      PageFacts(
        next: .end,
        previous: request.paging.strategy.key(-1, after: request.key).map { .page($0) } ?? .end))
  }

  func empty(_ request: Request, _ facts: PageFacts) -> sending LoadedPage<Item> {
    let page = envelope.init()
    page.facts = facts
    var rows = PageRows<Item>(
      key: request.key, items: [], ids: identity.id.map { _ in [] }, isEmpty: true)
    rows.asOf = server.configuration.time.secondsSince1970()
    return LoadedPage(rows: rows, page: page, itemsPath: request.itemsPath)
  }
}
