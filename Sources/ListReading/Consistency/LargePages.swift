extension PageStrategy {
  /// The number of rows that a request for a page says; `nil` if it says none.
  var saidSize: Int? {
    func said(_ pages: CountedPages) -> Int? { pages.sizeParameter == nil ? nil : pages.size }
    return switch way {
    case .pageNumber(let paging):
      paging.pages.ends.contains(where: \.isChoice) ? nil : said(paging.pages)
    case .offset(let paging): said(paging.pages)
    case .keyset(let paging): said(paging.pages)
    case .cursor(let paging): said(paging.pages)
    case .range(let paging): paging.size
    case .relay(let paging): paging.size
    case .link, .nextURL, .custom, .single, .automatic: nil
    }
  }
}

/// The size of the pages of a walk that is about rows and not about pages: as large as the server sends them.
struct LargePages: Hashable, Sendable {
  /// The usual size.
  let usual: Int
  /// The size that is requested.
  private(set) var size: Int
  /// Whether a response had as many rows.
  private var isShown = false

  /// How many pages of the usual size a page stands for, at most.
  private static let factor = 5

  init(usual: Int) {
    self.usual = usual
    size = usual.times(Self.factor)
  }

  /// What a page shows about its size.
  enum Verdict {
    /// The next page is the one that its response leads to.
    case goOn
    /// The server sends fewer rows, but more than usual: this was the first page of that size.
    case goOnAfterFirst
    /// The server sends no larger pages.
    case giveUp
  }

  /// Judges a page by the number of its rows.
  ///
  /// - Parameter rows: The number of rows that the list is known to have.
  mutating func judge(_ count: Int, of rows: Int) -> Verdict {
    if isShown || count >= min(size, rows) {
      isShown = true
      return .goOn
    }
    guard count > usual else { return .giveUp }
    (size, isShown) = (count, true)
    return .goOnAfterFirst
  }
}

extension PageFacts.Link {
  /// The link to the next page in a size of its own, after a page of that size.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - count: The number of its rows.
  ///   - size: The size of both pages.
  ///   - isEndCertain: Whether the page is the last one if it says so.
  func sized(_ size: Int, after key: PageKey, rows count: Int, isEndCertain: Bool) -> Self {
    var next: PageKey
    switch self {
    case .page(let key): next = key
    case .end where !isEndCertain && (key.place.offset != nil || key.place.number != nil):
      next = key
    case .end, .stopped: return self
    }
    // Pages of a size of their own have numbers of their own.
    if let number = key.place.number { next.place = .number(number.plus(1)) }
    if let offset = key.place.offset { next.place = .offset(offset.plus(count)) }
    next.size = size
    if next.place.number != nil { next.full = FullSize(rows: size, grounds: .confirmed) }
    return .page(next)
  }
}

extension PageKey.Place {
  fileprivate var number: Int? { if case .number(let number) = self { number } else { nil } }
}
