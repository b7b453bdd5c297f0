/// The rows of a list: pages in a tree, and an index of their ids. A value without clock or task, and the only
/// place where rows change.
///
/// Keep one copy: unlike the tree, the index is not persistent, so a change to a second copy of a store copies
/// the whole index. Pass ``snapshot`` to others.
struct ListStore<Item> {
  /// The policy for a row that arrives again.
  var duplicates: DuplicatePolicy
  /// Whether two items with one id have the same content. Without it, later content counts as changed.
  let isSame: ((Item, Item) -> Bool)?

  var tree = PageTree<Item>()
  var index = RowIndex()
  var edits = EditLog<Item>()
  /// Whether pages have rows that differ from those of their responses, since an edit was made.
  var isEdited = false
  /// The number of times all pages were replaced, so that page ids are not reused.
  var generation = 0

  init(duplicates: DuplicatePolicy = .keepFirst, isSame: ((Item, Item) -> Bool)? = nil) {
    self.duplicates = duplicates
    self.isSame = isSame
  }

  /// The rows now.
  var snapshot: ListSnapshot<Item> { ListSnapshot(tree) }

  /// Inserts a page before the first one, or after the last one.
  mutating func join(_ rows: PageRows<Item>, at side: ListSide) -> Merge {
    join(rows, as: side == .next ? pageAfter : pageBefore)
  }

  /// Removes all pages, and forgets pending edits.
  mutating func removeAll() -> ListChange {
    let count = tree.span.rows
    edits.removeAll()
    clear()
    return .removing(0..<count)
  }

  /// The id for a page after the last one.
  var pageAfter: PageID {
    tree.last.map { PageID(order: $0.id.order + PageID.step) } ?? .first(of: generation)
  }

  /// The id for a page before the first one.
  var pageBefore: PageID {
    tree.first.map { PageID(order: $0.id.order - PageID.step) } ?? .first(of: generation)
  }

  mutating func clear() {
    tree = PageTree()
    index = RowIndex()
    isEdited = !edits.isEmpty
    generation += 1
  }
}

extension PageID {
  /// The distance between neighboring pages, which leaves room for others between them.
  static let step = 1 << 20

  /// The id of the first page of a generation. Ids of different generations differ until half a million
  /// replacements later, when no old ids are in use.
  static func first(of generation: Int) -> PageID {
    PageID(order: (generation & (1 << 19 - 1)) << 44)
  }
}
