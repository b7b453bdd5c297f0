public import ListReading

/// The rows of a list at one moment.
///
/// ```swift
/// for book in books.rows { … }
/// let book = books.rows[17]             // `nil` for a row that is not in memory
/// let row = books.rows.row(at: 17)      // an item, a placeholder for one that is not in memory, or a gap
/// ```
///
/// A snapshot is a value and never changes. Making or copying one costs O(1); it retains rows that the list
/// has dropped since. Positions are those of this snapshot, so apply a ``ListChange`` to the snapshot of its
/// event.
public struct ListSnapshot<Item> {
  let tree: PageTree<Item>

  init(_ tree: PageTree<Item> = PageTree()) { self.tree = tree }

  /// The number of rows, placeholders and gaps included.
  public var count: Int { tree.span.rows }

  /// Whether there are no rows.
  public var isEmpty: Bool { count == 0 }

  /// Returns the row at a position, or `nil` if there is none. Takes O(log pages).
  @inlinable
  public func row(at position: Int) -> ListRow<Item>? {
    guard let place = place(at: position) else { return nil }
    guard let items = place.items else { return placeholder(of: place.page) }
    return .item(items[place.index])
  }

  /// Returns the items of the page of a row, and the index in them. The row is made in the caller's module,
  /// where the type of the item is known.
  @usableFromInline
  func place(at position: Int) -> (items: [Item]?, index: Int, page: PageID)? {
    guard let place = tree.place(at: position, by: .rows) else { return nil }
    return (place.page.items, position - place.before.rows, place.page.id)
  }

  /// Returns what stands for the rows of a page without items.
  @usableFromInline
  func placeholder(of page: PageID) -> ListRow<Item> {
    tree.place(of: page)?.page.gap.map { .gap($0) } ?? .notLoaded(page)
  }

  /// The items in memory. Their positions equal those of the rows as long as no page is evicted.
  public var items: Items { Items(tree: tree) }

  /// Returns the positions of the rows of a page; `nil` if the list doesn't have it.
  package func rows(of page: PageID) -> Range<Int>? { tree.place(of: page)?.rows }

  /// The pages of the list.
  public var pages: Pages { Pages(tree: tree) }
}

extension ListSnapshot: Sequence {
  /// Returns an iterator over the items in memory, in order.
  @inlinable
  public func makeIterator() -> Items.Iterator { items.makeIterator() }

  /// Returns the item at a position; `nil` if it is not in memory, or there is no such row.
  @inlinable
  public subscript(position: Int) -> Item? { row(at: position)?.item }
}

extension ListSnapshot: Sendable where Item: Sendable {}

/// A row of a list.
public enum ListRow<Item> {
  /// An item.
  case item(Item)
  /// A placeholder for an item of this page, which is not in memory.
  case notLoaded(PageID)
  /// Stands for rows of the server that the list lacks; see ``ListModel/loadGap(_:from:)``.
  case gap(ListGap)

  /// The item; `nil` for a placeholder.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }
}

extension ListRow: Sendable where Item: Sendable {}
extension ListRow: Equatable where Item: Equatable {}
extension ListRow: Hashable where Item: Hashable {}

extension ListSnapshot {
  /// The items of a list that are in memory, in order. Access by position takes O(log pages), iteration O(1)
  /// for each item.
  public struct Items: RandomAccessCollection {
    let tree: PageTree<Item>

    /// The position of the first item.
    public var startIndex: Int { 0 }
    /// The position after the last item.
    public var endIndex: Int { tree.span.items }

    /// Returns the item at a position.
    @inlinable
    public subscript(position: Int) -> Item {
      let place = place(at: position)
      return place.items[place.index]
    }

    /// Returns the items of the page of an item, and the index in them.
    @usableFromInline
    func place(at position: Int) -> (items: [Item], index: Int) {
      guard let place = tree.place(at: position, by: .items), let items = place.page.items else {
        preconditionFailure("there is no item \(position); the items are 0..<\(count)")
      }
      return (items, position - place.before.items)
    }

    /// Returns an iterator over the items.
    public func makeIterator() -> Iterator { Iterator(pages: PageIterator(tree)) }

    /// An iterator over the items of a list.
    public struct Iterator: IteratorProtocol {
      var pages: PageIterator<Item>
      @usableFromInline var items: [Item] = []
      @usableFromInline var position = 0

      init(pages: PageIterator<Item>) { self.pages = pages }

      /// Returns the next item.
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
    /// The number after the last page.
    public var endIndex: Int { tree.span.pages }

    /// Returns a page by its number in the list. Takes O(log pages).
    public subscript(number: Int) -> PageRange {
      guard let place = tree.place(at: number, by: .pages) else {
        preconditionFailure("there is no page \(number); the pages are 0..<\(count)")
      }
      return PageRange(place)
    }
  }
}

extension ListSnapshot.Pages: Sendable where Item: Sendable {}

/// The rows of one page in a list.
public struct PageRange: Hashable, Sendable, Identifiable {
  /// The id of the page.
  public var id: PageID
  /// The key that requested the page; `nil` for rows that the program inserted outside of any page.
  public var key: PageKey?
  /// The positions of its rows.
  public var range: Range<Int>
  /// Whether its items are in memory; otherwise its rows are placeholders, or the row of a gap.
  public var isLoaded: Bool

  init<Item>(_ place: PagePlace<Item>) {
    id = place.page.id
    key = place.page.key
    range = place.rows
    isLoaded = place.page.isLoaded
  }
}
