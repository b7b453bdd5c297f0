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
  func shared(_ page: LoadedPage<Item>) -> SharedRows {
    let ids = page.rows.ids ?? []
    var meeting = meeting(of: ids)
    meeting.known += page.rows.filteredIDs.count(where: leftOut.has)
    return SharedRows(
      ids: ids.map { RowDigest($0) }, meeting: meeting,
      startsKnown: ids.first.map { isKnown($0) } ?? false, hasKnown: ids.contains { isKnown($0) })
  }

  /// Returns what the rows of a page share with the list after pages that were read again. New rows of these come before
  /// its own, each once.
  func meeting(
    of page: LoadedPage<Item>, after found: [LoadedPage<Item>]
  ) -> ConsistencyRecord.Meeting {
    var new: Set<RowID> = []
    let before = found.flatMap { $0.rows.ids ?? [] }.filter { id in
      !isKnown(id) && new.insert(id).inserted
    }
    return meeting(of: before + (page.rows.ids ?? []).filter { !new.contains($0) })
  }

  private func meeting(of ids: [RowID]) -> ConsistencyRecord.Meeting {
    let count = store.snapshot.count
    var comparison = MeetingRecord(rowsBefore: count)
    var inPage: Set<RowID> = []
    for id in ids {
      // A row that the program inserted or removed shows nothing of where the server's pages are.
      if machine.extent?.ownRows.contains(id) == true || store.edits.isInserting(id)
        || store.edits.isRemoving(id)
      {
        continue
      }
      guard inPage.insert(id).inserted else {
        comparison.add(count)
        continue
      }
      if let position = store.position(of: id) {
        comparison.add(readingOrder(of: id, at: position))
      } else {
        comparison.addNew()
      }
    }
    return comparison.meeting ?? .init()
  }

  /// Whether the server has sent a row before.
  private func isKnown(_ id: RowID) -> Bool {
    store.contains(id) || leftOut.has(id) || store.edits.isRemoving(id)
  }

  // MARK: The order of reading

  /// The number of a row in the order of reading, which is its position unless an overlap has passed it.
  private func readingOrder(of id: RowID, at position: Int) -> Int {
    machine.extent?.passedRows.contains(id) == true ? KnownRows.unordered : position
  }

  /// Records the rows at the end of the list that an overlap passed, since it has new rows where they were, and new rows
  /// before such ones.
  mutating func pass(_ ids: [RowID], _ meeting: ConsistencyRecord.Meeting) {
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
    guard !meeting.endsKnown, let distance = meeting.distance, distance > 0 else { return }
    for row in store.snapshot.count - distance..<store.snapshot.count {
      if let id = store.id(atRow: row) { machine.extent?.passedRows.insert(id) }
    }
  }

  /// Returns what the rows of a page that was inserted share with those that were in the list; `nil` if rows have no ids.
  mutating func meeting(
    of page: PageRows<Item>, _ merge: Merge, _ side: ListSide
  ) -> ConsistencyRecord.Meeting? {
    guard let ids = page.ids else { return nil }
    var meeting = ConsistencyRecord.Meeting()
    meeting.repeatsID = merge.duplicatesInPage > 0
    meeting.known = merge.duplicatesAcross
    // Rows that are moved to their later place no longer say where they were.
    guard meeting.known > 0, store.duplicates != .moveToNew else { return meeting }
    let rows = store.rowsOf(merge.page)
    let count = store.snapshot.count
    // Towards the start of the list, everything is the other way round.
    let isNext = side == .next
    var comparison = MeetingRecord(rowsBefore: isNext ? rows.lowerBound : count - rows.upperBound)
    for id in isNext ? ids : ids.reversed() {
      guard let position = store.position(of: id) else { continue }
      // A row that the program inserted shows nothing of where the server's pages were.
      if machine.extent?.ownRows.remove(id) != nil || store.edits.isInserting(id) { continue }
      if rows.contains(position) {
        comparison.addNew()
      } else {
        comparison.add(isNext ? readingOrder(of: id, at: position) : count - 1 - position)
      }
    }
    meeting = comparison.meeting ?? meeting
    meeting.repeatsID = merge.duplicatesInPage > 0
    return meeting
  }
}
