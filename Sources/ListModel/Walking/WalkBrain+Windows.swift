internal import ItemMapping
internal import ServerAPI

// MARK: - Windows

extension WalkBrain {
  /// Returns the window before a page that shows the seam between it and the rows so far; `nil` where none can.
  func window(before key: PageKey) -> PageWindow? {
    guard level >= .seams, pages > 0, !overlap.isGivenUp, rows.idPath != nil, !rows.knowsNone,
      resumed?.rowsToSkip ?? 0 == 0
    else { return nil }
    let strategy = traits.paging(for: key, declared: paging).strategy
    // No other row has the id of the last one, so that none is skipped.
    if strategy.isKeyset, position.record.leadsToID { return nil }
    guard
      var window = window(
        strategy, before: key, rows: overlap.rows,
        // Whether a larger size is honored shows a full window. A short list has none.
        isWide: overlap.isWide && (pages > 1 || total != nil || strategy.endSign == .told),
        isFirst: true)
    else { return nil }
    // A link whose number is not that of the rows so far counts something else.
    if pages == 1, case .url = key.place, let size = pageSize, let position = window.position,
      position != size, position != size + 1
    {
      return nil
    }
    if let size = pageSize(at: key), window.key.size == size + window.rows, overlap.isWideHonored {
      window.key.fullSize = window.key.size
    }
    window.key.isWindow = true
    return window
  }

  /// Returns a window by the way of paging. Pages with numbers have windows only for a list that should be whole, since
  /// these take more requests.
  private func window(
    _ strategy: any PageStrategy, before key: PageKey, rows: Int, isWide: Bool, isFirst: Bool
  ) -> PageWindow? {
    guard case .pageNumber(let paging) = strategy.way else {
      return strategy.window(before: key, rows: rows, isWide: isWide)
    }
    guard level == .whole else { return nil }
    return paging.window(before: key, rows: rows, reachesPage: isFirst)
  }

  /// The number of rows of a page, as far as it is known.
  private func pageSize(at key: PageKey) -> Int? {
    switch traits.paging(for: key, declared: paging).way {
    case .offset(let paging): key.fullSize ?? paging.limit
    case .range(let paging): key.fullSize ?? paging.size
    case .relay(let paging): pageSize ?? paging.size
    case .pageNumber(let paging): paging.pages.size ?? key.fullSize ?? pageSize
    default: key.fullSize ?? pageSize
    }
  }

  /// Receives a window.
  mutating func see(_ page: LoadedPage<JSONView>, _ window: PageWindow) -> Step {
    guard case .page(let key) = link else { return .end }
    let size = pageSize(at: key)
    let items = page.rows.items
    let hasNext = page.page.facts.next != .end
    let meeting = rows.meeting(of: items)
    let isAtStart = [.offset(0), paging.strategy.first.place].contains(page.rows.key.place)
    switch overlap.judge(
      window, count: items.count, meeting, size: size, hasNext: hasNext,
      isEndTold: page.page.facts.total != nil || page.page.facts.pageCount != nil
        || traits.paging(for: key, declared: paging).strategy.endSign == .told)
    {
    case .joined:
      // Some rules need the page itself to tell that it has no rows.
      if case .page(let next) = page.page.facts.next, next.place == key.place,
        !window.hasOwnSize || next.size == key.size, meeting.known == items.count
      {
        guard !window.isFirst, let first = self.window(before: key) else {
          purpose = .delivering
          return .request(key)
        }
        purpose = .seeing(first)
        return .request(first.key)
      }
    case .short, .ignored: return proceed(to: key)
    case .doubtful:
      purpose = .verifying(window, items.compactMap(rows.id(of:)))
      return .request(key)
    case .apart where !isAtStart && !window.isChained:
      guard
        let back = overlap.stepBack(from: window, size: size ?? 1, pages: pages),
        let further = self.window(before: key, rows: back, size: size, furtherThan: window)
      else {
        purpose = .deliveringApart
        return .request(key)
      }
      purpose = .seeing(further)
      return .request(further.key)
    case .apart: break
    }
    overlap.goOn(from: window, size: size ?? 1, isJoined: meeting.known > 0)
    return deliver(page, moved: .joined(window))
  }

  /// Returns a window further back than one that has no known row; `nil` if there is none.
  private func window(
    before key: PageKey, rows back: Int, size: Int?, furtherThan window: PageWindow
  ) -> PageWindow? {
    let strategy = traits.paging(for: key, declared: paging).strategy
    guard
      var further = self.window(
        strategy, before: key, rows: back, isWide: false, isFirst: false)
    else { return nil }
    if further.rows <= window.rows {
      // No earlier cursor is known, but the first page needs none.
      let all = position.account.rows.count
      guard strategy.startsWithFirstCursor, all > window.rows,
        overlap.allowsRereading(all / max(1, size ?? 1), of: pages)
      else { return nil }
      further = PageWindow(key: strategy.first, rows: all)
    }
    further.isFirst = false
    further.key.isWindow = true
    return further
  }

  /// Receives the page of a doubtful window.
  mutating func verify(
    _ page: LoadedPage<JSONView>, _ window: PageWindow, _ ids: [RowID]
  ) -> Step {
    let first = page.rows.items.first.flatMap(rows.id(of:))
    // Where the page has no rows, the list ends where the page begins.
    let position = first == nil ? ids.count : first.flatMap { ids.firstIndex(of: $0) }
    overlap.verify(window, position: position)
    return deliver(page, moved: .no)
  }

  /// Returns what is requested in place of a window that the server refused; `nil` if the failure has another reason
  /// and the window can be requested again.
  mutating func refused(_ error: LoadError) -> Step? {
    guard error.refusesWindow else { return nil }
    if case .confirming = purpose, confirmation?.dropSize() == true {
      beginConfirming()
      return confirm()
    }
    guard case .seeing(let window) = purpose, case .page(let key) = link else { return nil }
    overlap.refuse()
    if window.isFirst, let narrow = self.window(before: key), narrow.key != window.key {
      purpose = .seeing(narrow)
      return .request(narrow.key)
    }
    purpose = window.isFirst ? .delivering : .deliveringApart
    return .request(key)
  }
}

extension LoadError {
  /// Whether a server that fails like this might have another response for a page without a window.
  fileprivate var refusesWindow: Bool {
    switch self {
    case .request(let error):
      if case .status(let status) = error.kind {
        (400..<600).contains(status) && ![401, 403, 407, 408, 429, 502, 503, 504].contains(status)
      } else {
        false
      }
    default: !isCancelled
    }
  }
}
