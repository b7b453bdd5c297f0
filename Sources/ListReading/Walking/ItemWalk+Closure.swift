package import ItemMapping
internal import ServerAPI

extension ItemWalk {
  /// Creates a walk over the pages that a closure returns, for a loop over all items.
  ///
  /// ```swift
  /// let books = ItemWalk(of: Book.self, paging: .offset(limit: 100)) { offset, limit in
  ///   Page(try await database.books(from: offset, count: limit), total: try await database.count())
  /// }
  /// for try await book in books { print(book.title) }
  /// ```
  ///
  /// The closure is called for each page, off the caller's actor. If it throws, the loop throws a ``LoadError``, and a
  /// further loop calls it again for the same page. Nothing limits its time. Items with the same id are one row; an id
  /// that is neither a number nor a text is compared by its description.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - parallel: How many pages may be loaded at once, where their places can be worked out and the pages say how
  ///     many there are.
  ///   - consistency: How many extra pages may be loaded to find missing rows.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped.
  ///   - ids: The ids of the rows that earlier walks delivered.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>, parallel: Int = 1,
    consistency: Consistency.Level = .seams, from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs ids: some Sequence<RowID> = [],
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending ListReading.Page<Item>
  ) where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
    self.init(
      of: type, paging: paging, identity: .id, parallel: parallel, consistency: consistency,
      from: checkpoint, knownIDs: ids, pages: pages)
  }

  /// Creates a walk over the pages that a closure returns, with the given identity of the items.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - identity: How items are told apart.
  ///   - parallel: How many pages may be loaded at once.
  ///   - consistency: How many extra pages may be loaded to find missing rows.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped.
  ///   - ids: The ids of the rows that earlier walks delivered.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>, identity: ItemIdentity<Item>, parallel: Int = 1,
    consistency: Consistency.Level = .seams, from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs ids: some Sequence<RowID> = [],
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending ListReading.Page<Item>
  ) {
    var loader = PageLoader(
      server: .ofClosure(), reader: .items(at: ClosureFacts.items), identity: .none, filter: nil,
      envelope: ListPage<JSONView>.self, keeps: false, allowsOtherOrigins: false)
    loader.closure = PageClosure { key in
      let page = try await pages(paging.place(key))
      let root = try ClosureRows.document(of: page, identity, hasCursor: paging.hasCursor).root
      let rows = root[ClosureFacts.items].map { Array($0.elements) } ?? []
      var decoded = DecodedPage(items: rows, envelope: root)
      decoded.itemsPath = ClosureFacts.items
      return decoded
    }
    self.init(
      ofClosure: PageWalk(
        loader, Call(""), paging.paging, identity.id == nil ? .none : .by(ClosureRows<Item>.id),
        parallel: parallel, consistency, from: checkpoint, knownIDs: ids.map(\.inJSON)))
  }
}

/// The items of a page that a closure returned, which its rows stand for: a walk compares the ids of rows in JSON. The
/// items live as long as the rows.
///
/// `@unchecked Sendable` is safe because the items were handed over with their page and never change here, and only who
/// reads the pages, a loop or a sync, reads the item of a row.
package final class ClosureRows<Item>: @unchecked Sendable {
  static var id: JSONPath { "id" }

  private let text: PageBytes
  private let items: [Item]

  private init(_ text: PageBytes, _ items: [Item]) { (self.text, self.items) = (text, items) }

  /// Returns the JSON of a page, with a row for each item.
  static func document(
    of page: Page<Item>, _ identity: ItemIdentity<Item>, hasCursor: Bool
  ) throws(JSONError) -> JSONDocument {
    // Rows without ids are told apart by their text.
    let mark = identity.id == nil ? ",\"mark\":\(page.items.contentMark)" : ""
    let rows = page.items.enumerated().map { place, item in
      let id = identity.id.flatMap { $0(item).json }.map { ",\"id\":\($0)" } ?? ""
      return "{\"at\":\(place)\(id)\(mark)}"
    }
    let text = PageBytes(Array(page.json("[\(rows.joined(separator: ","))]", hasCursor: hasCursor).utf8))
    let owner = ClosureRows(text, page.items)
    return try text.withUnsafeBytes { bytes throws(JSONError) in
      try JSONDocument(unsafeBytes: bytes, padding: 64, keeping: owner)
    }
  }

  /// Returns the items that rows stand for.
  package static func items(of rows: [JSONView]) -> [Item] {
    rows.compactMap { row in
      guard let owner = row.document.owner as? ClosureRows<Item>, let place = row["at"]?.int else { return nil }
      return owner.items.indices.contains(place) ? owner.items[place] : nil
    }
  }
}

extension RowID {
  /// The id as it is in JSON: a number or a text.
  fileprivate var inJSON: RowID { if case .other(let other) = self { .text("\(RowID.other(other))") } else { self } }

  /// The JSON of the id; `nil` where there is none.
  fileprivate var json: String? {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): JSONAny.string(text).text()
    case .other: isMissing ? nil : JSONAny.string("\(self)").text()
    }
  }
}
