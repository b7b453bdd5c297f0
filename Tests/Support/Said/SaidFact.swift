/// What a server may say of its list beside the rows.
package enum SaidFact: Hashable, Sendable {
  /// What a flag or link goes by: the list, the place where the server stops, or whether the page is full.
  package enum Basis: String, Hashable, Sendable, CaseIterable { case list, cap, fullPage }

  /// A number of rows.
  package enum Amount: String, Hashable, Sendable, CaseIterable { case all, low, high, cap, page }

  /// How a server says that a number is only a lower bound or an estimate.
  package enum Bound: String, Hashable, Sendable, CaseIterable {
    case relation, plus, estimate, approximate, fraction
  }

  case flag(SaidFlag, Basis)
  case total(name: String, Amount)
  case bound(Bound, Amount)
  /// A total of something else, beside the list or in each row.
  case otherTotal, totalInRows
  case pageCount(Basis)
  /// `rel="last"` in a `Link` header.
  case lastLink(Basis)
  /// The total of `Content-Range`.
  case contentRange(Amount)
  /// A link to the next page, where pages are requested in another way.
  case next(Basis)
}

/// A flag, and which of its values says that there is more.
package enum SaidFlag: String, Hashable, Sendable, CaseIterable {
  case hasMore = "has_more"
  case hasNextPage
  case isLast = "is_last"
  case last
  case noMore
  case noMoreItems = "no_more_items"
  case hasNoMore
  case withoutMore
  case isNotLast
  case end

  package var isOfMore: Bool {
    switch self {
    case .hasMore, .hasNextPage, .isNotLast: true
    case .isLast, .last, .noMore, .noMoreItems, .hasNoMore, .withoutMore, .end: false
    }
  }
}

extension SaidFact {
  /// The fact without its value, to group what fails.
  package var kind: String {
    switch self {
    case .flag(let flag, let basis): "\(flag.rawValue) by \(basis)"
    case .total(let name, let amount): "\(name.hasPrefix("X-") ? "header " : "")total \(amount)"
    case .bound(let bound, let amount): "bound \(bound) \(amount)"
    case .otherTotal: "total of comments"
    case .totalInRows: "total in rows"
    case .pageCount(let basis): "page count by \(basis)"
    case .lastLink(let basis): "last link by \(basis)"
    case .contentRange(let amount): "Content-Range \(amount)"
    case .next(let basis): "next link by \(basis)"
    }
  }
}

extension SaidFact: CustomStringConvertible {
  package var description: String {
    if case .total(let name, let amount) = self { return "\(name) \(amount)" }
    return kind
  }
}

/// What one response said, in numbers that don't depend on names.
package enum Said: Hashable, Sendable {
  /// Whether there is more after the response.
  case more(Bool)
  /// The total number of rows, or a bound of it.
  case total(Int), bound(Int)
  /// The number of pages, of so many rows.
  case pages(Int, of: Int)
}

/// A response of a server, and what it said.
package struct SaidResponse: Sendable {
  package var request = ""
  package var status = 200
  /// The number of rows before the page that was requested, and the most rows that it could have.
  package var start = 0
  package var limit = 0
  /// Whether the request had a number of rows.
  package var isSizeAsked = false
  /// The positions of its rows.
  package var rows: [Int] = []
  /// The position after the page; that of the request if it has no rows.
  package var reach = 0
  /// What it said, by the name of the kind.
  package var said: [String: Said] = [:]
  package var headers: [(name: String, value: String)] = []
  package var body = ""
}

extension SaidResponse: CustomStringConvertible {
  package var description: String {
    let ends = rows.isEmpty ? "no rows" : "\(rows[0])...\(rows[rows.count - 1]) (\(rows.count))"
    let said = said.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(request) → \(status == 200 ? "" : "\(status) ")\(ends) "
      + said.joined(separator: ", ")
  }
}
