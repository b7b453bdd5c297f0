internal import ServerAPI

/// What the machine wants done, in this order.
enum PageEffect: Hashable {
  /// Ask for a page; the answer comes back under that number.
  case send(number: Int, LoadKind, PageKey)
  /// Nobody waits for that answer any more.
  case giveUp(number: Int)
  /// Let observers know.
  case tell(ListEvent)
  /// Let the caller know.
  case finish(load: Int, LoadOutcome)
}

/// Where a page that came is to go.
enum PagePlacement: Hashable {
  /// In place of everything.
  case anew
  case at(ListSide)
  case gap(PageID)
  /// In place of what a stored answer showed of it, at this side.
  case over(PagePreview, ListSide)
}

/// What came of taking a page in.
struct PageMerge: Hashable {
  var change = ListChange()
  /// Rows that the list did not have and that are seen.
  var added = 0
  var mark: PageMark
  /// What there is to tell, if anything.
  var report: PageReport?
  /// The age of what is shown, where that is another now.
  var freshness: Freshness?
  /// The page that holds the rows; `nil` where they were not taken.
  var page: PageID?
}

/// What a stored answer shows while the server is asked for the same page.
struct PagePreview: Hashable {
  var page: PageID?
  /// Rows that the list did not have before.
  var added = 0
}
