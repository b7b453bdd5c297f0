internal import ItemMapping

/// What was made of an answer, as long as the page is in memory: when the same bytes come again, it is
/// not made again.
final class PageOrigin<Item> {
  /// What a loader has to know of it, which works elsewhere.
  struct Known: Hashable, Sendable {
    var mark: ContentMark
    var itemsPath: JSONPath
    /// How many rows the server sent.
    var count: Int
  }

  let known: Known
  /// The items as the server sent them, those that a filter leaves out included.
  let sent: [Item]
  /// The rows before they met the list.
  let items: [Item]
  let ids: [RowID]?
  let bytes: Int
  let fingerprint: Int
  let report: MappingReport

  init(_ known: Known, sent: [Item], rows: PageRows<Item>, report: MappingReport) {
    self.known = known
    self.sent = sent
    self.report = report
    (items, ids, bytes, fingerprint) = (rows.items, rows.ids, rows.bytes, rows.fingerprint)
  }
}

extension PageOrigin: Sendable where Item: Sendable {}

extension PageRows {
  /// The rows of an answer that came again.
  mutating func reuse(_ origin: PageOrigin<Item>) {
    (items, ids, bytes, fingerprint) = (origin.items, origin.ids, origin.bytes, origin.fingerprint)
    isEmpty = origin.sent.isEmpty
    self.origin = origin
  }
}
