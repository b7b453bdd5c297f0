/// The rows of a list at one moment. It never changes, and making or keeping one costs nothing but the
/// memory of rows that the list itself has dropped since.
public struct ListSnapshot<Item> {
  let tree: PageTree<Item>

  init(_ tree: PageTree<Item> = PageTree()) { self.tree = tree }

  /// How many rows there are, placeholders included.
  public var count: Int { tree.span.rows }

  /// Whether there are no rows.
  public var isEmpty: Bool { count == 0 }

  /// The row at a position; `nil` where there is none. Takes O(log pages).
  @inlinable
  public func row(at position: Int) -> ListRow<Item>? {
    guard let place = place(at: position) else { return nil }
    guard let items = place.items else { return .placeholder(place.page) }
    return .item(items[place.index])
  }

  /// The items of the page that has a row, and its place in them. What a row is made of is left to the
  /// caller's module, which knows the type of an item.
  @usableFromInline
  func place(at position: Int) -> (items: [Item]?, index: Int, page: PageID)? {
    guard let place = tree.place(at: position, by: .rows) else { return nil }
    return (place.page.items, position - place.before.rows, place.page.id)
  }

  /// All items that are present. Their positions are those of the rows while no page is given up.
  public var items: ListItems<Item> { ListItems(tree: tree) }

  /// The pages the rows came in.
  public var pages: ListPages<Item> { ListPages(tree: tree) }
}

extension ListSnapshot: Sendable where Item: Sendable {}

/// A row of a list.
public enum ListRow<Item> {
  /// An item.
  case item(Item)
  /// Stands for an item of this page, which is not in memory.
  case placeholder(PageID)

  /// The item; `nil` for a placeholder.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }
}

extension ListRow: Sendable where Item: Sendable {}
extension ListRow: Equatable where Item: Equatable {}
extension ListRow: Hashable where Item: Hashable {}
