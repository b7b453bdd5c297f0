internal import ItemMapping
package import ServerAPI

/// The rows of one response, before they join the list.
package struct PageRows<Item> {
  /// The key that requested the page.
  package var key: PageKey
  /// The items in the order of the page.
  package var items: [Item]
  /// Their ids; `nil` if items have no ids.
  package var ids: [RowID]?
  /// Whether a row has no id of its own, so that it can't be recognized.
  package var lacksIDs = false
  /// The ids of the rows that a filter left out, if items have ids.
  package var filteredIDs: [RowID] = []
  /// The size of the page, in bytes of its response.
  package var bytes = 0
  /// A hash of the content, to detect that a server repeats a page.
  package var fingerprint = 0
  /// Whether the server sent no rows at all, regardless of a filter.
  package var isEmpty = false
  /// The source of the response, and when the server sent or confirmed it, in seconds since 1970.
  package var source = HTTPResponse.Source.network
  package var asOf = 0.0
  /// The parsed rows, reused when an equal response is received.
  package var parsed: Parsed?
  /// Whether these are all parsed rows, unchanged.
  package var isWhole = true

  package init(
    key: PageKey, items: [Item], ids: [RowID]?, filteredIDs: [RowID] = [], bytes: Int = 0,
    fingerprint: Int = 0, isEmpty: Bool = false
  ) {
    (self.key, self.items, self.ids, self.filteredIDs) = (key, items, ids, filteredIDs)
    (self.bytes, self.fingerprint, self.isEmpty) = (bytes, fingerprint, isEmpty)
  }
}

extension PageRows {
  /// The parsed rows of a response, retained while the page is in memory. Equal bytes are not mapped again.
  package final class Parsed {
    /// The part that a loader needs off the main actor.
    package struct Known: Hashable, Sendable {
      var mark: ContentDigest
      var itemsPath: JSONPath
      /// The number of rows that the server sent.
      package var count: Int
    }

    package let known: Known
    /// The items that the server sent, including those that a filter leaves out.
    let sent: [Item]
    /// The items before they joined the list.
    let items: [Item]
    let ids: [RowID]?
    let lacksIDs: Bool
    let filteredIDs: [RowID]
    let bytes: Int
    let fingerprint: Int
    let report: MappingReport

    init(_ known: Known, sent: [Item], rows: PageRows, report: MappingReport) {
      self.known = known
      self.sent = sent
      self.report = report
      (items, ids, filteredIDs) = (rows.items, rows.ids, rows.filteredIDs)
      lacksIDs = rows.lacksIDs
      (bytes, fingerprint) = (rows.bytes, rows.fingerprint)
    }
  }

  /// Uses the parsed rows of an equal response.
  package mutating func reuse(_ parsed: Parsed) {
    (items, ids, filteredIDs) = (parsed.items, parsed.ids, parsed.filteredIDs)
    (bytes, fingerprint) = (parsed.bytes, parsed.fingerprint)
    lacksIDs = parsed.lacksIDs
    isEmpty = parsed.sent.isEmpty
    self.parsed = parsed
  }
}

extension PageRows.Parsed: Sendable where Item: Sendable {}
