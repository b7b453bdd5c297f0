internal import ItemMapping
internal import ServerAPI

// MARK: - Resuming

extension WalkBrain {
  mutating func recognize(_ first: LoadedPage<JSONView>) -> Step {
    traits.home = first.home
    guard let key = resumed?.key else {
      link = first.page.facts.next
      guard case .page(let key) = link else { return .end }
      return proceed(to: key)
    }
    traits.recognized = first.recognized
    if first.recognized == nil, case .page(let trial) = first.page.facts.next,
      case .trial = trial.place
    {
      purpose = .recognizingByTrial(next: key)
      return .request(trial)
    }
    return confirmation == nil ? proceed(to: key) : confirm()
  }

  /// Requests the next page, or a window of it.
  mutating func proceed(to key: PageKey) -> Step {
    link = .page(key)
    guard let window = window(before: key) else {
      purpose = .delivering
      return .request(key)
    }
    purpose = .seeing(window)
    return .request(window.key)
  }
}

extension WalkBrain {
  /// Returns the position of the walk at a page.
  func checkpoint(at key: PageKey) -> PageWalk.Checkpoint {
    var checkpoint = position
    checkpoint.key = key
    if case .trial = key.place { checkpoint.key = nil }
    (checkpoint.itemsPath, checkpoint.home, checkpoint.idPath) = (
      traits.itemsPath, traits.home, rows.idPath
    )
    checkpoint.isRecognized = pages > 0 && paging == .automatic
    checkpoint.recognized = traits.recognized
    checkpoint.rowsToSkip = 0
    checkpoint.isConfirming = false
    return checkpoint
  }
}

extension WalkBrain {
  /// Delivers a page that another paging than the recognized one led to, as that was refuted.
  mutating func turn(to page: LoadedPage<JSONView>) -> Step {
    traits.recognized = page.recognized
    link = .page(page.rows.key)
    return deliver(page, moved: .no)
  }
}

/// Going back to pages that were read before.
extension WalkBrain {
  /// Whether rows that come again can be told apart.
  var canGoBack: Bool {
    rows.idPath != nil && !rows.knowsNone && !position.record.lacksIDs
      && confirmation?.isRunning != true
  }

  /// Returns a walk that begins at a checkpoint of this one, or at the start, and knows the rows so far.
  func restarted(at checkpoint: PageWalk.Checkpoint?) -> WalkBrain {
    var brain = WalkBrain(paging, rows.restarted(), checking: level, from: checkpoint)
    if checkpoint != nil { brain.traits = traits }
    brain.maximumEmptyPages = maximumEmptyPages
    return brain
  }
}
