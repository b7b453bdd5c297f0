internal import ItemMapping
internal import ServerAPI

/// The rows of one response, before they meet the list.
struct PageRows<Item> {
  /// How the page was asked for.
  var key: PageKey
  /// The items in the order of the page.
  var items: [Item]
  /// Their ids; `nil` where items can't be told apart.
  var ids: [RowID]?
  /// What the page costs to keep, in bytes of its answer.
  var bytes = 0
  /// Tells this page's content from another's, to notice that a server repeats itself.
  var fingerprint = 0
  /// Whether the server sent no rows at all; a filter may have left out those it sent.
  var isEmpty = false
  /// How the page was found to follow its neighbour.
  var border = PageBorder.assumed
  /// Where the answer comes from, and when the server vouched for it, in seconds since 1970.
  var source = HTTPResponse.Source.network
  var asOf = 0.0
  /// What was made of the response, to be used again when the same one comes.
  var parsed: Parsed?
  /// Whether these are all rows that were parsed, each as it came.
  var isWhole = true

  /// Tells its content from that of other pages.
  var mark: PageMark { PageMark(key: key, fingerprint: fingerprint, isEmpty: isEmpty) }
}

/// What is known of the border between a page and the one it was reached from.
enum PageBorder: Hashable, Sendable {
  /// The neighbour's own answer led here: nothing can be missing between them unless the server says so.
  case chained
  /// The position was worked out, so rows that came or went meanwhile may be twice or missing.
  case assumed
}

extension PageRows {
  /// What was made of a response, as long as the page is in memory: when the same bytes come again, they are
  /// not mapped again.
  final class Parsed {
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

    init(_ known: Known, sent: [Item], rows: PageRows, report: MappingReport) {
      self.known = known
      self.sent = sent
      self.report = report
      (items, ids, bytes, fingerprint) = (rows.items, rows.ids, rows.bytes, rows.fingerprint)
    }
  }

  /// The rows of a response that came again.
  mutating func reuse(_ parsed: Parsed) {
    (items, ids, bytes, fingerprint) = (parsed.items, parsed.ids, parsed.bytes, parsed.fingerprint)
    isEmpty = parsed.sent.isEmpty
    self.parsed = parsed
  }
}

extension PageRows.Parsed: Sendable where Item: Sendable {}
