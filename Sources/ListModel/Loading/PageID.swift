/// The id of a page, valid as long as the list has the page.
public struct PageID: Hashable, Sendable, Comparable {
  let order: Int

  /// Orders pages by their place in the list.
  public static func < (a: PageID, b: PageID) -> Bool { a.order < b.order }
}
