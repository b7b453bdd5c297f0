internal import ItemMapping
internal import ServerAPI

extension ListModel {
  /// Shows the list as it was kept, without the network, and goes on from there: a further page is the one
  /// that would have followed. See ``ListKeeping``.
  ///
  /// ```swift
  /// if await books.restore().outcome == .notNeeded { … }    // nothing was kept
  /// if let row = books.restoredAnchor { table.scroll(to: row) }
  /// books.refresh()                                          // what is stored gives way
  /// ```
  ///
  /// A list of up to some hundred rows comes in one change. Of a longer one the pages around the row
  /// that was in sight come first, and all others in a second change a moment later. Loads that are asked
  /// for meanwhile wait. Where a page is missing or broken, those next to the row that was in sight are
  /// shown, and what is beyond it is dropped.
  ///
  /// It ends with ``LoadOutcome/replaced(_:)``; with ``LoadOutcome/notNeeded`` where the list has loaded
  /// or is loading already, and where nothing of use is kept.
  @discardableResult public func restore() -> Load {
    guard settings.keeping != nil else { return load { [.finish(load: $1, .notNeeded)] } }
    return load { $0.ask(.restore, load: $1) }
  }

  /// The row that was in sight first when the list that was restored was last seen. It moves with the
  /// rows around it, until the list is loaded anew.
  public var restoredAnchor: Int? { observedBrain.restoredAnchor }

  /// Reads what was kept, and shows it.
  func bringBack(_ number: Int) {
    guard let keeping = settings.keeping else { return }
    var call = template
    prepare(&call)
    requests[number] = Task { [weak self, loader = source.loader, call, paging] in
      guard let kept = await loader.openKept(keeping, call, paging) else {
        self?.nothingKept(number)
        return Self.deliver { self }
      }
      let run = kept.run
      let ends = (kept.pages.first?.page.facts, kept.pages.last?.page.facts)
      self?.restored(number, kept)
      Self.deliver { self }
      guard !run.isWhole, !Task.isCancelled else { return }
      let rest = await loader.readRest(around: run)
      self?.restored(number, rest, ends.0, ends.1)
      Self.deliver { self }
    }
  }

  private func nothingKept(_ number: Int) {
    requests[number] = nil
    carryOut(decide { $0.nothingKept(number) })
  }

  /// The first of the kept pages.
  private func restored(_ number: Int, _ kept: KeptPages<Item>) {
    guard brain.kind(of: number) != nil else { return requests[number] = nil }
    let run = kept.run
    if run.isWhole { requests[number] = nil }
    var pages = RestoredPages<Item>(behind: kept.pages.map(\.rows), isLast: run.isWhole)
    pages.turns = run.turnsInOrder
    pages.anchor = run.manifest.anchor.flatMap { anchor in
      run.places.contains(anchor.place)
        ? (page: anchor.place - run.places.lowerBound, row: anchor.row) : nil
    }
    page = kept.pages.last?.page
    traits = run.traits
    let effects = decide { $0.restored(number, pages, kept.facts) }
    let keeper = ListKeeper(
      OpenedArchive(archive: run.archive, manifest: run.manifest), server.configuration)
    keeper.adopt(
      run.manifest, run.places, keptPages, run.turnsInOrder, keptAt: run.keptAt, isAll: run.isWhole)
    self.keeper = keeper
    carryOut(effects, applying: kept.pages.map(\.page))
    evict()
  }

  /// The others.
  private func restored(
    _ number: Int, _ rest: KeptRest<Item>, _ first: PageFacts?, _ last: PageFacts?
  ) {
    requests[number] = nil
    guard brain.kind(of: number) != nil else { return }
    let run = rest.run
    page = rest.behind.last?.page ?? page
    let facts = run.facts(
      first: rest.before.first?.page.facts ?? first, last: rest.behind.last?.page.facts ?? last,
      read: run.places)
    let pages = RestoredPages(
      before: rest.before.map(\.rows), behind: rest.behind.map(\.rows), turns: run.turnsInOrder)
    let effects = decide { $0.restored(number, pages, facts) }
    keeper?.adopt(
      run.manifest, run.places, keptPages, run.turnsInOrder, keptAt: run.keptAt, isAll: true)
    keeper?.settle()
    carryOut(effects, applying: (rest.before + rest.behind).map(\.page))
    evict()
  }

  /// The pages that a server sent, not those with rows of the program alone.
  private var keptPages: [PageID] {
    brain.store.snapshot.pages.filter { $0.key != nil }.map(\.id)
  }
}
