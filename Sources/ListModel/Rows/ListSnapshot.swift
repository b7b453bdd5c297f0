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
    guard let items = place.items else { return .notLoaded(place.page) }
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
  public var items: Items { Items(tree: tree) }

  /// The pages the rows came in.
  public var pages: Pages { Pages(tree: tree) }
}

extension ListSnapshot: Sendable where Item: Sendable {}

/// A row of a list.
public enum ListRow<Item> {
  /// An item.
  case item(Item)
  /// Stands for an item of this page, which is not in memory.
  case notLoaded(PageID)

  /// The item; `nil` for a placeholder.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }
}

extension ListRow: Sendable where Item: Sendable {}
extension ListRow: Equatable where Item: Equatable {}
extension ListRow: Hashable where Item: Hashable {}

extension ListSnapshot {
  /// The items of a list that are present, in order. An item by its position takes O(log pages), walking
  /// through all of them O(1) each.
  public struct Items: RandomAccessCollection {
    let tree: PageTree<Item>

    /// The position of the first item.
    public var startIndex: Int { 0 }
    /// The position behind the last item.
    public var endIndex: Int { tree.span.items }

    /// The item at a position.
    @inlinable
    public subscript(position: Int) -> Item {
      let place = place(at: position)
      return place.items[place.index]
    }

    /// The items of the page that has an item, and its place in them.
    @usableFromInline
    func place(at position: Int) -> (items: [Item], index: Int) {
      guard let place = tree.place(at: position, by: .items), let items = place.page.items else {
        preconditionFailure("there is no item \(position), the list has \(count)")
      }
      return (items, position - place.before.items)
    }

    /// Walks through the items.
    public func makeIterator() -> Iterator { Iterator(pages: PageIterator(tree)) }

    /// Walks through the items of a list.
    public struct Iterator: IteratorProtocol {
      var pages: PageIterator<Item>
      @usableFromInline var items: [Item] = []
      @usableFromInline var position = 0

      init(pages: PageIterator<Item>) { self.pages = pages }

      /// The next item.
      @inlinable
      public mutating func next() -> Item? {
        while position == items.count {
          guard turnPage() else { return nil }
        }
        position += 1
        return items[position - 1]
      }

      @usableFromInline
      mutating func turnPage() -> Bool {
        guard let page = pages.next() else { return false }
        items = page.items ?? []
        position = 0
        return true
      }
    }
  }
}

extension ListSnapshot.Items: Sendable where Item: Sendable {}
extension ListSnapshot.Items.Iterator: Sendable where Item: Sendable {}

extension ListSnapshot {
  /// The pages of a list, in order.
  public struct Pages: RandomAccessCollection {
    let tree: PageTree<Item>

    /// The number of the first page.
    public var startIndex: Int { 0 }
    /// The number behind the last page.
    public var endIndex: Int { tree.span.pages }

    /// A page by its number in the list. Takes O(log pages).
    public subscript(number: Int) -> PageRange {
      guard let place = tree.place(at: number, by: .pages) else {
        preconditionFailure("there is no page \(number), the list has \(count)")
      }
      return PageRange(place)
    }
  }
}

extension ListSnapshot.Pages: Sendable where Item: Sendable {}

/// Where a page of a list begins and ends.
public struct PageRange: Hashable, Sendable, Identifiable {
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
