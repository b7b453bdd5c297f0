/// What a page did to the rows of the list.
struct Merge: Hashable, Sendable {
  /// The page that holds the rows now.
  var page: PageID
  /// What changed, exactly.
  var change = ListChange()
  /// How many rows the list did not have before.
  var added = 0
  /// Whether it brought a row that the list did not have.
  var isNew: Bool { added > 0 }
  /// How many rows came more than once in the page.
  var duplicatesInPage = 0
  /// How many rows of the page the list had already, in other pages.
  var duplicatesAcross = 0
}
