internal import ListReading

/// A page in the tree. It is immutable: a change replaces the page, so a snapshot keeps the old one.
final class StoredPage<Item> {
  /// The stored rows.
  enum Content {
    case items([Item])
    /// The items are evicted, and represented by placeholders.
    case evicted(count: Int)
    /// One row that stands for rows of the server that are not in the list.
    case gap(ListGap)
  }

  let id: PageID
  /// The key that requested the page; `nil` for local rows of the program.
  let key: PageKey?
  let content: Content
  /// The ids in the order of the rows, also of evicted rows, to detect duplicates.
  let ids: [RowID]?
  /// The size of the items.
  let bytes: Int
  let fingerprint: Int
  /// The parsed rows of the response; `nil` if they are not kept.
  let parsed: PageRows<Item>.Parsed?
  /// Whether the rows are all parsed rows, unchanged.
  let isWhole: Bool
  /// Where the rows of an evicted page went, if they are not on the page that they came with.
  let displacement: Displacement?

  init(
    id: PageID, key: PageKey?, content: Content, ids: [RowID]?, bytes: Int = 0,
    fingerprint: Int = 0, parsed: PageRows<Item>.Parsed? = nil,
    isWhole: Bool = false, displacement: Displacement? = nil
  ) {
    self.id = id
    self.key = key
    self.content = content
    self.ids = ids
    self.bytes = bytes
    self.fingerprint = fingerprint
    self.parsed = parsed
    self.isWhole = isWhole
    self.displacement = displacement
  }

  convenience init(_ gap: ListGap) { self.init(id: gap.id, key: nil, content: .gap(gap), ids: nil) }

  convenience init(id: PageID, rows: PageRows<Item>) {
    self.init(
      id: id, key: rows.key, content: .items(rows.items), ids: rows.ids, bytes: rows.bytes,
      fingerprint: rows.fingerprint, parsed: rows.parsed,
      isWhole: rows.isWhole && rows.parsed != nil)
  }

  var count: Int {
    switch content {
    case .items(let items): items.count
    case .evicted(let count): count
    case .gap: 1
    }
  }

  /// The items; `nil` if they are evicted.
  var items: [Item]? {
    if case .items(let items) = content { items } else { nil }
  }

  var isLoaded: Bool { items != nil }

  /// The gap that it is, if it is one.
  var gap: ListGap? { if case .gap(let gap) = content { gap } else { nil } }

  /// Returns the page with other rows. The parsed rows are released with evicted items.
  ///
  /// - Parameter key: The key that requests these rows, if it is another one.
  func with(_ content: Content, ids: [RowID]?, key: PageKey? = nil) -> StoredPage {
    var isEvicted = false
    var bytes = bytes
    switch content {
    case .evicted, .gap: isEvicted = true
    case .items(let items): if items.count != count { bytes = bytes * items.count / max(1, count) }
    }
    return StoredPage(
      id: id, key: key ?? self.key, content: content, ids: ids, bytes: bytes,
      fingerprint: fingerprint, parsed: isEvicted ? nil : parsed,
      displacement: isEvicted ? displacement : nil)
  }
}

extension StoredPage: Sendable where Item: Sendable {}
extension StoredPage.Content: Sendable where Item: Sendable {}
