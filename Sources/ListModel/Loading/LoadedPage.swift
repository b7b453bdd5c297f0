public import ItemMapping
internal import ServerAPI

/// A page that a loader returns to the list.
///
/// A page has one type per step. ``PageResponse`` is a response with everything that tells its place,
/// ``DecodedPage`` the result of a decoder, and this type combines both. Its ``PageRows`` go into the store,
/// which keeps them as a ``StoredPage``; its ``ListPage`` is the page that programs see.
struct LoadedPage<Item> {
  var rows: PageRows<Item>
  var page: ListPage<Item>
  var itemsPath: JSONPath?
  /// The origin of the first page.
  var home: WebURL.Origin?
  var filtered = 0
  /// The version of the list; `nil` if the program declared none.
  var version: PageVersion?
  /// The issues in the data around the rows.
  var envelopeReport = MappingReport()
  /// The recognized paging.
  var recognized: RecognizedPaging?
  /// What the first page says for the pages after it.
  var hints: PagingHints?
  /// Whether it is the first page again although another one was requested.
  var isFirstPageAgain = false
  /// The requests that found the paging, this page's as the last.
  var trials: [TrialAttempt] = []
  /// The facts that its response has.
  var signs: PageSigns = []
  /// The names and kinds of these facts.
  var shape: Int?
  /// Where its response says whether there is more, besides what the paging reads.
  var moreSigns: [MoreSign] = []
  /// Whether its rows are complete, and not parts that later pages complete.
  var isBatchComplete = true
  /// Whether its rows are those the list already has, so that they were not read again.
  var isSame = false
  /// The response to keep, where the list is kept and the response may be stored.
  var stored: StoredResponse?

  /// Returns the report about everything unexpected in the page.
  func report(of kind: LoadKind) -> PageReport {
    var report = PageReport(kind: kind)
    report.filtered = filtered
    report.mapping = page.report
    report.problems = page.facts.problems
    report.envelope = envelopeReport
    return report
  }

  /// Reuses the items that were mapped from an identical response.
  mutating func reuse(_ parsed: PageRows<Item>.Parsed) {
    rows.reuse(parsed)
    page.items = parsed.sent
    page.report = parsed.report
    filtered = parsed.sent.count - parsed.items.count
  }
}

/// A report about everything unexpected in one page.
public struct PageReport: Hashable, Sendable {
  /// The load that loaded the page.
  public var kind: LoadKind
  /// The number of rows that the list already had.
  public var duplicates = 0
  /// The number of rows that the page itself repeats.
  public var repeats = 0
  /// The number of rows that the list's filter dropped.
  public var filtered = 0
  /// Values and rows that could not be read.
  public var mapping = MappingReport()
  /// Values around the rows that could not be read.
  public var envelope = MappingReport()
  /// Facts about the page's place that can't be true.
  public var problems: [PagingError] = []

  /// Whether there is nothing to report.
  public var isClean: Bool {
    duplicates == 0 && repeats == 0 && filtered == 0 && mapping.isClean && envelope.isClean
      && problems.isEmpty
  }
}

extension PageReport: CustomStringConvertible {
  /// One line per kind of issue; empty without issues.
  public var description: String {
    var lines: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { lines.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    add(duplicates, "row was already in the list", "rows were already in the list")
    add(repeats, "row is repeated in the page", "rows are repeated in the page")
    add(filtered, "row was filtered out", "rows were filtered out")
    lines += problems.map(\.description)
    if !envelope.isClean { lines.append(envelope.description) }
    if !mapping.isClean { lines.append(mapping.description) }
    return lines.joined(separator: "\n")
  }
}
