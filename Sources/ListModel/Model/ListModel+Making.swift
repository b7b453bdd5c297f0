public import ItemMapping
public import ListReading
public import ServerAPI

extension ListModel {
  /// Creates a list of `Identifiable` items that have a table.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: The address of the list, absolute or relative to the server's base URL.
  ///   - method: The method of every request.
  ///   - params: The query parameters of every request.
  ///   - items: The path of the rows in a page; without it the list finds them.
  ///   - paging: How pages are requested, and how the end is recognized.
  ///   - page: The class of the page objects, to read more of a response than its rows.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging, page: ListPage<Item>.Type = ListPage<Item>.self,
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) where Item: JSONValue & Identifiable, Item.ID: Sendable {
    self.init(
      server, Call(address, method: method, params: params), reading: .items(at: items),
      paging: paging,
      identity: .id, page: page, configure: configure)
  }

  /// Creates a list of `Identifiable` items that are `Decodable`.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: The address of the list, absolute or relative to the server's base URL.
  ///   - method: The method of every request.
  ///   - params: The query parameters of every request.
  ///   - items: The path of the rows in a page; without it the list finds them.
  ///   - paging: How pages are requested, and how the end is recognized.
  ///   - page: The class of the page objects, to read more of a response than its rows.
  ///   - decoder: The formats of dates, data and other values.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging, page: ListPage<Item>.Type = ListPage<Item>.self,
    decoder: ItemDecoder = ItemDecoder(),
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) where Item: Decodable & Identifiable & SendableMetatype, Item.ID: Sendable {
    self.init(
      server, Call(address, method: method, params: params),
      reading: .decodables(at: items, decoder: decoder),
      paging: paging, identity: .id, page: page, configure: configure)
  }

  /// Creates a list of items that have a table, with the given identity.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: The address of the list, absolute or relative to the server's base URL.
  ///   - method: The method of every request.
  ///   - params: The query parameters of every request.
  ///   - items: The path of the rows in a page; without it the list finds them.
  ///   - paging: How pages are requested, and how the end is recognized.
  ///   - identity: How items are identified.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging, identity: ItemIdentity<Item>,
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) where Item: JSONValue {
    self.init(
      server, Call(address, method: method, params: params), reading: .items(at: items),
      paging: paging,
      identity: identity, configure: configure)
  }

  /// Creates a list of `Decodable` items, with the given identity.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: The address of the list, absolute or relative to the server's base URL.
  ///   - method: The method of every request.
  ///   - params: The query parameters of every request.
  ///   - items: The path of the rows in a page; without it the list finds them.
  ///   - paging: How pages are requested, and how the end is recognized.
  ///   - identity: How items are identified.
  ///   - decoder: The formats of dates, data and other values.
  ///   - configure: Changes the settings.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging, identity: ItemIdentity<Item>,
    decoder: ItemDecoder = ItemDecoder(),
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) where Item: Decodable & SendableMetatype {
    self.init(
      server, Call(address, method: method, params: params),
      reading: .decodables(at: items, decoder: decoder),
      paging: paging, identity: identity, configure: configure)
  }
}
