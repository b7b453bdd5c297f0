/// The rows of a list: pages in a tree and an index of their ids. A value without clock or task, and
/// the only one that changes rows.
///
/// Keep one copy: the index is not persistent as the tree is, so a change to a second copy of a store
/// copies the index as a whole. What others may look at is ``snapshot``.
struct ListStore<Item> {
  /// What becomes of a row that comes again.
  var duplicates: DuplicatePolicy
  /// Whether an item says the same as one with the same id; without it, newer content counts as changed.
  let isSame: ((Item, Item) -> Bool)?

  var tree = PageTree<Item>()
  var index = RowIndex()
  var edits = EditLog<Item>()
  /// How often everything was replaced, so that a page never gets the id of one that is gone.
  var generation = 0

  init(duplicates: DuplicatePolicy = .keepFirst, isSame: ((Item, Item) -> Bool)? = nil) {
    self.duplicates = duplicates
    self.isSame = isSame
  }

  /// The rows as they are now.
  var snapshot: ListSnapshot<Item> { ListSnapshot(tree) }

  /// Puts a page before the first one, or behind the last one.
  mutating func join(_ rows: PageRows<Item>, at side: ListSide) -> Merge {
    join(rows, as: side == .next ? pageBehind : pageBefore)
  }

  /// Takes out all pages, and forgets pending edits.
  mutating func removeAll() -> ListChange {
    let count = tree.span.rows
    clear()
    edits.removeAll()
    return .removing(0..<count)
  }

  /// The id of a page that will be the last one.
  var pageBehind: PageID {
    tree.last.map { PageID(order: $0.id.order + PageID.step) } ?? .first(of: generation)
  }

  /// The id of a page that will be the first one.
  var pageBefore: PageID {
    tree.first.map { PageID(order: $0.id.order - PageID.step) } ?? .first(of: generation)
  }

  mutating func clear() {
    tree = PageTree()
    index = RowIndex()
    generation += 1
  }
}

extension PageID {
  /// How far pages are apart, so that others find room between them.
  static let step = 1 << 20

  /// The first page after everything was replaced so many times. Pages of different times differ
  /// until half a million replacements later, when nobody has the old ids.
  static func first(of generation: Int) -> PageID {
    PageID(order: (generation & (1 << 19 - 1)) << 44)
  }
}
