internal import ServerAPI

/// An effect that a list decides on. Effects are performed in order.
///
/// A decision has at most one ``ListEvent/didChange(_:)``, so the rows after that event are those of the
/// list after the decision.
enum ListEffect: Hashable {
  /// Request a page; its response is reported under this number.
  case request(number: Int, LoadKind, PageKey)
  /// Cancel a request: no load waits for its response any more.
  case abandon(number: Int)
  /// Keep a page on disk, if the list is kept.
  case keep(PageID, PagePlacement)
  /// Notify observers.
  case notify(ListEvent)
  /// End a load.
  case finish(load: Int, LoadOutcome)
}

/// The place of a page in the list.
enum PagePlacement: Hashable {
  /// Instead of all pages.
  case all
  /// After the last page, or before the first one.
  case at(ListSide)
  /// In the place of an evicted page.
  case gap(PageID)
  /// Instead of the stored response that is shown for it, at this side.
  case over(PagePreview, ListSide)
}

/// The visible rows of a stored response while the same page is requested from the server.
struct PagePreview: Hashable {
  var page: PageID
  /// The number of rows that the list did not have before.
  var added = 0
}
