internal import ServerAPI

/// Reads the pages of a list in order, and judges what can be said of its rows: which page is requested next, how a page
/// joins the rows before it, and how the list ends.
///
/// A plain value that knows no items, so that a walk and a list drive the same one. Its owner requests the page that
/// ``start(_:)`` returns, and passes what it receives to ``receive(_:_:)`` until that says which pages join the rows. It
/// inserts them, and reports with ``join(_:_:)`` which rows were new. After a failure it starts again.
package struct Reading: Hashable, Sendable {
  /// What follows from a page.
  package enum Step: Hashable {
    /// Its rows have to be compared with those before: pass it again, with the result.
    case compare
    /// Another page is requested first.
    case request(PageKey)
    case join(Joining)
  }

  /// How the pages of a turn join the rows before them.
  package struct Joining: Hashable {
    package var page: ReadPage
    /// The numbers of the pages that join before it, in order: they were read again for rows that moved there.
    package var found: [Int] = []
    /// What was found out about the seam before them; `nil` if it follows from the rows.
    package var outcome: Seam?
    /// Why rows are missing at that seam, if they are.
    var loss: Loss?
    /// The overlap that the page is.
    package var overlap: PageOverlap?
    /// Whether the page takes the place of one that was read before.
    package var isAgain = false
    /// The number of pages that were read again for rows that had moved, found or not.
    var searchedPages = 0

    package init(
      page: ReadPage, found: [Int] = [], outcome: Seam? = nil, loss: Loss? = nil,
      overlap: PageOverlap? = nil, isAgain: Bool = false, searchedPages: Int = 0
    ) {
      (self.page, self.found, self.isAgain) = (page, found, isAgain)
      self.searchedPages = searchedPages
      (self.outcome, self.loss, self.overlap) = (outcome, loss, overlap)
    }
  }

  /// Why rows are missing at a seam.
  package enum Loss: Hashable {
    /// The server reports fewer rows, which were not found.
    case fall(ReportedNumbers.Fall)
    /// Neither the page nor any further back has a row of those before.
    case open
  }

  /// Why the request is not simply for the next page.
  package enum Look: Hashable {
    /// Rows of both sides show the seam before the page.
    case overlap(PageOverlap)
    /// The page is compared with the rows of a doubtful overlap.
    case verify(PageOverlap, [RowDigest])
    /// The page is read without an overlap, although rows have moved that no overlap found.
    case apart
    /// Pages before it are read again until one starts with a known row.
    case moved(MovedRows)
  }

  /// The way to the rows of the next page.
  package enum Turn: Hashable {
    case page(PageKey)
    case look(Look, for: PageKey)

    /// The page that it is for.
    var key: PageKey {
      switch self {
      case .page(let key), .look(_, for: let key): key
      }
    }
  }

  /// How many extra requests may be sent to find missing rows.
  package let level: Consistency.Level
  /// The first page of the list.
  let first: PageKey
  /// Whether rows are looked for that may have moved. A second reading of the list finds them anyway.
  let looksForRows: Bool
  /// What the list continues with.
  package var link: PageFacts.Link
  /// The running turn; `nil` before the first one, and if the page is requested in another way.
  var turn: Turn?
  /// How the next page is requested, as far as it is known.
  var paging: Paging?
  var overlaps = OverlapPlan()
  /// What can be claimed of the rows.
  package var record = ConsistencyRecord()
  /// What the server says about the number of rows.
  package var account: RowAccount
  /// Whether rows that come again can be told from others.
  var knowsRows = true
  /// The number of pages whose rows are not known, in front of those that were read; `nil` if the first page was read.
  package var pagesUnread: Int?
  /// How many pages in a row may have no new row.
  var maximumEmptyPages = Int.max
  /// The number of pages in a row without a new row.
  var emptyPages = 0
  package var loops = LoopDetector()
  /// The pages that were read last, the latest last.
  private(set) var latest: [PageKey] = []
  /// How the program's edits have moved the page after the one of the running turn.
  var shift = Shift.rows(0)

  /// How the next page was moved while the page before it was requested.
  enum Shift: Hashable {
    /// By a number of rows.
    case rows(Int)
    /// To this page.
    case page(PageKey)
  }

  package init(
    _ level: Consistency.Level, first: PageKey, at link: PageFacts.Link,
    _ account: RowAccount = RowAccount(), looksForRows: Bool = true
  ) {
    (self.level, self.first, self.link, self.account) = (level, first, link, account)
    self.looksForRows = looksForRows && level >= .signs
  }

  /// Starts the turn of a page, and returns what is requested: the page itself, or an overlap.
  package mutating func start(_ key: PageKey) -> PageKey {
    shift = .rows(0)
    guard let overlap = overlap(before: key) else {
      turn = .page(key)
      return key
    }
    turn = .look(.overlap(overlap), for: key)
    return overlap.key
  }

  /// Moves the page after the one of the running turn.
  package mutating func shiftNext(by rows: Int) {
    switch shift {
    case .rows(let before): shift = .rows(before + rows)
    case .page(let key): shift = .page(key.moved(by: rows) ?? key)
    }
  }

  /// Whether a page is requested that shows something else than the next rows, so that the pages after it are not worth
  /// requesting now.
  package var isLookingBack: Bool {
    switch turn {
    case nil, .page, .look(.apart, _): false
    case .look(.overlap(let overlap), _): !overlap.isFirst
    case .look(.verify, _), .look(.moved, _): true
    }
  }

  /// Whether something else than the next page alone is requested.
  package var isLooking: Bool { if case .look = turn { true } else { false } }

  /// Whether pages before the next one are read again. Until that ends, the owner keeps the pages of the turn.
  package var isSearching: Bool { if case .look(.moved, _) = turn { true } else { false } }

  /// Records the page that was read last.
  package mutating func remember(_ key: PageKey) {
    if latest.count > MovedRows.mostPages { latest.removeFirst() }
    latest.append(key)
  }
}

// MARK: - The end

extension Reading {
  /// How the list ended; `nil` while there is a page to request.
  ///
  /// - Parameters:
  ///   - account: What the server says about the number of rows, if that is more than the reading knows.
  ///   - isWhole: Whether both ends of the list were reached.
  package func end(_ account: RowAccount? = nil, isWhole: Bool = true) -> ListEnd? {
    switch link {
    case .page: nil
    case .stopped(let error): .incomplete(error)
    case .end:
      (account ?? self.account).shortage(isWhole: isWhole).map { .incomplete($0) } ?? .complete
    }
  }

  /// What can be claimed of the rows where the list ends like this.
  package func consistency(at end: ListEnd?, _ account: RowAccount? = nil) -> Consistency {
    let account = account ?? self.account
    return record.consistency(
      at: end, unreadable: account.rows.unreadable, isCounted: account.meetsTotal,
      isAtBound: account.isAtBound)
  }
}
