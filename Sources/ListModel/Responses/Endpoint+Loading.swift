internal import ItemMapping
public import ServerAPI

extension Server {
  /// Sends the call of an endpoint and returns the item of its response, read off the caller's actor.
  ///
  /// ```swift
  /// let book = try await server.send(Book.one(7))
  /// ```
  public func send<Item>(_ endpoint: Endpoint<Item>) async throws(LoadError) -> sending Item {
    try await value(of: endpoint.call) { response throws(LoadError) in
      try endpoint.item(response.json)
    }
  }

  /// Sends the call of an endpoint and returns the items of one response, the first page of a list. It throws if
  /// an item can't be read.
  ///
  /// ```swift
  /// let newest = try await server.send(Book.list, as: [Book].self)
  /// ```
  public func send<Item>(
    _ endpoint: Endpoint<Item>, as type: [Item].Type
  ) async throws(LoadError) -> sending [Item] {
    try await value(of: endpoint.call) { response throws(LoadError) in
      let document = try response.json
      let path =
        if let declared = endpoint.reader.declaredPath {
          declared
        } else {
          try PageReader<Item>.rows(of: document)
        }
      return try endpoint.items(document, path)
    }
  }

  /// Returns the rows of an endpoint as items, for a loop over all of them. See ``ItemWalk`` for how it ends.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the list.
  ///   - identity: How rows are told apart, so that a repeated one is left out.
  ///   - parallel: How many pages may be in flight at once, where their places can be worked out and the
  ///     server says how many there are.
  ///   - consistency: How much is requested to be sure of the rows.
  ///   - acceptsUnreadableRows: Whether rows that can't be read are meant to be left out.
  ///   - checkpoint: Where an earlier walk over the same endpoint stopped.
  public func items<Item>(
    _ endpoint: Endpoint<Item>, identity: PageWalk.Identity = .recognized, parallel: Int = 1,
    consistency: Consistency.Level = .seams, acceptsUnreadableRows: Bool = false,
    from checkpoint: PageWalk.Checkpoint? = nil
  ) -> ItemWalk<Item> {
    ItemWalk(
      PageWalk(
        self, endpoint, identity: identity, parallel: parallel, consistency: consistency,
        from: checkpoint),
      reading: endpoint.reader, acceptsUnreadableRows: acceptsUnreadableRows)
  }
}

extension PageWalk {
  /// Creates a walk over the list of an endpoint, whose rows stay JSON.
  ///
  /// - Parameters:
  ///   - server: The server to call.
  ///   - endpoint: The endpoint of the list.
  ///   - identity: How rows are told apart.
  ///   - parallel: How many pages may be in flight at once.
  ///   - consistency: How much is requested to be sure of the rows.
  ///   - checkpoint: Where an earlier walk over the same endpoint stopped.
  public convenience init<Item>(
    _ server: Server, _ endpoint: Endpoint<Item>, identity: PageWalk.Identity = .recognized,
    parallel: Int = 1, consistency: Consistency.Level = .seams,
    from checkpoint: PageWalk.Checkpoint? = nil
  ) {
    self.init(
      server, endpoint.call, items: endpoint.reader.declaredPath, paging: endpoint.paging,
      identity: identity, parallel: parallel, consistency: consistency, from: checkpoint)
  }
}

extension ListModel {
  /// Creates a list of the items of an endpoint.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - endpoint: The endpoint of the list.
  ///   - identity: How items are identified.
  ///   - page: The class of the page objects, to read more of a response than its rows.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ endpoint: Endpoint<Item>, identity: ItemIdentity<Item>,
    page: ListPage<Item>.Type = ListPage<Item>.self,
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) {
    self.init(
      server, endpoint.call, reading: endpoint.reader, paging: endpoint.paging,
      identity: identity, page: page, configure: configure)
  }

  /// Creates a list of the `Identifiable` items of an endpoint.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - endpoint: The endpoint of the list.
  ///   - page: The class of the page objects, to read more of a response than its rows.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ endpoint: Endpoint<Item>,
    page: ListPage<Item>.Type = ListPage<Item>.self,
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
    self.init(server, endpoint, identity: .id, page: page, configure: configure)
  }
}

extension BaseModel {
  /// Creates a model of the item of an endpoint.
  public convenience init(_ server: Server, _ endpoint: Endpoint<Value>) {
    let api = BaseServerAPI(server)
    api.call = endpoint.call
    self.init(api, read: endpoint.item)
  }
}
