/// The items of a list that are present, in order. An item by its position takes O(log pages), walking
/// through all of them O(1) each.
public struct ListItems<Item>: RandomAccessCollection {
  let tree: PageTree<Item>

  /// The position of the first item.
  public var startIndex: Int { 0 }
  /// The position behind the last item.
  public var endIndex: Int { tree.span.items }

  /// The item at a position.
  public subscript(position: Int) -> Item {
    guard let place = tree.place(at: position, by: \.items), let items = place.page.items else {
      preconditionFailure("there is no item \(position), the list has \(count)")
    }
    return items[position - place.before.items]
  }

  /// Walks through the items.
  public func makeIterator() -> Iterator { Iterator(pages: PageIterator(tree)) }

  /// Walks through the items of a list.
  public struct Iterator: IteratorProtocol {
    var pages: PageIterator<Item>
    var items: [Item] = []
    var position = 0

    /// The next item.
    public mutating func next() -> Item? {
      while position == items.count {
        guard let page = pages.next() else { return nil }
        items = page.items ?? []
        position = 0
      }
      position += 1
      return items[position - 1]
    }
  }
}

extension ListItems: Sendable where Item: Sendable {}
extension ListItems.Iterator: Sendable where Item: Sendable {}
