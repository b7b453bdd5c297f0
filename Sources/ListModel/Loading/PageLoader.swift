internal import ItemMapping
internal import ServerAPI

/// Brings one page: asks for it, reads it, and finds its place, all away from the main actor.
struct PageLoader<Item>: Sendable {
  let server: Server
  let reader: PageReader<Item>
  let identity: ItemIdentity<Item>
  let filter: (@Sendable (Item) -> Bool)?
  let measure: (@Sendable (Item) -> Void)?
  let envelope: ListItem<Item>.Type
  /// Whether answers are to be kept.
  let keeps: Bool
  /// Whether links and redirects may leave the list's home.
  let allowsOtherOrigins: Bool
  let asked = AskedOrigin()
  /// Makes a call; a test looks on here.
  var send: @Sendable (Call) async throws(RequestError) -> HTTPResponse

  init(
    server: Server, reader: PageReader<Item>, identity: ItemIdentity<Item>,
    filter: (@Sendable (Item) -> Bool)?, envelope: ListItem<Item>.Type, keeps: Bool,
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
    var home: Origin?
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

  private func noteDecoding(since start: Duration, _ page: borrowing LoadedPage<Item>) {
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
    page.recognised = recognition.recognised
    return page
  }

  /// The call as it was made, and the answer to it; none where the server says in its own way that there
  /// is no such page.
  private func answer(to request: Request) async throws(LoadError) -> (Call, HTTPResponse?) {
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
  private func page(
    _ read: sending DecodedPage<Item>, _ answer: PageAnswer, _ facts: PageFacts, repeated: Int = 0
  ) throws(LoadError) -> sending LoadedPage<Item> {
    let made = try item(read.envelope)
    let page = made.page
    page.items = repeated == 0 ? read.items : Array(read.items.dropFirst(repeated))
    page.report = read.report
    fill(page, from: answer.response, facts)
    var items = page.items
    var ids = identity.id.map { items.map($0) }
    // Made of what the server sent: pages that a filter empties are not all the same.
    let fingerprint = ids?.hashValue ?? answer.response.body.hashValue
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
    rows.parsed = PageRows.Parsed(
      .init(
        mark: ContentMark(answer.response.body), itemsPath: read.itemsPath, count: answer.count),
      sent: page.items, rows: rows, report: read.report)
    var loaded = LoadedPage(
      rows: rows, page: page, itemsPath: read.itemsPath, filtered: page.items.count - items.count,
      envelopeReport: made.report)
    loaded.home = answer.usedOrigins.home
    loaded.answer = answerToKeep(answer.response, to: answer.call, asOf: rows.asOf)
    return loaded
  }

  /// The page object; only a class of the program's own reads anything of what is around the rows.
  func item(
    _ view: JSONView?
  ) throws(LoadError) -> sending (page: ListItem<Item>, report: MappingReport) {
    guard envelope != ListItem<Item>.self, let view else {
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

  private func empty(_ request: Request, _ facts: PageFacts) -> sending LoadedPage<Item> {
    let page = envelope.init()
    page.facts = facts
    var rows = PageRows<Item>(
      key: request.key, items: [], ids: identity.id.map { _ in [] }, isEmpty: true)
    rows.asOf = server.configuration.time.secondsSince1970()
    return LoadedPage(rows: rows, page: page, itemsPath: request.itemsPath)
  }
}

// MARK: - Trials

extension PageLoader {
  /// Asks one way after the other until an answer shows what the server speaks.
  private func tryOut(
    _ trial: PageTrial, _ request: Request
  ) async throws(LoadError) -> sending LoadedPage<Item> {
    var trial = trial
    while true {
      var request = request
      request.paging = trial.candidate.paging
      request.key = trial.candidate.key
      let verdict: TrialVerdict
      if let answer = try await self.answer(toTrial: request) {
        verdict = trial.judge(answer)
        if case .accepted(let recognised, let repeated) = verdict {
          // Mapped once more, and only now that it is known what the rows are.
          let start = server.configuration.time.now()
          let read = try reader.read(answer.response, found: request.itemsPath)
          var page = try page(
            read, answer, recognised.paging.strategy.facts(in: answer), repeated: repeated)
          page.recognised = recognised
          // What is kept is read anew, and by then nobody knows what was tried.
          page.answer = nil
          noteDecoding(since: start, page)
          return page
        }
      } else {
        verdict = trial.refused()
      }
      switch verdict {
      case .next(let others): trial = others
      case .end(let recognised):
        var page = empty(request, PageFacts(next: .end))
        page.recognised = recognised
        return page
      case .stopped(let error): return empty(request, PageFacts(next: .stopped(error)))
      case .accepted: preconditionFailure("an accepted page was returned")
      }
    }
  }

  /// The answer to one way; `nil` where the server does not take it.
  private func answer(toTrial request: Request) async throws(LoadError) -> PageAnswer? {
    do throws(LoadError) {
      let (call, response) = try await answer(to: request)
      guard let response else { return nil }
      let read = try reader.read(response, found: request.itemsPath)
      return self.answer(request, call, response, read)
    } catch {
      switch error {
      case .request(let error):
        if case .status(let status) = error.kind, [400, 404, 405, 414, 422, 501].contains(status) {
          return nil
        }
        throw .request(error)
      case .mapping, .paging, .decoding: return nil
      }
    }
  }
}

/// A page that came.
struct LoadedPage<Item> {
  var rows: PageRows<Item>
  var page: ListItem<Item>
  var itemsPath: JSONPath?
  /// Where the list is at home.
  var home: Origin?
  var filtered = 0
  /// What was wrong with what is around the rows.
  var envelopeReport = MappingReport()
  /// What the server turned out to speak.
  var recognised: RecognisedPaging?
  /// Whether its rows are those the list has: they were not read again.
  var isSame = false
  /// The answer to keep, where the list is kept and it may be.
  var answer: StoredAnswer?

  /// What was not quite as expected about it.
  func report(of kind: LoadKind) -> PageReport {
    var report = PageReport(kind: kind)
    report.filtered = filtered
    report.mapping = page.report
    report.problems = page.facts.problems
    report.envelope = envelopeReport
    return report
  }

  /// Takes over what was made of the same answer before.
  mutating func reuse(_ parsed: PageRows<Item>.Parsed) {
    rows.reuse(parsed)
    page.items = parsed.sent
    page.report = parsed.report
    filtered = parsed.sent.count - parsed.items.count
  }
}

extension PageKey.Place {
  /// Whether a neighbour's own answer led to this place.
  var border: PageBorder {
    switch self {
    case .start, .number, .offset, .trial: .assumed
    case .after, .before, .url: .chained
    }
  }
}
