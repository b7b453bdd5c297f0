#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a record claims.
extension ConsistencyRecord {
  /// Whether the rows can be told apart, and the end of the list is the server's.
  var canCount: Bool { pages > 0 && !lacksIDs && endSign != .chosen }

  /// Whether every page is joined to those before it.
  var isJoined: Bool {
    pages > 0 && broken.subtracting([.version]).isEmpty && !lacksIDs
      && count(.assumed) + count(.open) + unprovenMends == 0
  }

  /// Returns what can be claimed.
  ///
  /// - Parameters:
  ///   - end: How the list ended; `nil` while there is more to read.
  ///   - unreadable: The number of rows that could not be read.
  ///   - isCounted: Whether the server's total number of rows is reached, however the list ended.
  ///   - isAtBound: Whether the rows are as many as a lower bound.
  package func consistency(
    at end: ListEnd?, unreadable: Int = 0, isCounted: Bool = false, isAtBound: Bool = false
  ) -> Consistency {
    var endSign = isCounted && self.endSign != .chosen ? .counted : self.endSign
    if isAtBound, endSign == .short { endSign = .silent }
    let isEnded = end != nil && endSign != .chosen
    let counts = Dictionary(
      uniqueKeysWithValues: Seam.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 })
    let moments = pages == 0 ? nil : date(oldest)...date(newest)
    func claim(_ claim: Consistency.Claim, on basis: Set<ListAssumption> = []) -> Consistency {
      Consistency(claim, on: basis, seams: counts, checks: checks, moments: moments)
    }
    if case .incomplete = end { return claim(.mayLack(atMost: nil)) }
    if count(.open) > 0 { return claim(.mayLack(atMost: nil)) }
    let endBasis = basis(of: endSign)
    // A page without rows that has the version is a page of that version.
    if isEnded, !endSign.isRefusal, pages > 1, unreadable == 0, case .one = version,
      broken.isDisjoint(with: versionBasis)
    {
      return claim(.exact, on: versionBasis)
    }
    // A server that stops early looks the same.
    if isEnded, endSign.provesNothing {
      return claim(unreadable > 0 ? .mayLack(atMost: nil) : .unproven)
    }
    guard pages > 0, count(.assumed) + unprovenMends == 0 else {
      return claim(unreadable > 0 ? .mayLack(atMost: nil) : .unproven)
    }
    let basis = basis(endingBy: isEnded ? endBasis : [])
    guard !lacksIDs || pages == 1 else {
      return claim(unreadable > 0 ? .mayLack(atMost: nil) : .unproven)
    }
    if unreadable > 0 { return claim(.mayLack(atMost: unreadable)) }
    let isExact = pages == 1 && !isRejoined && isEnded && endSign.isStated
    return claim(isExact ? .exact : .whole, on: basis).without(broken)
  }

  private func date(_ moment: Double) -> Date { Date(timeIntervalSince1970: moment) }
}
