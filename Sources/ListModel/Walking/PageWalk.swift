public import ItemMapping
public import ServerAPI

/// A server's pages one after the other, for lists that are too long to keep.
///
/// ```swift
/// let walk = PageWalk(server, Call("/events"), paging: .automatic)
/// while let page = try await walk.next() {
///   for row in page.rows { print(row) }
/// }
/// if case .incomplete(let reason) = walk.end { print("there may be more: \(reason)") }
/// ```
///
/// Rows are read in place, as they came. Of those that are gone only the ids are kept, so that a row that
/// comes again is noticed. What was thrown leaves the walk where it is: the next call of ``next()`` asks
/// for the same page again. A ``mark`` lets another walk go on from there, in another process too.
///
/// Where pages are counted and the server says that there are fewer rows than before, rows may have moved
/// up across the border of a page. Then the page before is asked for once more and brings what was
/// missed; where that can't be done, or only fewer pages are told, the list ends as incomplete. So does one
/// that brought fewer rows than the server ever said there are, or that ends on an empty page against the
/// server's own numbers.
public final class PageWalk {
  /// What ``Paging/automatic`` found out; `nil` for other pagings, and as long as nothing is known.
  public private(set) var recognised: RecognisedPaging?
  /// Where in a row its id is; `nil` where rows are not told apart, and before the first page.
  public var idPath: JSONPath? { rows.idPath }
  /// How many borders of pages there were at which rows had moved.
  public private(set) var seams = 0
  /// How many pages came, those before the mark included.
  public private(set) var pages = 0

  private let loader: PageLoader<JSONView>
  private let call: Call
  private let paging: Paging
  private let parallel: Int
  private var link: PageLink
  private var rows: WalkedRows
  private var itemsPath: JSONPath?
  private var home: Origin?
  private var total: Int?
  private var pageCount: Int?
  private var count = WalkMark.Count()
  /// How many rows there were before some went that could not be found again, and after.
  private var loss: WalkMark.Loss?
  private var resumed: WalkMark?
  private var ahead: [PageKey: Task<Result<CamePage, LoadError>, Never>] = [:]

  /// A walk over a list.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - call: What every page is asked with: address, parameters, method, fields, body.
  ///   - items: Where in an answer the rows are; without it they are looked for.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - identity: How rows are told apart.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home, see
  ///     ``ListSettings/allowsOtherOrigins``.
  ///   - parallel: How many pages may be under way at once, where their places can be worked out and the
  ///     server says how many rows there are.
  ///   - mark: Where an earlier walk with the same arguments stood; without it the list begins.
  ///   - ids: Those of the rows that earlier walks brought.
  public init(
    _ server: Server, _ call: Call, items: JSONPath? = nil, paging: Paging = .automatic,
    identity: WalkIdentity = .recognised, allowsOtherOrigins: Bool = false, parallel: Int = 1,
    from mark: WalkMark? = nil,
    knowing ids: some Sequence<RowID> = []
  ) {
    precondition(parallel > 0, "at least one page is loaded at a time, not \(parallel)")
    loader = PageLoader(
      server: server, reader: .items(at: items), identity: .none, filter: nil,
      envelope: ListItem<JSONView>.self, keeps: false, allowsOtherOrigins: allowsOtherOrigins)
    self.call = call
    self.paging = paging
    self.parallel = parallel
    link = .page(paging.strategy.first)
    rows = WalkedRows(identity, known: Set(ids))
    guard let mark else { return }
    resumed = mark
    // What the first page has shown of ids holds, also where that is that there are none.
    if mark.pages > 0 { rows.take(up: mark.idPath) }
    (itemsPath, total, pages, loss) = (mark.itemsPath, mark.total, mark.pages, mark.loss)
    (count, pageCount, home) = (mark.count, mark.pageCount, mark.home)
    if let key = mark.key { link = .page(key) }
  }

  deinit { for page in ahead.values { page.cancel() } }

  /// How the list ended; `nil` as long as there is a page to ask for.
  public var end: ListEnd? {
    switch link {
    case .page: nil
    case .stopped(let error): .incomplete(error)
    case .end: (loss?.error ?? count.error).map { .incomplete($0) } ?? .complete
    }
  }

  /// Where the walk stands; `nil` where the list has ended.
  public var mark: WalkMark? {
    if let resumed { return resumed }
    guard case .page(let key) = link else { return nil }
    return mark(at: key)
  }

  /// The next page; `nil` where the list has ended, see ``end``.
  public func next() async throws(LoadError) -> WalkedPage? {
    let skipping = resumed?.skipping ?? 0
    if let resumed { try await pickUp(resumed) }
    guard case .page(let key) = link else { return nil }
    var mark = mark(at: key)
    mark.skipping = skipping
    let came = try await page(at: key)
    var gathered = came.rows
    var isSeam = false
    var loss: WalkMark.Loss?
    let isCounted = came.key.place.isCounted
    if pages > 0, isCounted, let before = total, let now = came.facts.total, now < before {
      let missed = try await rowsBefore(came)
      if let missed {
        gathered = missed + gathered
        isSeam = !missed.isEmpty
      } else {
        (loss, isSeam) = (WalkMark.Loss(of: .rows, before: before, now: now), true)
      }
    } else if pages > 0, isCounted, came.facts.total == nil, let before = pageCount,
      let now = came.facts.pageCount, now < before
    {
      // Rows may have gone for a while before that showed in the number of pages.
      (loss, isSeam) = (WalkMark.Loss(of: .pages, before: before, now: now), true)
    }
    // Nothing is changed before here, so that what was thrown leaves everything as it was.
    resumed = nil
    self.loss = self.loss ?? loss
    recognised = came.recognised ?? recognised
    itemsPath = came.itemsPath ?? itemsPath
    home = came.home ?? home
    total = came.facts.total ?? total
    pageCount = came.facts.pageCount ?? pageCount
    count.take(came)
    let taken = rows.take(gathered, of: came, skipping: skipping)
    link = came.facts.next
    if let contradiction = came.contradiction { link = .stopped(contradiction) }
    if taken.isCircle, case .page = link { link = .stopped(.noProgress(came.key)) }
    if pages > 0, isCounted, taken.duplicates > 0, skipping == 0 {
      isSeam = true
    }
    if isSeam { seams += 1 }
    pages += 1
    forgetPagesElsewhere()
    return WalkedPage(
      number: pages - 1, rows: taken.rows, ids: taken.ids, duplicates: taken.duplicates,
      facts: came.facts, itemsPath: came.itemsPath ?? .root, url: came.url, isSeam: isSeam,
      mark: mark)
  }

  private func mark(at key: PageKey) -> WalkMark {
    var mark = WalkMark(key: key, itemsPath: itemsPath, idPath: rows.idPath)
    (mark.total, mark.pageCount, mark.pages) = (total, pageCount, pages)
    (mark.loss, mark.count, mark.home) = (loss, count, home)
    mark.isRecognised = paging.strategy is AutomaticPaging && pages > 0
    return mark
  }
}

// MARK: - Asking

extension PageWalk {
  /// Finds out again what was recognised, which takes the first page.
  private func pickUp(_ mark: WalkMark) async throws(LoadError) {
    guard mark.isRecognised, recognised == nil else { return }
    let first = try await loader.came(wish(for: paging.strategy.first))
    home = first.home
    guard let key = mark.key else {
      link = first.facts.next
      return
    }
    var found = first.recognised
    if found == nil, case .page(let key) = first.facts.next, case .trial = key.place {
      found = try await loader.came(wish(for: key)).recognised
    }
    recognised = found
    link = .page(key)
  }

  /// The new rows of the page before, where it reaches back to a row that is known; `nil` where they
  /// can't be had.
  private func rowsBefore(_ page: CamePage) async throws(LoadError) -> [JSONView]? {
    guard rows.idPath != nil else { return nil }
    var (page, missed) = (page, [JSONView]())
    for _ in 0..<5 {
      guard let before = pageBefore(page) else {
        return page.key.place.border == .assumed ? missed : nil
      }
      page = try await loader.came(wish(for: before))
      missed = page.rows.filter(rows.isNew) + missed
      if let first = page.rows.first, rows.isKnown(first) { return missed }
    }
    return nil
  }

  /// The page before one: worked out, or where the server's link leads.
  private func pageBefore(_ page: CamePage) -> PageKey? {
    if let key = paging(for: page.key).strategy.key(-1, after: page.key) { return key }
    if case .page(let key) = page.facts.previous, page.key.place.border == .chained { return key }
    return nil
  }

  private func page(at key: PageKey) async throws(LoadError) -> CamePage {
    let early = ahead.removeValue(forKey: key)
    lookAhead(of: key)
    guard let early else { return try await loader.came(wish(for: key)) }
    let result = await withTaskCancellationHandler {
      await early.value
    } onCancel: {
      early.cancel()
    }
    return try result.get()
  }

  private func lookAhead(of key: PageKey) {
    guard parallel > 1, let total,
      let left = paging(for: key).strategy.pages(behind: key, of: total), left > 0
    else { return }
    for step in 1...min(left, parallel - 1) {
      guard let key = paging(for: key).strategy.key(step, after: key) else { return }
      guard ahead[key] == nil else { continue }
      ahead[key] = Task { [loader, wish = wish(for: key)] in
        do throws(LoadError) {
          return .success(try await loader.came(wish))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Gives up pages that were asked for ahead where the list does not lead there.
  private func forgetPagesElsewhere() {
    if case .page(let key) = link, ahead[key] != nil { return }
    for page in ahead.values { page.cancel() }
    ahead = [:]
  }

  private func wish(for key: PageKey) -> PageLoader<JSONView>.Wish {
    var wish = PageLoader<JSONView>.Wish(
      key: key, call: call, paging: paging(for: key), itemsPath: itemsPath)
    wish.home = key == paging.strategy.first ? nil : home
    return wish
  }

  /// What a page is asked by: as declared, or behind the first page as recognised.
  private func paging(for key: PageKey) -> Paging {
    switch key.place {
    case .start, .trial: paging
    default: recognised?.paging ?? paging
    }
  }
}
