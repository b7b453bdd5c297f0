internal import ItemMapping
internal import ServerAPI

/// A page as a reading sees it: everything but its items.
package struct ReadPage: Hashable, Sendable {
  /// Its number among the pages of the turn.
  package var number = 0
  package let key: PageKey
  package let facts: PageFacts
  /// The number of rows that the server sent.
  let count: Int
  /// Whether the server sent none.
  let isEmpty: Bool
  /// Whether its rows have ids.
  let hasIDs: Bool
  /// A hash of its content.
  var fingerprint = 0
  /// When the server sent or confirmed it, in seconds since 1970.
  let asOf: Double
  let version: PageVersion?
  /// Whether it was stored.
  let isStored: Bool
  /// How it was requested, and how the page after it is, as far as that is known.
  var paging: Paging?
  var nextPaging: Paging?
}

/// What the rows of a page share with those that were read before it.
package struct ComparedRows: Hashable {
  /// The ids of the rows.
  let ids: [RowDigest]
  package let shared: SharedRows
  /// Whether the first row was read before.
  let startsKnown: Bool
  /// Whether any row was.
  let hasKnown: Bool

  package init(
    ids: [RowDigest], shared: SharedRows, startsKnown: Bool, hasKnown: Bool
  ) {
    (self.ids, self.shared) = (ids, shared)
    (self.startsKnown, self.hasKnown) = (startsKnown, hasKnown)
  }
}

extension LoadedPage {
  /// The page as a reading sees it.
  ///
  /// - Parameters:
  ///   - number: Its number among the pages of the turn.
  ///   - hasIDs: Whether its rows have ids.
  ///   - paging: How it was requested, and how the page after it is.
  package func read(
    _ number: Int, hasIDs: Bool, by paging: Paging?, next: Paging? = nil
  ) -> ReadPage {
    ReadPage(
      number: number, key: rows.key, facts: page.facts, count: sentRows, isEmpty: rows.isEmpty,
      hasIDs: hasIDs, fingerprint: rows.fingerprint, asOf: rows.asOf, version: version,
      isStored: rows.source.isCache, paging: paging, nextPaging: next)
  }

  /// The number of rows that the server sent with the page.
  var sentRows: Int { rows.items.count + filtered + page.report.droppedItems }
}
