package import ItemMapping
package import ServerAPI

/// A page that a loader returns to the list.
///
/// A page has one type per step. ``PageResponse`` is a response with everything that shows its place,
/// ``DecodedPage`` the result of a decoder, and this type combines both. Its ``PageRows`` go into the store,
/// which keeps them as a ``StoredPage``; its ``ListPage`` is the page that programs see.
package struct LoadedPage<Item> {
  package var rows: PageRows<Item>
  package var page: ListPage<Item>
  var itemsPath: JSONPath?
  /// The origin of the first page.
  var home: WebURL.Origin?
  package var filtered = 0
  /// The version of the list; `nil` if the program declared none.
  var version: PageVersion?
  /// The issues in the data around the rows.
  package var envelopeReport = MappingReport()
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
  /// Whether it was read, and not made because the server has no such page.
  var hasResponse = true
  /// Whether its rows are those the list already has, so that they were not read again.
  package var isSame = false
  /// The response to keep, where the list is kept and the response may be stored.
  package var stored: StoredResponse?

  /// Reuses the items that were mapped from an identical response.
  package mutating func reuse(_ parsed: PageRows<Item>.Parsed) {
    rows.reuse(parsed)
    page.items = parsed.sent
    page.report = parsed.report
    filtered = parsed.sent.count - parsed.items.count
  }
}
