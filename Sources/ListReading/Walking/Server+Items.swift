public import ItemMapping
public import ServerAPI

extension Server {
  /// Returns the rows of a list as items that have a table, for a loop over all of them.
  ///
  /// ```swift
  /// for try await book in server.items(Book.self, "/books") { print(book.title) }
  /// ```
  ///
  /// See ``ItemWalk`` for how the loop ends. For a call with headers or a body of its own, create an
  /// ``ItemWalk`` of a ``PageWalk``.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - address: The address of the list, relative to the base of the server or absolute.
  ///   - params: The query parameters of every request.
  ///   - path: The path of the rows in a response; without it the walk searches for them.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - identity: How rows are told apart, so that a repeated one is left out.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the server says how
  ///     many there are. With two or more, the next page is requested while the program handles the one before.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - version: Where each response has the version of the whole list.
  ///   - acceptsUnreadableRows: Whether rows that can't be read are meant to be left out.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped.
  ///   - mapper: The mapping rules.
  public func items<Item: JSONValue>(
    _ type: Item.Type, _ address: String = "", params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic, identity: PageWalk.Identity = .recognized, parallel: Int = 1,
    consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    acceptsUnreadableRows: Bool = false,
    from checkpoint: PageWalk.Checkpoint? = nil,
    mapper: ItemMapper = ItemMapper()
  ) -> ItemWalk<Item> {
    ItemWalk(
      PageWalk(
        self, address, params: params, items: path, paging: paging, identity: identity,
        parallel: parallel, consistency: consistency, version: version, from: checkpoint),
      reading: .items(mapper: mapper), acceptsUnreadableRows: acceptsUnreadableRows)
  }

  /// Returns the rows of a list as `Decodable` items, for a loop over all of them.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - address: The address of the list, relative to the base of the server or absolute.
  ///   - params: The query parameters of every request.
  ///   - path: The path of the rows in a response; without it the walk searches for them.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - identity: How rows are told apart, so that a repeated one is left out.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the server says how
  ///     many there are. With two or more, the next page is requested while the program handles the one before.
  ///   - consistency: How many extra requests may be sent to find missing rows.
  ///   - version: Where each response has the version of the whole list.
  ///   - acceptsUnreadableRows: Whether rows that can't be read are meant to be left out.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped.
  ///   - decoder: The formats of dates, data and other values.
  public func items<Item: Decodable & SendableMetatype>(
    _ type: Item.Type, _ address: String = "", params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic, identity: PageWalk.Identity = .recognized, parallel: Int = 1,
    consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    acceptsUnreadableRows: Bool = false,
    from checkpoint: PageWalk.Checkpoint? = nil,
    decoder: ItemDecoder = ItemDecoder()
  ) -> ItemWalk<Item> {
    ItemWalk(
      PageWalk(
        self, address, params: params, items: path, paging: paging, identity: identity,
        parallel: parallel, consistency: consistency, version: version, from: checkpoint),
      reading: .decodables(decoder: decoder), acceptsUnreadableRows: acceptsUnreadableRows)
  }

  /// Returns the rows of a list as items that have a table and are also `Decodable`: they are mapped by the
  /// table. Pass a `decoder` to decode them.
  public func items<Item: JSONValue & Decodable>(
    _ type: Item.Type, _ address: String = "", params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic, identity: PageWalk.Identity = .recognized, parallel: Int = 1,
    consistency: Consistency.Level = .seams, version: ResponseLocation? = nil,
    acceptsUnreadableRows: Bool = false,
    from checkpoint: PageWalk.Checkpoint? = nil
  ) -> ItemWalk<Item> {
    items(
      type, address, params: params, at: path, paging: paging, identity: identity,
      parallel: parallel, consistency: consistency, version: version,
      acceptsUnreadableRows: acceptsUnreadableRows, from: checkpoint,
      mapper: ItemMapper())
  }
}
