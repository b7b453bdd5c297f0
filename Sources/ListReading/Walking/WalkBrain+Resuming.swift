internal import ItemMapping
internal import ServerAPI

// MARK: - Resuming

extension WalkBrain {
  /// Receives the first page once more, which shows how the server pages.
  mutating func recognize(_ first: LoadedPage<JSONView>) -> Step {
    guard resumed?.key != nil || rows.knowsNone || rows.idPath == nil else { return beginAgain(with: first) }
    (traits.home, traits.recognized) = (first.home, first.recognized)
    guard let key = resumed?.key else {
      reading.link = first.page.facts.next
      guard case .page(let key) = reading.link else { return .end }
      return proceed(to: key)
    }
    if first.recognized == nil, case .page(let trial) = first.page.facts.next,
      case .trial = trial.place
    {
      purpose = .recognizingByTrial(next: key)
      return .request(trial)
    }
    return confirmation == nil ? proceed(to: key) : confirm()
  }
}

extension WalkBrain {
  /// Starts over where it is not known how to request the page after the first one. The list may have moved since, so the
  /// page that its first page leads to now need not follow the rows that were delivered.
  private mutating func beginAgain(with first: LoadedPage<JSONView>) -> Step {
    var brain = WalkBrain(paging, rows.begunAgain(), checking: reading.level, from: nil)
    brain.reading.maximumEmptyPages = reading.maximumEmptyPages
    brain.validated = validated
    self = brain
    _ = proceed(to: paging.strategy.first)
    return receive(first)
  }

  /// Returns the position of the walk at a page.
  func checkpoint(at key: PageKey) -> PageWalk.Checkpoint {
    var checkpoint = PageWalk.Checkpoint(key: key)
    if case .trial = key.place { checkpoint.key = nil }
    (checkpoint.pages, checkpoint.account, checkpoint.record) = (
      pages, reading.account, reading.record
    )
    (checkpoint.itemsPath, checkpoint.home, checkpoint.idPath) = (
      traits.itemsPath, traits.home, rows.idPath
    )
    checkpoint.isRecognized = pages > 0 && paging == .automatic
    checkpoint.recognized = traits.recognized
    return checkpoint
  }
}

/// Going back to pages that were read before.
extension WalkBrain {
  /// Returns what is requested in place of a page that the server refused; `nil` if the failure has another reason and
  /// the page can be requested again.
  mutating func refused(_ error: LoadError) -> Step? {
    switch purpose {
    case .confirming:
      // Pages may be refused because of their size.
      guard error.refusesOverlap, confirmation?.dropSize() == true else { return nil }
      beginConfirming()
      return confirm()
    case .reading: return reading.refused(error).map { .request($0) }
    case .recognizing, .recognizingByTrial: return nil
    }
  }

  /// Whether rows that come again can be told apart.
  var canGoBack: Bool {
    rows.idPath != nil && !rows.knowsNone && !reading.record.lacksIDs
      && confirmation?.isRunning != true
  }

  /// Returns a walk that begins at a checkpoint of this one, or at the start, and knows the rows so far.
  func restarted(at checkpoint: PageWalk.Checkpoint?) -> WalkBrain {
    var brain = WalkBrain(paging, rows.restarted(), checking: reading.level, from: checkpoint)
    if checkpoint != nil { brain.traits = traits }
    brain.reading.maximumEmptyPages = reading.maximumEmptyPages
    return brain
  }
}
