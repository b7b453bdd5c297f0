internal import ItemMapping
internal import ServerAPI

extension ListModel {
  /// The model is held weakly while the request runs, and anew for each thing that is told, so that it
  /// can go at any moment.
  func send(_ number: Int, _ kind: LoadKind, _ key: PageKey) {
    if kind == .restore { return bringBack(number) }
    let early = ahead.removeValue(forKey: key)
    let (wish, showsStored) = wish(for: key, kind)
    let isPreviewed = early != nil || !showsStored || brain.isPreviewed(number)
    let needsKeeper = settings.keeping != nil && keeper == nil && kind.makesAnew
    requests[number] = Task { [weak self, loader, paging, keeping = settings.keeping] in
      var opened: OpenedArchive?
      if needsKeeper, let keeping {
        opened = await loader.openArchive(keeping, wish.call, paging)
      }
      do throws(LoadError) {
        if !isPreviewed, let stored = await loader.loadStored(wish) {
          self?.previewed(number, stored, opened)
          Self.deliver { self }
        }
        // What is shown already need not be read again when it comes unchanged.
        let origin = early == nil ? self?.brain.origin(for: number) : nil
        var wish = wish
        wish.known = origin?.known
        var page = if let early { try await early.page() } else { try await loader.load(wish) }
        if page.isSame, let origin { page.reuse(origin) }
        self?.arrived(number, page, opened)
      } catch {
        self?.failed(number, error)
      }
      Self.deliver { self }
    }
  }

  /// What to ask for, and whether what is stored of it is to be shown first.
  private func wish(
    for key: PageKey, _ kind: LoadKind
  ) -> (wish: PageLoader<Item>.Wish, showsStored: Bool) {
    var call = template
    prepare(&call)
    let use = settings.cachePolicy.use(for: kind, usual: server.configuration.cacheMode)
    // The program's own word counts.
    var showsStored = use.showsStored && call.cache == nil && server.cache != nil
    if case .trial = key.place { showsStored = false }
    call.cache = call.cache ?? use.mode
    var wish = PageLoader<Item>.Wish(
      key: key, call: call, paging: paging(for: key), itemsPath: kind.makesAnew ? nil : foundPath)
    // The first page decides again where the list is at home.
    wish.home = kind.makesAnew && key == paging.strategy.first ? nil : home
    return (wish, showsStored)
  }

  /// Asks for the pages behind one that is under way, as far as they can be worked out and are known to
  /// be there.
  func lookAhead(of key: PageKey) {
    guard parallelPages > 1, let total = page?.facts.total,
      let pagesLeft = paging(for: key).strategy.pages(behind: key, of: total), pagesLeft > 0
    else { return }
    for step in 1...min(pagesLeft, parallelPages - 1) {
      guard let key = paging(for: key).strategy.key(step, after: key) else { return }
      if ahead[key] == nil { ahead[key] = AheadPage(loader, wish(for: key, .next).wish) }
    }
  }

  private func arrived(
    _ number: Int, _ loaded: LoadedPage<Item>, _ opened: OpenedArchive?
  ) {
    requests[number] = nil
    guard let kind = brain.kind(of: number) else { return carryOut(decide { $0.discard() }) }
    take(loaded, opened) { $0.arrived(number, $1, $2, loaded.report(of: kind)) }
  }

  private func previewed(
    _ number: Int, _ stored: LoadedPage<Item>, _ opened: OpenedArchive?
  ) {
    guard let kind = brain.kind(of: number) else { return }
    take(stored, opened) { $0.previewed(number, $1, $2, stored.report(of: kind)) }
  }

  private func take(
    _ loaded: LoadedPage<Item>, _ opened: OpenedArchive?,
    _ takeIn: (inout ListBrain<Item>, PageRows<Item>, PageFacts) -> [ListBrain<Item>.Effect]
  ) {
    let effects = decide { takeIn(&$0, loaded.rows, loaded.page.facts) }
    guard !effects.isEmpty else { return }
    for case .joined(let id, let placement) in effects {
      if keeper == nil, let opened { keeper = ListKeeper(opened, server.configuration) }
      keeper?.take(loaded.answer, loaded.rows.key, as: id, placement)
    }
    page = loaded.page
    foundPath = loaded.itemsPath ?? foundPath
    home = loaded.home ?? home
    recognised = loaded.recognised ?? recognised
    carryOut(effects, applying: [loaded.page])
  }

  private func failed(_ number: Int, _ error: LoadError) {
    requests[number] = nil
    if case .request(let error) = error, case .cancelled(let reason) = error.kind {
      carryOut(decide { $0.ended(number, because: reason) })
    } else {
      carryOut(decide { $0.failed(number, error) })
    }
  }

  /// What a page is asked by: as declared, or behind the first page as recognised.
  private func paging(for key: PageKey) -> Paging {
    switch key.place {
    case .start, .trial: paging
    default: recognised?.paging ?? paging
    }
  }
}
