public import ItemMapping
public import ServerAPI

extension ListModel {
  /// A list of items with a table that are `Identifiable`.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: Where the list is, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: What every request has in its query.
  ///   - items: Where in a page the rows are; without it the list looks for them.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - page: The class of the page objects, to read more of an answer than its rows.
  ///   - configure: Changes the rules.
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

  /// A list of `Decodable` items that are `Identifiable`.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: Where the list is, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: What every request has in its query.
  ///   - items: Where in a page the rows are; without it the list looks for them.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - page: The class of the page objects, to read more of an answer than its rows.
  ///   - decoder: How the values of an item are written.
  ///   - configure: Changes the rules.
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

  /// A list of items with a table, told apart as it is said.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: Where the list is, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: What every request has in its query.
  ///   - items: Where in a page the rows are; without it the list looks for them.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - identity: How items are told apart.
  ///   - configure: Changes the rules.
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

  /// A list of `Decodable` items, told apart as it is said.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: Where the list is, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: What every request has in its query.
  ///   - items: Where in a page the rows are; without it the list looks for them.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - identity: How items are told apart.
  ///   - decoder: How the values of an item are written.
  ///   - configure: Changes the rules.
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
