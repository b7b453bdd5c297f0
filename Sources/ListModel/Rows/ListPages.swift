/// The pages of a list, in order.
public struct ListPages<Item>: RandomAccessCollection {
  let tree: PageTree<Item>

  /// The number of the first page.
  public var startIndex: Int { 0 }
  /// The number behind the last page.
  public var endIndex: Int { tree.span.pages }

  /// A page by its number in the list. Takes O(log pages).
  public subscript(number: Int) -> ListPage {
    guard let place = tree.place(at: number, by: .pages) else {
      preconditionFailure("there is no page \(number), the list has \(count)")
    }
    return ListPage(place)
  }
}

extension ListPages: Sendable where Item: Sendable {}

/// Where a page of a list begins and ends.
public struct ListPage: Hashable, Sendable, Identifiable {
  /// Names the page.
  public var id: PageID
  /// How it was asked for; `nil` for rows the program inserted where there is no page.
  public var key: PageKey?
  /// Its rows.
  public var range: Range<Int>
  /// Whether its items are present; its rows are placeholders otherwise.
  public var isLoaded: Bool

  init<Item>(_ place: PagePlace<Item>) {
    id = place.page.id
    key = place.page.key
    range = place.rows
    isLoaded = place.page.isLoaded
  }
}
