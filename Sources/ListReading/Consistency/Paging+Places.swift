internal import ItemMapping

extension PageStrategy {
  /// How the end of a list is found.
  var endSign: EndSign {
    func sign(_ pages: CountedPages, isSaid: Bool) -> EndSign {
      var isSaid = isSaid
      for rule in pages.ends {
        switch rule {
        case .page: return .chosen
        case .hasNext, .isLast, .status, .repeatedCursor, .cursor: continue
        case .shortPage, .emptyPage, .total, .pageCount, .lastPage, .nextPage: isSaid = false
        }
      }
      return isSaid ? .said : .counted
    }
    return switch way {
    case .pageNumber(let paging): sign(paging.pages, isSaid: false)
    case .offset(let paging): sign(paging.pages, isSaid: false)
    case .keyset(let paging):
      sign(paging.pages, isSaid: paging.pages.ends.contains { $0.isFlag })
    case .cursor(let paging): sign(paging.pages, isSaid: true)
    case .range, .automatic: .counted
    case .relay, .link, .nextURL, .custom, .single: .said
    }
  }

  /// Whether the next page starts after values of a row.
  var isKeyset: Bool { if case .keyset = way { true } else { false } }

  /// Whether the next page starts after values of a row that other rows may have too.
  var keysCanTie: Bool {
    if case .keyset(let keyset) = way { !keyset.isUnique } else { false }
  }
}

extension Paging {
  /// The seam before the page after the first one, if no row of that page is known yet; `nil` without such a page.
  ///
  /// - Parameters:
  ///   - link: What leads to it.
  ///   - rows: The number of rows of the first page.
  package func seam(before link: PageFacts.Link, rows: Int) -> Seam? {
    guard case .page(let key) = link else { return nil }
    var cursors = CountingCursor()
    let isCounted =
      !key.place.isChained || key.place.isCounted || strategy.keysCanTie
      || !strategy.isKeyset && cursors.counts(link, rows: rows, pages: 1)
    return isCounted ? .assumed : .chained
  }
}

extension Paging {
  /// Whether an overlap can be requested for a page at this level.
  package func overlaps(at link: PageFacts.Link, checking level: Consistency.Level) -> Bool {
    guard case .page(let key) = link, level >= .seams else { return false }
    guard case .pageNumber(let paging) = way else {
      return strategy.overlap(before: key, rows: 1, isWide: false) != nil
    }
    return level == .whole && paging.overlap(before: key, rows: 1, reachesPage: true) != nil
  }
}

extension PageFacts.Link {
  /// Whether the values of a row that lead to the page have this id among them. Ids are unique, so no other row has
  /// the same values.
  func hasKey(_ id: RowID) -> Bool {
    guard case .page(let key) = self, case .after(.array(let values)) = key.place else {
      return false
    }
    return values.contains { value in
      (value.int.map { .number($0) } ?? value.string.map { .text($0) }) == id
    }
  }
}

extension EndRule {
  fileprivate var isFlag: Bool { flagPlace != nil }
}
