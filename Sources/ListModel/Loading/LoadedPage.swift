internal import ItemMapping
internal import ServerAPI

/// A page that a loader brings, for the list.
///
/// A page has a type for each part of its way. ``PageResponse`` is a response with what tells its place,
/// ``DecodedPage`` what a decoder makes of it, and this the result of both. Its ``PageRows`` go into the store,
/// which keeps them as a ``StoredPage``; its ``ListPage`` is what programs see of the page.
struct LoadedPage<Item> {
  var rows: PageRows<Item>
  var page: ListPage<Item>
  var itemsPath: JSONPath?
  /// Where the list is at home.
  var home: WebURL.Origin?
  var filtered = 0
  /// What was wrong with what is around the rows.
  var envelopeReport = MappingReport()
  /// What the server turned out to speak.
  var recognized: RecognizedPaging?
  /// Whether its rows are those the list has: they were not read again.
  var isSame = false
  /// The answer to keep, where the list is kept and it may be.
  var answer: StoredResponse?

  /// What was not quite as expected about it.
  func report(of kind: LoadKind) -> PageReport {
    var report = PageReport(kind: kind)
    report.filtered = filtered
    report.mapping = page.report
    report.problems = page.facts.problems
    report.envelope = envelopeReport
    return report
  }

  /// Takes over what was made of the same answer before.
  mutating func reuse(_ parsed: PageRows<Item>.Parsed) {
    rows.reuse(parsed)
    page.items = parsed.sent
    page.report = parsed.report
    filtered = parsed.sent.count - parsed.items.count
  }
}
