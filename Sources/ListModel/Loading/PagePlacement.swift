/// The place of a page in the list.
enum PagePlacement: Hashable {
  /// Instead of all pages.
  case all
  /// After the last page, or before the first one.
  case at(ListSide)
  /// In the place of an evicted page.
  case evicted(PageID)
  /// Into a gap.
  case gap(PageID, ListGap.Side)
  /// Over the rows that a deep refresh has not read again yet.
  case deep
  /// Instead of the rows that are shown for it, at this side.
  case over(PagePreview, ListSide)
}

extension PagePlacement {
  /// Whether a page is the one after those that the list had before.
  var isNextPage: Bool {
    switch self {
    case .at(.next), .over(_, .next): true
    case .all, .at(.previous), .over(_, .previous), .evicted, .gap, .deep: false
    }
  }

  /// Whether a page takes the place of one that the server sent before.
  var isAgain: Bool {
    switch self {
    case .evicted: true
    case .over(let preview, _): preview.isServers
    case .all, .at, .gap, .deep: false
    }
  }
}

/// The visible rows of a page while it is requested from the server: those of a stored response, or of the server.
struct PagePreview: Hashable {
  var page: PageID
  /// The number of rows that the list did not have before.
  var added = 0
  /// Whether they are the server's already, and the page is requested again.
  var isServers = false
}
