internal import ItemMapping
public import ListReading
internal import ServerAPI

extension ListModel {
  /// Creates a list of the pages that a closure returns: of a generated client, a database, a tool.
  ///
  /// ```swift
  /// let books = ListModel(of: Book.self, paging: .cursor) { cursor in
  ///   let page = try await library.books(after: cursor)
  ///   return Page(page.items, next: page.next)
  /// }
  /// ```
  ///
  /// The closure is called off the main actor. If it throws, the load fails with a ``LoadError``, and ``retry()`` calls
  /// it again; nothing is retried by itself, and nothing limits its time. A load that is cancelled ends at once, and what
  /// the closure returns later is dropped.
  ///
  /// Everything else is as for a list of a server. Settings about requests and responses have no effect, and neither have
  /// ``prepare(_:)`` and ``call``. When the closure is to return another list, call ``reset()``.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - configure: Changes the settings.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>,
    configure: (inout ListSettings<Item>) -> Void = { _ in },
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending Page<Item>
  ) where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
    self.init(of: type, paging: paging, identity: .id, configure: configure, pages: pages)
  }

  /// Creates a list of the pages that a closure returns, with the given identity of the items.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - identity: How items are identified.
  ///   - configure: Changes the settings.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>, identity: ItemIdentity<Item>,
    configure: (inout ListSettings<Item>) -> Void = { _ in },
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending Page<Item>
  ) {
    self.init(
      PageClosure(paging, pages), paging.paging, reading: .format(NoPageDecoder()), identity, configure)
  }

  /// Creates a list of the pages that a closure returns, of items that can be kept; see ``ListKeeping``. Its
  /// ``ListSettings/keeping`` needs a name.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - paging: How the closure is asked for a page.
  ///   - configure: Changes the settings.
  ///   - pages: Returns the page at a place.
  public convenience init<Place>(
    of type: Item.Type, paging: ClosurePaging<Place>,
    configure: (inout ListSettings<Item>) -> Void = { _ in },
    pages: @escaping @concurrent @Sendable (_ place: Place) async throws -> sending Page<Item>
  ) where Item: Codable & Identifiable & SendableMetatype, Item.ID: Sendable {
    self.init(
      PageClosure(keeping: paging, pages), paging.paging, reading: .format(KeptPageDecoder()), .id, configure)
  }

  private convenience init(
    _ closure: PageClosure<Item>, _ paging: Paging, reading reader: PageReader<Item>,
    _ identity: ItemIdentity<Item>, _ configure: (inout ListSettings<Item>) -> Void
  ) {
    self.init(
      .ofClosure(), Call(""), reading: reader, paging: paging, identity: identity, configure: configure)
    source.loader.closure = closure
    if closure.kept == nil { settings.keeping?.reportItems(Item.self) }
  }
}
