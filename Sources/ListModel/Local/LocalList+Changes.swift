internal import ListReading

extension LocalList {
  /// The number of rows up to which single rows are appended to the same page.
  private static var pageSize: Int { 128 }

  /// Appends an item.
  public func append(_ item: Item) { append(contentsOf: CollectionOfOne(item)) }

  /// Appends items, such as those of a page.
  public func append(contentsOf items: some Sequence<Item>) {
    change { join(Array(items)) }
  }

  /// Changes a row.
  ///
  /// ```swift
  /// try books.edit(.update("dune", book))
  /// ```
  ///
  /// - Throws: The reason why the edit is impossible. The rows are unchanged then.
  public func edit(_ edit: ListEdit<Item>) throws(ListEditError) {
    guard let id = identity.id else { throw .noIdentity }
    if let item = edit.item, id(item) != edit.row {
      throw .differentID(id(item), expected: edit.row)
    }
    let made = try store.apply(edit)
    store.confirm(made.id)
    change { made.change }
  }

  // MARK: - Resetting

  /// Starts a new list without rows, such as after another user has signed in.
  ///
  /// Loads that a screen's handlers carry out are dropped: their tokens have ended, and ending them later does
  /// nothing. There may be further rows again, and the list counts as not loaded. A list that follows a store
  /// reads it again. Observers get ``ListEvent/didReset`` after the change of the rows.
  public func reset() {
    let items = source == nil ? [] : itemsOfSource()
    startAgain(with: items, isLoaded: !items.isEmpty)
    feed?.listWasReset()
  }

  /// Starts a new list of items. Loads that a screen's handlers carry out are dropped, as by ``reset()``, and
  /// there may be further rows again. The list counts as loaded, and rows that stay are found by their ids.
  public func reset(to items: some Sequence<Item>) {
    startAgain(with: Array(items), isLoaded: true)
  }

  private func startAgain(with items: [Item], isLoaded: Bool) {
    resets += 1
    hasLoaded = isLoaded
    let change = replace(with: items)
    notify(of: change.isEmpty ? [.didReset] : [.didChange(change), .didReset])
  }

  // MARK: - Rows and their changes

  func replace(with items: [Item]) -> ListChange {
    let page = page(of: items)
    let merge = store.replace(with: page)
    let repeated = merge.duplicatesInPage == 0 ? [] : page.repeatedIDs
    if repeated != self.repeated { repeatedIDs = repeated }
    return merge.change
  }

  private func join(_ items: [Item]) -> ListChange {
    guard !items.isEmpty else { return ListChange() }
    if items.count == 1, let id = identity.id?(items[0]), !store.contains(id),
      let last = store.tree.last, last.count < Self.pageSize
    {
      let spot = RowSpot(page: last.id, after: last.ids?.last, index: last.count)
      return ListChange(
        inserted: store.insertRow(items[0], id: id, at: spot).map { [$0..<$0 + 1] } ?? [])
    }
    var joining = page(of: items)
    if let ids = joining.ids {
      var seen: Set<RowID> = []
      let isNew = ids.map { seen.insert($0).inserted && !store.contains($0) }
      if isNew.contains(false) {
        let noted = Set(repeated)
        var left: Set<RowID> = []
        repeatedIDs += zip(ids, isNew).filter { id, isNew in
          !isNew && !noted.contains(id) && left.insert(id).inserted
        }.map(\.0)
        joining = page(of: zip(items, isNew).filter(\.1).map(\.0))
      }
    }
    return joining.items.isEmpty ? ListChange() : store.join(joining, at: .next).change
  }

  private func page(of items: [Item]) -> PageRows<Item> {
    PageRows(key: PageKey(.start), items: items, ids: identity.id.map { items.map($0) })
  }

  func change(_ body: () -> ListChange) {
    let isFirst = !hasLoaded
    hasLoaded = true
    let change = body()
    // That a list has loaded and is empty is news for a screen.
    guard !change.isEmpty || isFirst else { return }
    notify(of: [.didChange(change)])
  }

  /// Shows the rows of the store, and notifies observers in a later turn.
  private func notify(of events: [ListEvent]) {
    outbox.add(events.map { .notify($0) }, rows: store.snapshot)
    outbox.showEarly(Outbox.Shown(rows: store.snapshot))
    show(outbox.shown.rows)
    deliverSoon()
  }
}

extension ListEdit {
  /// The item that the edit brings.
  fileprivate var item: Item? {
    switch self {
    case .insert(let item, _, _), .update(_, let item): item
    case .remove, .move: nil
    }
  }
}

extension PageRows {
  /// The ids of rows that the page has already had, once for each of them.
  fileprivate var repeatedIDs: [RowID] {
    var seen: Set<RowID> = []
    return ids?.filter { !seen.insert($0).inserted } ?? []
  }
}
