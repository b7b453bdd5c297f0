internal import ItemMapping
internal import ListReading
internal import ServerAPI

/// What the ``Reading`` of a list needs: other pages, and what the rows of a page share with those of the list.
extension ListBrain {
  /// Requests another page for a load.
  mutating func request(_ key: PageKey, for number: Int) -> [ListEffect] {
    guard let request = machine.request(key, for: number) else { return [] }
    // The page that waits is as old as its request.
    if machine.extent?.reading.isSearching == true {
      confirmedMeanwhile[request.number] = confirmedMeanwhile.removeValue(forKey: number)
    }
    return request.effects
  }

  /// Returns what the rows of a page share with those that the server has sent before.
  ///
  /// - Parameters:
  ///   - end: The position of the gap that the page is for. Rows below it count as new.
  ///   - more: Rows that come after those, and are not in the list yet.
  func compared(
    _ page: LoadedPage<Item>, before end: Int = .max, then more: [RowID] = []
  ) -> ComparedRows {
    let ids = page.rows.ids ?? []
    var shared = shared(of: ids, before: end, then: more)
    shared.known += page.rows.filteredIDs.count(where: omitted.has)
    func isKnown(_ id: RowID) -> Bool {
      self.isKnown(id) && store.position(of: id).map { $0 < end } ?? true || more.contains(id)
    }
    return ComparedRows(
      ids: ids.map { RowDigest($0) }, shared: shared,
      startsKnown: ids.first.map(isKnown) ?? false, hasKnown: ids.contains(where: isKnown))
  }

  /// Returns what the rows of a page share with the list after pages that were read again. New rows of these come before
  /// its own, each once.
  func shared(
    of page: LoadedPage<Item>, after found: [LoadedPage<Item>]
  ) -> SharedRows {
    var new: Set<RowID> = []
    let before = found.flatMap { $0.rows.ids ?? [] }.filter { id in
      !isKnown(id) && new.insert(id).inserted
    }
    return shared(of: before + (page.rows.ids ?? []).filter { !new.contains($0) })
  }

  private func shared(of ids: [RowID], before end: Int = .max, then more: [RowID] = []) -> SharedRows {
    let last = min(end, store.snapshot.count)
    let count = last + more.count
    let places = Dictionary(zip(more, more.indices)) { first, _ in first }
    var counter = SharedRowsCounter(rowsBefore: count)
    var inPage: Set<RowID> = []
    for id in ids {
      // A row that the program inserted or removed shows nothing of where the server's pages are.
      if machine.extent?.ownRows.contains(id) == true || store.edits.isInserting(id)
        || store.edits.isRemoving(id)
      {
        continue
      }
      guard inPage.insert(id).inserted else {
        counter.add(count)
        continue
      }
      if let place = places[id] {
        counter.add(last + place)
      } else if let position = store.position(of: id), position < end {
        counter.add(readingOrder(of: id, at: position))
      } else {
        counter.addNew()
      }
    }
    return counter.rows ?? .init()
  }

  /// Returns what the rows of a page that was inserted below a gap share with those further down.
  func shared(of ids: [RowID], _ merge: Merge, below gap: PageID) -> SharedRows {
    let (rows, count) = (store.rowsOf(merge.page), store.snapshot.count)
    var counter = SharedRowsCounter(rowsBefore: count - rows.upperBound)
    for id in ids.reversed() {
      guard let position = store.position(of: id), position >= rows.lowerBound else { continue }
      if rows.contains(position) { counter.addNew() } else { counter.add(count - 1 - position) }
    }
    var shared = counter.rows ?? SharedRows()
    shared.repeatsID = merge.duplicatesInPage > 0
    return shared
  }

  /// Whether the server has sent a row before.
  private func isKnown(_ id: RowID) -> Bool {
    store.contains(id) || omitted.has(id) || store.edits.isRemoving(id)
  }

  // MARK: The order of reading

  /// The number of a row in the order of reading, which is its position unless an overlap has passed it.
  private func readingOrder(of id: RowID, at position: Int) -> Int {
    machine.extent?.passedRows.contains(id) == true ? KnownRows.unordered : position
  }

  /// Marks rows that an overlap should have contained but replaced with new ones; their order is no longer known.
  mutating func pass(_ ids: [RowID], _ shared: SharedRows) {
    var new: [RowID] = []
    for id in ids where machine.extent?.passedRows.isEmpty == false {
      guard isKnown(id) else {
        new.append(id)
        continue
      }
      if machine.extent?.passedRows.contains(id) == true {
        machine.extent?.passedRows.formUnion(new)
      }
      new = []
    }
    guard !shared.endsKnown, let distance = shared.distance, distance > 0 else { return }
    for row in store.snapshot.count - distance..<store.snapshot.count {
      if let id = store.id(atRow: row) { machine.extent?.passedRows.insert(id) }
    }
  }

  /// Returns what the rows of a page that was inserted share with those that were in the list; `nil` if rows have no ids.
  mutating func shared(
    of page: PageRows<Item>, _ merge: Merge, _ side: ListSide
  ) -> SharedRows? {
    guard let ids = page.ids else { return nil }
    var shared = SharedRows()
    shared.repeatsID = merge.duplicatesInPage > 0
    shared.known = merge.duplicatesAcross
    // Rows that are moved to their later place no longer say where they were.
    guard shared.known > 0, store.duplicates != .moveToNew else { return shared }
    let rows = store.rowsOf(merge.page)
    let count = store.snapshot.count
    // Towards the start of the list, everything is the other way round.
    let isNext = side == .next
    var counter = SharedRowsCounter(rowsBefore: isNext ? rows.lowerBound : count - rows.upperBound)
    for id in isNext ? ids : ids.reversed() {
      guard let position = store.position(of: id) else { continue }
      // A row that the program inserted shows nothing of where the server's pages were.
      if machine.extent?.ownRows.remove(id) != nil || store.edits.isInserting(id) { continue }
      if rows.contains(position) {
        counter.addNew()
      } else {
        counter.add(isNext ? readingOrder(of: id, at: position) : count - 1 - position)
      }
    }
    shared = counter.rows ?? shared
    shared.repeatsID = merge.duplicatesInPage > 0
    return shared
  }
}
