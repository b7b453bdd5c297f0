internal import ServerAPI

/// What a list does with pages that come.
extension ListBrain {
  /// A page came for a request.
  mutating func arrived(_ number: Int, _ page: LoadedPage<Item>) -> [ListEffect] {
    guard let kind = kind(of: number), let placement = machine.placement(of: number) else {
      machine.discard()
      return []
    }
    var (merge, effects) = take(page.rows, placement, page.report(of: kind))
    effects += machine.joined(number, page.page.facts, page.rows.mark, merge)
    return effects
  }

  /// A stored response to a request that is under way came.
  mutating func previewed(_ number: Int, _ page: LoadedPage<Item>) -> [ListEffect] {
    guard !isPreviewed(number), let kind = kind(of: number),
      let placement = machine.placement(of: number)
    else { return [] }
    let (merge, notices) = take(page.rows, placement, page.report(of: kind), isPreview: true)
    // A page that is not shown has shown nothing of where the list goes on.
    if let merge { machine.previewed(number, page.page.facts, merge) }
    return notices
  }

  /// Whether a stored response to a request is shown already.
  func isPreviewed(_ number: Int) -> Bool { machine.job(number)?.job.preview != nil }

  /// What was made of the page that a request asks for again, where the list has it.
  func parsed(for number: Int) -> PageRows<Item>.Parsed? {
    guard let (lane, job) = machine.job(number) else { return nil }
    switch lane {
    case .list:
      return [store.tree.first, store.tree.last].lazy.compactMap(\.self)
        .first { $0.key == job.key }?.parsed
    case .side: return job.preview.flatMap { store.tree.place(of: $0.page) }?.page.parsed
    case .gap(let id): return store.tree.place(of: id)?.page.parsed
    }
  }

  /// Takes a page in where the machine wants it. Returns what that did, `nil` where the page is one that
  /// came before and was left out, and what there is to say of it.
  private mutating func take(
    _ page: PageRows<Item>, _ placement: PagePlacement, _ report: PageReport,
    isPreview: Bool = false
  ) -> (merge: Merge?, notices: [ListEffect]) {
    guard var merge = place(page, placement, isPreview: isPreview) else { return (nil, []) }
    var report = report
    (report.duplicates, report.repeats) = (merge.duplicatesAcross, merge.duplicatesInPage)
    let wasFresh = freshness
    if placement == .all {
      restoredAnchor = nil
      record.begin(with: page.source, asOf: page.asOf)
    } else {
      record.heard(page.source)
    }
    visible = merge.change.moving(visible)
    if isHidden {
      isHidden = false
      merge.change = .inserting(0..<store.snapshot.count)
    }
    var effects: [ListEffect] = []
    // Room for what the machine adds.
    effects.reserveCapacity(8)
    effects.append(.keep(merge.page, placement))
    effects += notice(of: merge.change)
    if !report.isClean { effects.append(.notify(.didReport(report))) }
    effects += notice(ofAgeAfter: wasFresh)
    return (merge, effects)
  }

  /// Puts a page where it belongs; `nil` where it has no ids and came before.
  private mutating func place(
    _ page: PageRows<Item>, _ placement: PagePlacement, isPreview: Bool
  ) -> Merge? {
    var page = page
    if placement == .all { repeats.forget() }
    if page.ids == nil, !page.isEmpty {
      switch placement {
      case .at where isPreview:
        var repeats = repeats
        if repeats.isRepeat(page.mark) { return nil }
      case .at: if repeats.isRepeat(page.mark) { return nil }
      // What was stored of it is shown already, and goes again.
      case .over: if repeats.isRepeat(page.mark) { (page.items, page.isWhole) = ([], false) }
      case .all, .gap: break
      }
    }
    // What is stored is no news for pages that the server has sent since.
    let policy = store.duplicates
    if isPreview, placement != .all { store.duplicates = .keepFirst }
    defer { store.duplicates = policy }
    switch placement {
    case .all:
      var merge = store.replace(with: page)
      // Every row counts, whether it was there before or not.
      merge.added = store.loadedRows
      return merge
    case .at(let side): return store.join(page, at: side)
    case .gap(let id): return store.restore(id, with: page) ?? Merge(page: id)
    case .over(let preview, let side):
      guard var merge = store.restore(preview.page, with: page) else {
        return store.join(page, at: side)
      }
      let gone = merge.change.removed.reduce(0) { $0 + $1.count }
      merge.added = max(0, merge.added + preview.added - gone)
      return merge
    }
  }
}

// MARK: - Kept pages

extension ListBrain {
  /// Kept pages came: the first ones, or what was kept around those that are there.
  ///
  /// - Parameters:
  ///   - number: The restore.
  ///   - kept: The pages.
  mutating func restored(_ number: Int, _ kept: Restoration<Item>) -> [ListEffect] {
    guard machine.job(number) != nil else { return [] }
    let wasFresh = freshness
    if let first = kept.before.first ?? kept.behind.first, freshness == .nothing {
      record.begin(with: first.rows.source, asOf: first.rows.asOf)
    }
    var report = PageReport(kind: .restore)
    // Edits were made on what was shown meanwhile: it stays as it is then, and the others join it.
    let change = store.edits.isEmpty ? surround(with: kept, &report) : join(kept)
    if kept.isLast {
      for page in PageSequence(store.tree) where page.ids == nil && page.count > 0 {
        guard let key = page.key else { continue }
        _ = repeats.isRepeat(
          PageMark(key: key, fingerprint: page.fingerprint, isEmpty: false))
      }
    }
    let notices =
      notice(of: change)
      + (kept.isLast && !report.isClean ? [.notify(.didReport(report))] : [])
      + notice(ofAgeAfter: wasFresh)
    return notices + machine.restored(number, kept.facts, change, isLast: kept.isLast)
  }

  mutating func nothingKept(_ number: Int) -> [ListEffect] { machine.nothingKept(number) }

  /// Joins all pages again in the order in which they first came.
  private mutating func surround(
    with kept: Restoration<Item>, _ report: inout PageReport
  ) -> ListChange {
    let merge = store.surround(
      with: kept.before.map(\.rows), kept.behind.map(\.rows), turns: kept.turns)
    (report.duplicates, report.repeats) = (merge.duplicatesAcross, merge.duplicatesInPage)
    visible = merge.change.moving(visible)
    if let anchor = restoredAnchor {
      restoredAnchor = merge.change.moving(anchor..<anchor + 1).lowerBound
    } else if let anchor = kept.anchor, store.snapshot.pages.indices.contains(anchor.page) {
      let rows = store.snapshot.pages[anchor.page].range
      let row = max(0, min(rows.lowerBound + anchor.row, rows.upperBound - 1))
      (restoredAnchor, visible) = (row, row..<min(row + 1, store.snapshot.count))
    }
    return merge.change
  }

  /// Puts kept pages around those that are there, one by one.
  private mutating func join(_ kept: Restoration<Item>) -> ListChange {
    let count = store.snapshot.count
    let changes =
      kept.before.reversed().map { store.join($0.rows, at: .previous).change }
      + kept.behind.map { store.join($0.rows, at: .next).change }
    for change in changes {
      visible = change.moving(visible)
      restoredAnchor = restoredAnchor.map { change.moving($0..<$0 + 1).lowerBound }
    }
    return .merging(changes, of: count)
  }
}
