internal import ServerAPI

/// What a list does with pages that were kept.
extension ListBrain {
  /// What was made of the page that a request asks for again, where the list has it.
  func origin(for number: Int) -> PageOrigin<Item>? {
    guard let (lane, job) = machine.job(number) else { return nil }
    switch lane {
    case .main:
      return [store.tree.first, store.tree.last].lazy.compactMap(\.self)
        .first { $0.key == job.key }?.origin
    case .side: return job.preview?.page.flatMap { store.tree.place(of: $0) }?.page.origin
    case .gap(let id): return store.tree.place(of: id)?.page.origin
    }
  }

  /// Whether a stored answer to a request is shown already.
  func isPreviewed(_ number: Int) -> Bool { machine.job(number)?.1.preview != nil }

  /// Kept pages came: the first ones, or what was kept around those that are there.
  ///
  /// - Parameters:
  ///   - number: The restore.
  ///   - kept: The pages.
  ///   - facts: What lies beyond all of them.
  mutating func restored(_ number: Int, _ kept: RestoredPages<Item>, _ facts: PageFacts) -> [Effect]
  {
    guard kind(of: number) != nil else { return [] }
    var brain = self
    store = ListStore()
    var changes: [Effect] = []
    let effects = machine.restored(number, facts, isLast: kept.isLast) {
      brain.takeIn(kept, &changes)
    }
    brain.machine = machine
    self = brain
    return changes + settled(effects) + givenUp()
  }

  mutating func nothingKept(_ number: Int) -> [Effect] { settled(machine.nothingKept(number)) }

  private mutating func takeIn(
    _ kept: RestoredPages<Item>, _ changes: inout [Effect]
  ) -> PageMerge {
    let wasFresh = freshness
    if let first = (kept.before + kept.behind).first, freshness == .nothing {
      record.begin(with: first.source, asOf: first.asOf)
    }
    var mark = PageMark(key: machine.first, fingerprint: 0, isEmpty: true, isNew: true)
    mark.isNew = !(kept.before.isEmpty && kept.behind.isEmpty)
    var report = PageReport(kind: .restore)
    var change = ListChange()
    if store.edits.isEmpty {
      let merge = store.surround(with: kept.before, kept.behind, turns: kept.turns)
      (change, report.duplicates, report.repeats) = (
        merge.change, merge.duplicatesAcross, merge.duplicatesInPage
      )
      visible = change.moving(visible)
      if let anchor = restoredAnchor {
        restoredAnchor = change.moving(anchor..<anchor + 1).lowerBound
      } else if let anchor = kept.anchor, store.snapshot.pages.indices.contains(anchor.page) {
        let rows = store.snapshot.pages[anchor.page].range
        let row = max(0, min(rows.lowerBound + anchor.row, rows.upperBound - 1))
        (restoredAnchor, visible) = (row, row..<min(row + 1, store.snapshot.count))
      }
    } else {
      // Edits were made on what was shown meanwhile: it stays as it is, and the others join it.
      for page in kept.before.reversed() { join(store.prepend(page), &changes) }
      for page in kept.behind { join(store.append(page), &changes) }
    }
    if kept.isLast {
      for page in PageSequence(store.tree) where page.ids == nil && page.count > 0 {
        guard let key = page.key else { continue }
        _ = repeats.isRepeat(
          PageMark(key: key, fingerprint: page.fingerprint, isEmpty: false, isNew: false))
      }
    }
    return PageMerge(
      change: change, mark: mark, report: kept.isLast && !report.isClean ? report : nil,
      freshness: freshness == wasFresh ? nil : freshness)
  }

  private mutating func join(_ merge: Merge, _ changes: inout [Effect]) {
    guard !merge.change.isEmpty else { return }
    visible = merge.change.moving(visible)
    restoredAnchor = restoredAnchor.map { merge.change.moving($0..<$0 + 1).lowerBound }
    changes.append(.tell(.didChange(merge.change), rows))
  }
}

/// Kept pages in their order, those before and those behind what the list has.
struct RestoredPages<Item> {
  var before: [PageRows<Item>] = []
  var behind: [PageRows<Item>] = []
  /// Whether no more follow.
  var isLast = true
  /// When each page came, of all that there are then.
  var turns: [PageTurn] = []
  /// The row that was in sight: the number of its page among these, and its place there.
  var anchor: (page: Int, row: Int)?
}
