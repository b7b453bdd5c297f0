internal import ItemMapping
internal import ListReading
internal import ServerAPI

extension ListModel {
  /// Sends a request. The task holds the model weakly, and retains it only during each step, so that the
  /// model can be released at any time.
  func send(_ number: Int, _ kind: LoadKind, _ key: PageKey) {
    if kind == .restore { return restoreKeptPages(number) }
    let time = server.configuration.time
    if kind.replacesList, let wait = debounce.wait(at: time.now()) {
      return begin(
        number,
        Task { [weak self, time] in
          try? await time.sleep(wait)
          // A load that was cancelled or superseded meanwhile has ended.
          if !Task.isCancelled { self?.send(number, kind, key) }
        })
    }
    let early = source.takeAhead(key)
    let (request, showsStored) = request(key, kind, isRepeat: brain.repeatsFailure(number))
    // Whether a page that is only looked at joins the list is not known yet.
    let isPreviewed =
      early != nil || !showsStored || brain.isPreviewed(number) || brain.isChecking(number)
    let needsKeeper = settings.keeping != nil && keeper == nil && kind.replacesList
    let reading = early?.reading ?? request.reading
    let task = Task {
      [weak self, loader = source.loader, paging, keeping = settings.keeping] in
      var opened: OpenedArchive?
      if needsKeeper, let keeping {
        opened = await loader.openArchive(keeping, request.call, paging)
      }
      do throws(LoadError) {
        if !isPreviewed, let stored = await loader.loadStored(request) {
          self?.previewed(number, stored, opened)
          Self.deliver { self }
        }
        // Rows that are visible already are not decoded again if the response is unchanged.
        let parsed = early == nil ? self?.brain.parsed(for: number) : nil
        var request = request
        request.known = parsed?.known
        var page = if let early { try await early.page() } else { try await loader.load(request) }
        if page.isSame, let parsed { page.reuse(parsed) }
        self?.arrived(number, page, opened)
      } catch {
        self?.failed(number, error, reading)
      }
      Self.deliver { self }
    }
    begin(number, task, reads: !request.call.mayChangeResource)
  }

  /// Keeps the task of a request until it ends. `reads` is whether it asks the server, and only reads.
  func begin(_ number: Int, _ task: Task<Void, Never>, reads: Bool = false) {
    requests[number] = RunningRequest(
      task: task, start: server.time.now(), writes: reads ? server.writes : nil)
  }

  /// Requests the page of the running refresh once more if the program has written since its request was sent.
  package func renewRefresh() {
    guard let number = brain.machine.rebuild?.running.number,
      let known = requests[number]?.writes, known != server.writes
    else { return }
    handle { $0.machine.requestAgain() }
  }

  /// Cancels a request.
  func abandon(_ number: Int) {
    guard let request = requests.removeValue(forKey: number) else { return }
    request.task.cancel()
    timings = HTTPResponse.Timings()
    timings.total = server.time.now() - request.start
  }

  /// The part that all requests share, with what the rules and the subclass add. A list is kept under its name.
  var preparedCall: Call {
    var call = template
    settings.rules?.prepare(&call)
    prepare(&call)
    return call
  }

  /// The request for a page, and whether a stored response is shown first.
  private func request(
    _ key: PageKey, _ kind: LoadKind, isRepeat: Bool = false
  ) -> (request: PageLoader<Item>.Request, showsStored: Bool) {
    var call = preparedCall
    let use = settings.cachePolicy.use(
      for: kind, usual: server.configuration.cacheMode, isRepeat: isRepeat)
    // A policy set by the program takes precedence.
    var showsStored = use.showsStored && call.cache == nil && server.cache != nil
    if case .trial = key.place { showsStored = false }
    call.cache = call.cache ?? use.mode
    var traits = traits
    if kind.replacesList { traits.itemsPath = nil }
    return (
      source.request(
        key, of: call, traits, isFirst: kind.replacesList && key == paging.first),
      showsStored
    )
  }

  /// Requests the pages after one that is in flight.
  func lookAhead(of key: PageKey) {
    let facts = page?.facts
    let keys = source.keysAhead(
      of: key, total: facts?.total, pageCount: facts?.pageCount, traits
    ) { brain.machine.extent?.reading.overlap(before: $0) }
    for key in keys {
      source.loadAhead(request(key, .next).request, atOnce: false)
    }
  }

  private func arrived(
    _ number: Int, _ loaded: LoadedPage<Item>, _ opened: OpenedArchive?
  ) {
    let isAwaited = requests.removeValue(forKey: number) != nil
    let start = server.time.now()
    defer {
      loaded.page.timings.addApplying(server.time.now() - start)
      // A request that was cancelled has ended before.
      if isAwaited { timings = loaded.page.timings }
    }
    var learned = traits
    learned.learn(from: loaded)
    let by = traits.paging(for: loaded.rows.key, declared: paging)
    var next: Paging?
    if case .page(let key) = loaded.page.facts.next {
      next = learned.paging(for: key, declared: paging)
    }
    receive(loaded, opened, decide { $0.arrived(number, loaded, by: by, next: next) })
  }

  private func previewed(
    _ number: Int, _ stored: LoadedPage<Item>, _ opened: OpenedArchive?
  ) {
    receive(stored, opened, decide { $0.previewed(number, stored) })
  }

  /// Performs the effects of a page that arrived.
  private func receive(
    _ loaded: LoadedPage<Item>, _ opened: OpenedArchive?, _ joined: JoinedPages<Item>
  ) {
    guard let last = joined.page else { return perform(joined.effects) }
    if keeper == nil, let opened, joined.id != nil {
      keeper = ListKeeper(opened, server.configuration)
    }
    var pages: [ListPage<Item>] = []
    for (page, id) in joined.found ?? [] {
      keeper?.keep(page.stored, page.rows.key, as: id, joined.placement)
      pages.append(page.page)
    }
    if let id = joined.id {
      keeper?.keep(
        last.stored, last.rows.key, as: id, joined.placement, splicedBy: joined.splice, above: joined.opened)
    }
    pages.append(last.page)
    page = last.page
    traits.learn(from: loaded)
    perform(joined.effects, applying: pages)
    evict(keeping: joined.id)
  }

  private func failed(_ number: Int, _ error: LoadError, _ reading: ResponseReading) {
    if requests.removeValue(forKey: number) != nil {
      timings = reading.timings ?? error.timings ?? HTTPResponse.Timings()
    }
    if case .request(let error) = error, case .cancelled(let reason) = error.kind {
      perform(decide { $0.ended(number, because: reason) })
    } else {
      perform(decide { $0.failed(number, error) })
    }
    evict()
  }

  /// Evicts pages outside the window.
  func evict(keeping page: PageID? = nil) {
    if settings.window != nil { perform(decide { $0.evict(keeping: page) }) }
  }
}

extension ListModel {
  /// Loads page after page until the list ends, a load adds no page, or the list has enough rows.
  ///
  /// ```swift
  /// let outcome = await books.loadAll(parallel: 4) { print("\($0.rows) of \($0.total ?? 0)") }
  /// guard outcome == .reachedEnd(.complete) else { … }
  /// ```
  ///
  /// Pages join the list one at a time, in order. If their positions can be computed and the server says how many
  /// there are, several pages are requested at once. Cancelling the waiting task cancels the running load.
  ///
  /// - Parameters:
  ///   - rows: The number of rows after which no further page is requested.
  ///   - parallel: The maximum number of pages in flight.
  ///   - progress: Called after each page with the number of rows in the list, the number of pages that this call has
  ///     loaded, and the total number of rows, if the server states it. The next page joins the list after it returns,
  ///     so a slow consumer slows the requests down.
  /// - Returns: The outcome of the last load: ``LoadOutcome/reachedEnd(_:)`` when the list is complete.
  @discardableResult
  public func loadAll(
    upTo rows: Int = .max, parallel: Int = 1,
    progress: ((rows: Int, pages: Int, total: Int?)) async -> Void = { _ in }
  ) async -> LoadOutcome {
    precondition(parallel > 0, "at least one page is loaded at a time, not \(parallel)")
    guard count < rows else { return .notNeeded }
    source.parallel = parallel
    defer { source.parallel = 1 }
    var pages = 0
    while true {
      let outcome = await loadNextPage().outcome
      switch outcome {
      case .filled(let change) where change.isEmpty: return outcome
      case .appended, .replaced, .filled:
        pages += 1
        await progress((count, pages, page?.facts.total))
        if count >= rows { return outcome }
      default: return outcome
      }
    }
  }
}

/// A request in flight.
struct RunningRequest {
  let task: Task<Void, Never>
  /// When it was sent.
  let start: Duration
  /// The writes of the server until then; `nil` if it must not be sent again for later ones.
  let writes: Int?
}

/// Decides how long a request waits after the list has changed what it requests.
struct Debounce {
  /// The moment until which requests wait, on the clock of the server.
  private var end: Duration?

  /// What is requested has changed.
  mutating func changed(at now: Duration, waiting length: Duration) {
    end = length > .zero ? now + length : nil
  }

  /// Returns how long a request waits now; `nil` if it is sent at once.
  func wait(at now: Duration) -> Duration? {
    guard let end, now < end else { return nil }
    return end - now
  }
}
