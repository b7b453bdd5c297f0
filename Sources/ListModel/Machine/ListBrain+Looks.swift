internal import ItemMapping
internal import ListReading

/// Visible pages, which a deep refresh requests before all others.
extension ListBrain {
  /// The visible pages that can be requested alone. The first one is read again first anyway.
  var visiblePages: [DeepReading.Look] {
    store.pages(in: visible).filter { $0.isLoaded && $0.range.lowerBound > 0 }.prefix(3)
      .compactMap { page in page.key.map { DeepReading.Look(page: page.id, key: $0) } }
  }

  /// Lays a page over the visible rows from before. It shows what is new and gone between the first and the last row that
  /// both have. Where it shows nothing, the pages that are read in order do.
  mutating func show(
    _ page: LoadedPage<Item>, _ read: ReadPage, at look: DeepReading.Look, for number: Int, _ kind: LoadKind
  ) -> JoinedPages<Item> {
    guard let reread = lay(page, read, at: look) else { return JoinedPages(effects: machine.endLook(number)) }
    var joined = take(reread, of: [page], at: read, kind)
    joined.effects += machine.endLook(number)
    return joined
  }

  private mutating func lay(
    _ page: LoadedPage<Item>, _ read: ReadPage, at look: DeepReading.Look
  ) -> ListStore<Item>.Reread? {
    guard let extent = machine.extent, !isHidden, omitted.isEmpty, page.filtered == 0, isNewer(page),
      page.page.report.droppedItems == 0, let ids = page.rows.ids, let place = store.tree.place(of: look.page),
      place.rows.upperBound <= store.endOfRereading,
      let before = store.tree.place(at: place.before.pages - 1, by: .pages)?.page.id
    else { return nil }
    let start = store.end(of: before)
    // A cursor leads to the row after the one that it was made of. A place that counts rows may lead anywhere.
    let isChained = read.key.place.isChained && !read.key.place.isCounted && !extent.reading.isCounting
    let hasRowBefore = ids.contains { id in store.position(of: id).map { $0 < start } ?? false }
    guard isChained || hasRowBefore || ids.first.map(store.contains) == true else { return nil }
    let evidence = SpliceEvidence(keepsOrder: extent.reading.keepsOrder && !extent.distrusts.contains(.order))
    let again = ListStore<Item>.PageAgain(
      rows: page.rows, isJoined: hasRowBefore, next: page.page.facts.next.key)
    guard case .laid(let reread) = store.lay([again], after: before, doubtful: [], evidence, .open) else { return nil }
    return reread
  }
}
