internal import ItemMapping
internal import ServerAPI

/// All that a walk decides: which page it needs, what of it is new, and whether rows may be missing.
///
/// A plain value. Each step says what the walk needs: give the page that it requests to ``take(_:)``. Where
/// a request fails, call ``next()`` again; nothing has changed, and the same page is requested.
struct WalkBrain {
  enum Step {
    case request(PageKey)
    case deliver(PageWalk.Page)
    case end
  }

  /// What the page that is requested is for.
  private enum Purpose {
    /// The first page shows how the server pages, which a checkpoint doesn't say.
    case recognizing
    /// The second page shows it, where nothing in the first one did.
    case recognisingByTrial(next: PageKey)
    case delivering
    /// Pages before this one are read until one meets a row that is known.
    case joining(Seam)
  }

  /// A page before which rows have moved.
  private struct Seam {
    let page: LoadedPage<JSONView>
    let total: (before: Int, now: Int)
    /// The new rows of the pages before.
    var missed: [JSONView] = []
    var pagesLeft = 5
  }

  private let paging: Paging
  private var purpose = Purpose.delivering
  private(set) var link: PageFacts.Link
  private(set) var rows: WalkedRows
  /// The mark that the walk began with, until a page has come.
  private var resumed: PageWalk.Checkpoint?
  /// Where the walk stands, but for the link.
  private var standing: PageWalk.Checkpoint
  private(set) var traits: ServerTraits
  private(set) var seams = 0

  init(_ paging: Paging, _ rows: WalkedRows, from checkpoint: PageWalk.Checkpoint?) {
    self.paging = paging
    self.rows = rows
    resumed = checkpoint
    standing = checkpoint ?? PageWalk.Checkpoint(key: paging.strategy.first)
    link = .page(checkpoint?.key ?? paging.strategy.first)
    traits = ServerTraits(itemsPath: standing.itemsPath, home: standing.home)
    // What the first page has shown of ids holds, also where that is that there are none.
    if standing.pages > 0 { self.rows.take(up: standing.idPath) }
  }

  /// How many pages came, those before the mark included.
  var pages: Int { standing.pages }

  /// How many rows the server said that there are.
  var total: Int? { standing.total }

  /// How the list ended; `nil` as long as there is a page to request.
  var end: ListEnd? {
    switch link {
    case .page: nil
    case .stopped(let error): .incomplete(error)
    case .end:
      (standing.loss?.error ?? standing.count.error).map { .incomplete($0) } ?? .complete
    }
  }

  /// Where the walk stands; `nil` where the list has ended.
  var checkpoint: PageWalk.Checkpoint? {
    if let resumed { return resumed }
    guard case .page(let key) = link else { return nil }
    return checkpoint(at: key)
  }

  /// Begins with the next page.
  @inline(never)
  mutating func next() -> Step {
    if resumed?.isRecognized == true, traits.recognized == nil {
      purpose = .recognizing
      return .request(paging.strategy.first)
    }
    guard case .page(let key) = link else { return .end }
    purpose = .delivering
    return .request(key)
  }

  /// A page that was requested has come.
  ///
  /// Kept out of the asynchronous function that calls it, whose frame would have room for all of it.
  @inline(never)
  mutating func take(_ page: LoadedPage<JSONView>) -> Step {
    switch purpose {
    case .recognizing: return recognize(page)
    case .recognisingByTrial(let key):
      traits.recognized = page.recognized
      return goOn(at: key)
    case .delivering:
      guard let seam = seam(before: page) else { return deliver(page, moved: .no) }
      return join(seam, to: page)
    case .joining(let seam): return look(at: page, for: seam)
    }
  }
}

// MARK: - Resuming

extension WalkBrain {
  private mutating func recognize(_ first: LoadedPage<JSONView>) -> Step {
    traits.home = first.home
    guard let key = resumed?.key else {
      link = first.page.facts.next
      guard case .page(let key) = link else { return .end }
      return goOn(at: key)
    }
    traits.recognized = first.recognized
    if first.recognized == nil, case .page(let trial) = first.page.facts.next,
      case .trial = trial.place
    {
      purpose = .recognisingByTrial(next: key)
      return .request(trial)
    }
    return goOn(at: key)
  }

  private mutating func goOn(at key: PageKey) -> Step {
    link = .page(key)
    purpose = .delivering
    return .request(key)
  }
}

// MARK: - Rows that moved

extension WalkBrain {
  /// What is known of the border before a page.
  private enum Moved {
    case no
    /// These rows had moved across it and were found.
    case found([JSONView])
    case lost(PageWalk.Checkpoint.Loss)
  }

  /// Rows have moved up across the border before a page where pages are counted and the server says that
  /// there are fewer rows than before.
  private func seam(before page: LoadedPage<JSONView>) -> Seam? {
    guard pages > 0, page.rows.key.place.isCounted, let before = standing.total,
      let now = page.page.facts.total, now < before
    else { return nil }
    return Seam(page: page, total: (before, now))
  }

  private mutating func join(_ seam: Seam, to page: LoadedPage<JSONView>) -> Step {
    let loss = PageWalk.Checkpoint.Loss(of: .rows, before: seam.total.before, now: seam.total.now)
    guard rows.idPath != nil, seam.pagesLeft > 0 else {
      return deliver(seam.page, moved: .lost(loss))
    }
    guard let before = pageBefore(page) else {
      let isAtStart = page.rows.key.place.border == .assumed
      return deliver(seam.page, moved: isAtStart ? .found(seam.missed) : .lost(loss))
    }
    purpose = .joining(seam)
    return .request(before)
  }

  private mutating func look(at page: LoadedPage<JSONView>, for seam: Seam) -> Step {
    var seam = seam
    seam.pagesLeft -= 1
    seam.missed = page.rows.items.filter(rows.isNew) + seam.missed
    if let first = page.rows.items.first, rows.isKnown(first) {
      return deliver(seam.page, moved: .found(seam.missed))
    }
    return join(seam, to: page)
  }

  /// The page before one: worked out, or where the server's link leads.
  private func pageBefore(_ page: LoadedPage<JSONView>) -> PageKey? {
    let key = page.rows.key
    if let before = traits.paging(for: key, declared: paging).strategy.key(-1, after: key) {
      return before
    }
    if case .page(let before) = page.page.facts.previous, key.place.border == .chained {
      return before
    }
    return nil
  }
}

// MARK: - Delivering

extension WalkBrain {
  private mutating func deliver(_ page: LoadedPage<JSONView>, moved: Moved) -> Step {
    guard case .page(let key) = link else { return .end }
    let facts = page.page.facts
    let isCounted = pages > 0 && page.rows.key.place.isCounted
    var checkpoint = checkpoint(at: key)
    checkpoint.rowsToSkip = resumed?.rowsToSkip ?? 0
    var gathered = page.rows.items
    var isSeam = false
    switch moved {
    case .no:
      // Rows may have gone for a while before that showed in the number of pages.
      if isCounted, facts.total == nil, let before = standing.pageCount, let now = facts.pageCount,
        now < before
      {
        standing.loss =
          standing.loss ?? PageWalk.Checkpoint.Loss(of: .pages, before: before, now: now)
        isSeam = true
      }
    case .found(let missed):
      gathered = missed + gathered
      isSeam = !missed.isEmpty
    case .lost(let loss):
      standing.loss = standing.loss ?? loss
      isSeam = true
    }
    resumed = nil
    traits.learn(from: page)
    let taken = rows.take(gathered, at: page.rows.key, rowsToSkip: checkpoint.rowsToSkip)
    standing.take(facts, rows: page.rows.items.count)
    link = facts.next
    if page.rows.items.isEmpty, let contradiction = facts.contradictionOfEnd {
      link = .stopped(contradiction)
    }
    if taken.isCircle, case .page = link { link = .stopped(.noProgress(page.rows.key)) }
    if isCounted, taken.duplicates > 0, checkpoint.rowsToSkip == 0 { isSeam = true }
    if isSeam { seams += 1 }
    return .deliver(
      PageWalk.Page(
        number: pages - 1, rows: taken.rows, ids: taken.ids, duplicates: taken.duplicates,
        facts: facts, itemsPath: page.itemsPath ?? .root, url: page.page.url, isSeam: isSeam,
        checkpoint: checkpoint))
  }

  private func checkpoint(at key: PageKey) -> PageWalk.Checkpoint {
    var checkpoint = standing
    checkpoint.key = key
    if case .trial = key.place { checkpoint.key = nil }
    (checkpoint.itemsPath, checkpoint.home, checkpoint.idPath) = (
      traits.itemsPath, traits.home, rows.idPath
    )
    checkpoint.isRecognized = pages > 0 && paging == .automatic
    checkpoint.rowsToSkip = 0
    return checkpoint
  }
}

extension PageFacts {
  /// What an empty page has against it that should be the end of the list: the server's own numbers.
  fileprivate var contradictionOfEnd: PagingError? {
    next == .end && (total ?? pageCount) != nil ? problems.first : nil
  }
}
