internal import ItemMapping
internal import ServerAPI

/// The rows of one response, before they join the list.
struct PageRows<Item> {
  /// The key that requested the page.
  var key: PageKey
  /// The items in the order of the page.
  var items: [Item]
  /// Their ids; `nil` if items have no ids.
  var ids: [RowID]?
  /// Whether a row has no id of its own, so that it can't be recognized.
  var lacksIDs = false
  /// The ids of the rows that a filter left out, if items have ids.
  var filteredIDs: [RowID] = []
  /// The size of the page, in bytes of its response.
  var bytes = 0
  /// A hash of the content, to detect that a server repeats a page.
  var fingerprint = 0
  /// Whether the server sent no rows at all, regardless of a filter.
  var isEmpty = false
  /// The source of the response, and when the server sent or confirmed it, in seconds since 1970.
  var source = HTTPResponse.Source.network
  var asOf = 0.0
  /// The parsed rows, reused when an equal response is received.
  var parsed: Parsed?
  /// Whether these are all parsed rows, unchanged.
  var isWhole = true

  /// Identifies the content of the page.
  var mark: PageMark { PageMark(key: key, fingerprint: fingerprint, isEmpty: isEmpty) }
}

extension PageRows {
  /// The parsed rows of a response, retained while the page is in memory. Equal bytes are not mapped again.
  final class Parsed {
    /// The part that a loader needs off the main actor.
    struct Known: Hashable, Sendable {
      var mark: ContentDigest
      var itemsPath: JSONPath
      /// The number of rows that the server sent.
      var count: Int
    }

    let known: Known
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
  mutating func reuse(_ parsed: Parsed) {
    (items, ids, filteredIDs) = (parsed.items, parsed.ids, parsed.filteredIDs)
    (bytes, fingerprint) = (parsed.bytes, parsed.fingerprint)
    lacksIDs = parsed.lacksIDs
    isEmpty = parsed.sent.isEmpty
    self.parsed = parsed
  }
}

extension PageRows.Parsed: Sendable where Item: Sendable {}

/// Detects repeated pages in a list whose items have no ids.
///
/// Equal rows may be distinct there, and dropping them would lose data. So a page counts as repeated only if
/// the same key returned the same content before, or if the same content arrived more often in a row than a
/// search for new rows may take.
struct PageRepeats: Hashable {
  let limit: Int
  private var seen: Set<Int> = []
  private var last: Int?
  private var repetitions = 0

  init(limit: Int) { self.limit = limit }

  /// Returns whether a page is repeated.
  ///
  /// - Parameter countsEmptyPages: Whether empty pages in a row count as the same content.
  mutating func isRepeat(_ page: PageMark, countsEmptyPages: Bool = true) -> Bool {
    let counts = countsEmptyPages || !page.isEmpty
    repetitions = counts && page.fingerprint == last ? repetitions + 1 : 0
    last = page.fingerprint
    return !seen.insert(page.hashValue).inserted || repetitions > limit
  }

  mutating func forget() { self = PageRepeats(limit: limit) }
}

/// Identifies the content of a page.
struct PageMark: Hashable {
  var key: PageKey
  var fingerprint: Int
  var isEmpty: Bool
}
