internal import ItemMapping
public import ListReading
internal import ServerAPI

extension ListSync where Item: Encodable & Identifiable & SendableMetatype, Item.ID: Sendable {
  /// Creates a sync of a list whose pages a closure returns.
  ///
  /// ```swift
  /// let sync = ListSync(of: Book.self, paging: .offset(limit: 100)) { offset, limit in
  ///   Page(try await database.books(from: offset, count: limit))
  /// }
  /// ```
  ///
  /// Items are compared by their JSON, whose members are sorted. The path of a stamp is one in that JSON. An id that is
  /// neither a number nor a text is reported as its description. A ``SyncWatermark`` that needs a parameter of the
  /// request can't be used: the closure has none.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - consistency: How many extra pages may be loaded to find missing rows.
  ///   - parallel: How many pages may be loaded at once.
  ///   - state: What earlier rounds have left.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>, consistency: Consistency.Level = .seams, parallel: Int = 1,
    from state: SyncState = SyncState(),
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending ListReading.Page<Item>
  ) {
    var options = SyncWalk.Options()
    options.represented = { row in
      ClosureRows<Item>.items(of: [row]).first.flatMap { ItemMark.json(of: $0) }
        .flatMap { try? JSONDocument($0).root }
    }
    self.init(Call(""), options, Server.ofClosure().time, from: state) { rows throws(LoadError) in
      ClosureRows<Item>.items(of: rows)
    } start: { _, checkpoint, known, _ in
      ItemWalk(
        of: Item.self, paging: paging, parallel: parallel, consistency: consistency, from: checkpoint, knownIDs: known,
        pages: pages
      ).walk
    }
  }
}
