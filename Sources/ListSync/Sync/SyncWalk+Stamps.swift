internal import ItemMapping
internal import ListReading
internal import ServerAPI

// MARK: - Stamps

extension SyncWalk {
  /// The digest of the list whose stamps are measured; 0 if none are.
  var plan: UInt64 { options.watermark == nil ? 0 : options.plan }

  /// Whether the requests of the round have a filter.
  var isFiltered: Bool { !filter.isEmpty }

  /// The parameter of a round that reads what has changed since the mark.
  var filter: Params {
    guard case .since(let name)? = options.watermark?.way, let stamps = state.stamps, stamps.isShort,
      let text = stamps.border?.text
    else { return [:] }
    return [name: text]
  }

  /// Returns the stamp of each row of a page; empty if none are measured.
  func stamps(of rows: [JSONView?]) -> [Stamp?] {
    guard let path = options.watermark?.stamp else { return [] }
    return rows.map { row in row.flatMap { Stamp(at: path, in: $0) } }
  }

  /// Adds the stamps of a page. Throws if no row of the first page has one, as long as there is no mark.
  func measure(
    _ page: PageWalk.Page, _ shown: [JSONView?], _ found: [Stamp?], _ received: [ReceivedRow],
    _ operations: [SyncOperation?],
    _ stamps: inout RoundStamps
  ) throws(SyncError) {
    var rows = found.map { RoundStamps.Row($0) }
    for place in rows.indices {
      rows[place].isKnown = false
      rows[place].followsInResponse = place > 0 && page.rows[place - 1].document === page.rows[place].document
    }
    if page.number == 0, stamps.border == nil, !rows.isEmpty, let path = options.watermark?.stamp,
      shown.allSatisfy({ $0?[path] == nil })
    {
      throw .noStamps(path)
    }
    // Rows without an id are not compared.
    var places = zip(received, operations).makeIterator()
    for (place, id) in page.ids.enumerated() where id != nil {
      guard let (row, operation) = places.next() else { break }
      rows[place].isKnown = state.lacks(row.id)
      rows[place].isChanged = operation == .insert || operation == .update
      rows[place].hasNewStamp = rows[place].isChanged && state.hasNewStamp(row)
    }
    stamps.add(rows)
  }

  /// Whether the round has to look at the start of the list once more: a row that changed while it was read has moved
  /// there from a page that was not read yet.
  func needsTop(_ walk: PageWalk, _ stamps: RoundStamps?) -> Bool {
    guard let stamps, stamps.isNewestFirst, !isFiltered, walk.pages > 1 else { return false }
    let lacks = walk.end?.lackingRows != nil
    let consistency = (lacks ? walk.consistencyOfFoundRows : walk.consistency).without(options.distrusted)
    return consistency.claim.isProven && consistency.assumptions.contains(.order)
  }

  /// Reads the start of the list once more, and ends the round.
  func readTop(_ walk: PageWalk, _ body: Body) async throws {
    guard var stamps = state.stamps, let again = stamps.again else {
      return try await commit(Step(state.round, [seal(walk)]), body)
    }
    let top = start(walk.idPath.map { .by($0) } ?? options.identity, nil, [], [:])
    guard let page = try await top.next() else {
      return try await commit(Step(state.round, [seal(walk)]), body)
    }
    // A known row that the walk lacks has moved, and is none that came meanwhile.
    let found = page.ids.count { $0.map { state.lacks(PackedID($0)) } ?? false }
    var step = try await read(page, top, again)
    guard var delta = step.page else { return }
    let isRead = delta.stamps?.mayStop == true || top.end == .complete
    if let again = delta.stamps { stamps.add(again: again) }
    (delta.stamps, delta.checkpoint) = (stamps, nil)
    delta.requests = requests(walk) + (options.requests == nil ? top.pages : 0)
    step.page = delta
    step.seal = { [self] page in seal(walk, after: page, foundOnTop: isRead ? found : nil) }
    try await commit(step, body)
  }
}

extension PageWalk {
  /// Whether each page led to the next one by a cursor or key, and none by a number of rows.
  var isChained: Bool { consistency.seams.keys.allSatisfy { $0 == .chained } }
}

extension ListEnd {
  /// How many rows the walk lacks of those that the server counts, if nothing else speaks against its end.
  var lackingRows: Int? {
    if case .incomplete(let error) = self { error.missingRows } else { nil }
  }
}

extension RoundStamps {
  /// The stamps of a round that begins.
  init(_ watermark: SyncWatermark, plan: UInt64, after earlier: Watermark?, at now: Double) {
    let border = earlier?.border
    self.init(
      plan: plan, isSorted: watermark.way == .newestFirst,
      isShort: earlier?.isShortNext(fullEvery: watermark.fullEvery) ?? false, border: border, now: now)
    if isShort, !isSorted, let border, border.text == nil {
      isShort = false
      detour = "no value of the filter can be made of the stamp \(border.mark.stamp.text)"
    }
  }

  /// Returns the stamps to measure in the first page, if it is read again at the end of the round; `nil` if there are
  /// none.
  var again: RoundStamps? {
    guard let top else { return nil }
    let mark = Watermark.Mark(top, floor: top)
    return RoundStamps(
      plan: plan, isSorted: true, isShort: true, border: Watermark.Border(mark: mark, overlap: overlap), now: now)
  }

  /// Adds what the first page has shown that was read again.
  mutating func add(again other: RoundStamps) {
    lateness = max(lateness, other.lateness)
    late += other.late
  }
}
