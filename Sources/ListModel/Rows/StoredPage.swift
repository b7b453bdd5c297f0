/// A page as the list keeps it. It never changes: what changes is which page stands in the tree, so a
/// snapshot goes on showing the one it was made with.
final class StoredPage<Item> {
  /// What is kept of the rows.
  enum Content {
    case items([Item])
    /// The items are given up to save memory; as many placeholders stand for them.
    case givenUp(count: Int)
  }

  let id: PageID
  /// How the page was asked for; `nil` where the rows come from the program and not from a page.
  let key: PageKey?
  let content: Content
  /// The ids in the order of the rows, also those of rows given up, so that a duplicate is noticed.
  let ids: [RowID]?
  /// What the items cost to keep.
  let bytes: Int
  let fingerprint: Int
  let border: PageBorder
  /// What was made of its answer; `nil` where that is not kept.
  let parsed: PageRows<Item>.Parsed?
  /// Whether the rows are those that were parsed, each as it came.
  let isWhole: Bool

  init(
    id: PageID, key: PageKey?, content: Content, ids: [RowID]?, bytes: Int = 0,
    fingerprint: Int = 0, border: PageBorder = .assumed, parsed: PageRows<Item>.Parsed? = nil,
    isWhole: Bool = false
  ) {
    self.id = id
    self.key = key
    self.content = content
    self.ids = ids
    self.bytes = bytes
    self.fingerprint = fingerprint
    self.border = border
    self.parsed = parsed
    self.isWhole = isWhole
  }

  convenience init(id: PageID, rows: PageRows<Item>) {
    self.init(
      id: id, key: rows.key, content: .items(rows.items), ids: rows.ids, bytes: rows.bytes,
      fingerprint: rows.fingerprint, border: rows.border, parsed: rows.parsed,
      isWhole: rows.isWhole && rows.parsed != nil)
  }

  var count: Int {
    switch content {
    case .items(let items): items.count
    case .givenUp(let count): count
    }
  }

  /// The items; `nil` when they are given up.
  var items: [Item]? {
    if case .items(let items) = content { items } else { nil }
  }

  var isLoaded: Bool { items != nil }

  /// The page with other rows. What it was made of is let go with the items.
  func with(_ content: Content, ids: [RowID]?) -> StoredPage {
    var parsed = parsed
    if case .givenUp = content { parsed = nil }
    return StoredPage(
      id: id, key: key, content: content, ids: ids, bytes: bytes, fingerprint: fingerprint,
      border: border, parsed: parsed)
  }
}

extension StoredPage: Sendable where Item: Sendable {}
extension StoredPage.Content: Sendable where Item: Sendable {}

/// Names a page of a list for as long as the list has it.
public struct PageID: Hashable, Sendable, Comparable {
  let order: Int

  /// Pages compare by their place in the list.
  public static func < (a: PageID, b: PageID) -> Bool { a.order < b.order }
}
