/// A list that doesn't change, how its server pages, where the server stops, and what it says.
///
/// Its rows are at the positions from 0 on. A server stops before the end of the list if ``cap`` is below ``rows``.
package struct SaidServer: Hashable, Sendable {
  /// How pages are requested.
  package enum Way: String, Hashable, Sendable, CaseIterable {
    /// `?page=2`, from 1 or from 0.
    case pages, pagesFromZero
    /// `?page=2&per_page=30`, honored or ignored.
    case pagesOfAnySize, pagesOfOwnSize
    /// `?page=2`, with the number of the next page in a header.
    case pageHeaders
    /// `?offset=20&limit=10`: any limit, at most a page, or rounded down to a page.
    case offsets, offsetsOfCappedSize, offsetsRounded
    /// `Range: items=20-29`.
    case ranges
    /// A `Link` header with the number of the next page.
    case links
    /// An address in the body, with the number or the offset of the next page.
    case nextURL, nextURLOfOffset
    /// A cursor that is opaque, or a number of rows.
    case cursors, countingCursors
    /// `?after=` the key of the last row, which is unique or that of two rows.
    case keys, keysWithTies
    /// A connection of GraphQL.
    case relay
    /// One response.
    case single
  }

  /// How the server responds to a page at or after the cap.
  package enum Stop: Hashable, Sendable {
    /// A page without rows, with everything that other pages say, or with nothing.
    case empty, bare
    /// The last page, or the first one.
    case repeated, firstAgain
    /// An error, if the page begins at the cap or already if it would end after it.
    case status(Int, ifEndsAfter: Bool)
    /// The page before has nothing that leads to it.
    case noNext
    /// Rows are filtered out after the page was cut.
    case filtered
  }

  /// Where a saying stands.
  package enum Place: String, Hashable, Sendable, CaseIterable {
    case everyPage, firstPage, lastPage, pagesWithRows, emptyPages
  }

  /// Something that the server says on some pages.
  package struct Saying: Hashable, Sendable {
    package var fact: SaidFact
    package var place: Place

    package init(_ fact: SaidFact, on place: Place = .everyPage) {
      (self.fact, self.place) = (fact, place)
    }
  }

  package var way: Way
  package var rows: Int
  package var cap: Int
  /// The number of rows of a page, or the most of them.
  package var size: Int
  package var stop: Stop
  package var sayings: [Saying]
  /// Whether the member or header for the next page is missing where there is none, instead of empty.
  package var omitsNext = false

  package init(
    _ way: Way, rows: Int, cap: Int, size: Int, stop: Stop, sayings: [Saying] = [],
    omitsNext: Bool = false
  ) {
    (self.way, self.rows, self.cap, self.size) = (way, rows, cap, size)
    (self.stop, self.sayings, self.omitsNext) = (stop, sayings, omitsNext)
  }

  /// The positions of the rows that the list has.
  package var positions: [Int] { visible(0..<rows) }

  /// The number of rows of the list.
  package var count: Int { stop == .filtered ? positions.count : rows }

  func visible(_ positions: Range<Int>) -> [Int] {
    guard stop == .filtered else { return Array(positions) }
    return positions.filter { $0 < cap || $0 % 3 != 1 }
  }

  /// Returns the id of the row at a position. The ids are in no order, and unique below position 1,283, a prime.
  package static func id(_ position: Int) -> Int { position * 389 % 1_283 + 1 }
}

extension SaidServer.Way {
  /// Whether each page leads to the next one.
  package var isChained: Bool {
    switch self {
    case .pageHeaders, .links, .nextURL, .nextURLOfOffset, .cursors, .countingCursors, .relay: true
    case .pages, .pagesFromZero, .pagesOfAnySize, .pagesOfOwnSize, .offsets, .offsetsOfCappedSize,
      .offsetsRounded, .ranges, .keys, .keysWithTies, .single:
      false
    }
  }

  /// Whether a parameter of the request is the number of a page.
  var isNumbered: Bool {
    switch self {
    case .pages, .pagesFromZero, .pagesOfAnySize, .pagesOfOwnSize, .pageHeaders, .links, .nextURL:
      true
    default: false
    }
  }

  /// Whether a declaration sends the number of rows of a page.
  var sendsSize: Bool {
    switch self {
    case .pagesOfAnySize, .pagesOfOwnSize, .offsets, .offsetsOfCappedSize, .offsetsRounded, .ranges,
      .keys, .keysWithTies, .relay:
      true
    case .pages, .pagesFromZero, .pageHeaders, .links, .nextURL, .nextURLOfOffset, .cursors,
      .countingCursors, .single:
      false
    }
  }

  /// The number of the first page.
  package var firstPage: Int { self == .pagesFromZero ? 0 : 1 }
}

extension SaidServer: CustomStringConvertible {
  package var description: String {
    let end = cap < rows ? "\(rows) rows, stops at \(cap)" : "\(rows) rows"
    let said = sayings.map { "\($0.fact) on \($0.place)" }.joined(separator: ", ")
    return "\(way), \(end), size \(size), then \(stop)\(omitsNext ? ", omits next" : "")"
      + (said.isEmpty ? "" : ", says \(said)")
  }
}
