/// What is shown of a page before its answer comes.
extension PageMachine {
  /// What is stored of a page that is under way can be shown. The load goes on and ends once, with what
  /// comes of asking the server; where that fails or is cancelled, what is shown stays, and so does
  /// where it leads.
  ///
  /// - Parameters:
  ///   - number: The request.
  ///   - facts: What the stored answer says of its place.
  ///   - merge: Takes the page in. Called once, or not at all when nobody waits for it.
  mutating func previewed(
    _ number: Int, _ facts: PageFacts, merge: (PagePlacement) -> PageMerge
  ) -> [PageEffect] {
    guard let (lane, job) = job(number), job.preview == nil else { return [] }
    let placement: PagePlacement =
      switch lane {
      case .main: .anew
      case .side(let side): .at(side)
      case .gap(let page): .gap(page)
      }
    let merge = merge(placement)
    // A page that is not shown has shown nothing of where the list goes on.
    guard let page = merge.page else { return [] }
    switch lane {
    case .main: begin(with: facts)
    case .side(let side): links[side] = side == .next ? facts.next : facts.previous
    case .gap: break
    }
    jobs[lane]?.preview = PagePreview(page: page, added: merge.added)
    return told(merge)
  }

  /// Pages that were kept can be shown.
  ///
  /// - Parameters:
  ///   - number: The restore.
  ///   - facts: What lies beyond them.
  ///   - isLast: Whether these are all. The restore goes on otherwise.
  ///   - merge: Takes them in.
  mutating func restored(
    _ number: Int, _ facts: PageFacts, isLast: Bool, merge: () -> PageMerge
  ) -> [PageEffect] {
    guard let (lane, job) = job(number) else { return [] }
    let merge = merge()
    begin(with: facts)
    guard isLast else { return told(merge) }
    jobs[lane] = nil
    return told(merge) + succeeded(job) + finish(job, .replaced(merge.change)) + wake()
  }

  /// Nothing is kept, or no more than what was shown.
  mutating func nothingKept(_ number: Int) -> [PageEffect] {
    guard let (lane, job) = job(number) else { return [] }
    jobs[lane] = nil
    return [.tell(.didFinish(job.kind))] + finish(job, .notNeeded) + wake()
  }
}
