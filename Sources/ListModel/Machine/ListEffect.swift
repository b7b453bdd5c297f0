internal import ServerAPI

/// What a list wants done, in this order.
///
/// One decision has at most one ``ListEvent/didChange(_:)``, so the rows after it are those that the list
/// has when it has decided.
enum ListEffect: Hashable {
  /// Request a page; its response comes back under that number.
  case request(number: Int, LoadKind, PageKey)
  /// Abandon a request: nothing waits for its response any more.
  case abandon(number: Int)
  /// Write a page down, where the list is kept.
  case keep(PageID, PagePlacement)
  /// Notify observers.
  case notify(ListEvent)
  /// End a load.
  case finish(load: Int, LoadOutcome)
}

/// Where a page belongs.
enum PagePlacement: Hashable {
  /// In place of all pages.
  case all
  /// Behind the last page, or before the first one.
  case at(ListSide)
  /// Where the page was evicted.
  case gap(PageID)
  /// In place of what a stored response showed of it, at this side.
  case over(PagePreview, ListSide)
}

/// What a stored response shows while the server is asked for the same page.
struct PagePreview: Hashable {
  var page: PageID
  /// Rows that the list did not have before.
  var added = 0
}
