/// The items of a list that are present, in order. An item by its position takes O(log pages), walking
/// through all of them O(1) each.
public struct ListItems<Item>: RandomAccessCollection {
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

extension ListItems: Sendable where Item: Sendable {}
extension ListItems.Iterator: Sendable where Item: Sendable {}
