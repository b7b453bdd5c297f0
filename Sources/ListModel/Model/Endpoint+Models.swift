public import ListReading
public import ServerAPI

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
      identity: identity, page: page
    ) { settings in
      settings.failures = endpoint.failures
      configure(&settings)
    }
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
