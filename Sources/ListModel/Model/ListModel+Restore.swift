internal import ItemMapping
internal import ListReading
internal import ServerAPI

extension ListModel {
  /// Shows the kept list without the network. The next page to load is the one that
  /// would have followed. See ``ListKeeping``.
  ///
  /// ```swift
  /// if await books.restore().outcome == .notNeeded { … }    // nothing was kept
  /// if let row = books.restoredAnchor { table.scroll(to: row) }
  /// books.refresh()                                          // replaces the stored rows
  /// ```
  ///
  /// A list of up to a few hundred rows is shown in one change. For a longer one, the pages around the row
  /// that was visible come first, and all others in a second change a moment later. Loads that are requested
  /// in the meantime wait. Where a page is missing or broken, the pages next to the row that was visible are
  /// shown, and those beyond it are dropped.
  ///
  /// Ends with ``LoadOutcome/replaced(_:)``, or with ``LoadOutcome/notNeeded`` where the list has already
  /// loaded or is loading, or where nothing usable is kept.
  @discardableResult public func restore() -> Load {
    guard settings.keeping != nil else { return load { [.finish(load: $1, .notNeeded)] } }
    return load { $0.request(.restore, load: $1) }
  }

  /// The row of a restored list that was the first visible one. It moves with the
  /// rows around it, until the list is reloaded.
  public var restoredAnchor: Int? { observed { $0.restoredAnchor } }

  /// Reads the kept list and shows it.
  func restoreKeptPages(_ number: Int) {
    guard let keeping = settings.keeping else { return }
    let task = Task { [weak self, loader = source.loader, call = preparedCall, paging] in
      guard let (first, run) = await loader.openKept(keeping, call, paging) else {
        self?.nothingKept(number)
        return Self.deliver { self }
      }
      self?.restored(number, first, run)
      Self.deliver { self }
      guard !run.isWhole, !Task.isCancelled else { return }
      let (rest, whole) = await loader.readRest(around: run)
      self?.restored(number, rest, whole)
      Self.deliver { self }
    }
    begin(number, task)
  }

  private func nothingKept(_ number: Int) {
    requests[number] = nil
    perform(decide { $0.nothingKept(number) })
  }

  private func restored(_ number: Int, _ kept: Restoration<Item>, _ run: KeptRun) {
    if kept.isLast { requests[number] = nil }
    guard brain.kind(of: number) != nil else { return requests[number] = nil }
    page = kept.after.last?.page ?? page
    traits = run.traits
    let effects = decide { $0.restored(number, kept) }
    let keeper =
      keeper
      ?? ListKeeper(
        OpenedArchive(archive: run.archive, manifest: run.manifest), server.configuration)
    keeper.adopt(
      run.manifest, at: run.places, pages: keptPages, arrivals: kept.arrivals,
      storedAt: run.storedAt, isAll: kept.isLast)
    if kept.isLast { keeper.settle() }
    self.keeper = keeper
    perform(effects, applying: (kept.before + kept.after).map(\.page))
    evict()
  }

  /// The pages that the server sent, without those that only have rows of the program.
  private var keptPages: [PageID] {
    brain.store.snapshot.pages.filter { $0.key != nil }.map(\.id)
  }
}
