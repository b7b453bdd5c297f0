/// Going back to pages that were read before.
extension WalkBrain {
  /// Whether rows that come again can be told apart.
  var canGoBack: Bool {
    rows.idPath != nil && !rows.knowsNone && confirmation?.isRunning != true
  }

  /// Returns a walk that begins at a checkpoint of this one, or at the start, and knows the rows so far.
  func restarted(at checkpoint: PageWalk.Checkpoint?) -> WalkBrain {
    var brain = WalkBrain(paging, rows.restarted(), checking: level, from: checkpoint)
    if checkpoint != nil { brain.traits = traits }
    brain.maximumEmptyPages = maximumEmptyPages
    return brain
  }
}
