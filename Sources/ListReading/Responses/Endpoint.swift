public import ItemMapping
public import ServerAPI

/// An address of a service and the type of its items, declared once for lists, loops and single requests.
///
/// ```swift
/// extension Book {
///   static var list: Endpoint<Book> {
///     Endpoint("/books", at: "data.list", paging: .pageNumber(size: 20))
///   }
///   static func one(_ id: Int) -> Endpoint<Book> { Endpoint("/books/\(id)", at: "data") }
/// }
///
/// let books = ListModel(server, Book.list)
/// for try await book in server.items(Book.list) { … }
/// let book = try await server.send(Book.one(7))
/// ```
///
/// The items have a table or are `Decodable`; a type with both is read by its table.
public struct Endpoint<Item>: Sendable {
  /// The call: address, method, parameters, header fields, body. The address must not be empty.
  public var call: Call
  /// How pages are requested, and how the end is detected.
  public var paging: Paging
  /// What says that a response failed or has some of the rows only, although its status is one of success. It is about
  /// lists: the response with one item may have such members of its own.
  public var failures = FailureWords()
  /// Reads the items of a page.
  package let reader: PageReader<Item>
  /// Reads one item.
  package let item: @Sendable (JSONDocument) throws(LoadError) -> sending Item
  /// Reads all items at a path, or throws if one can't be read.
  let items: @Sendable (JSONDocument, JSONPath) throws(LoadError) -> sending [Item]

  private init(
    _ call: Call, _ paging: Paging, _ reader: PageReader<Item>,
    item: @escaping @Sendable (JSONDocument) throws(LoadError) -> sending Item,
    items: @escaping @Sendable (JSONDocument, JSONPath) throws(LoadError) -> sending [Item]
  ) {
    self.call = call
    self.call.requiresAddress = true
    self.paging = paging
    self.reader = reader
    self.item = item
    self.items = items
  }
}

extension Endpoint where Item: JSONValue {
  /// Creates an endpoint whose items have a table.
  ///
  /// - Parameters:
  ///   - address: The address, relative to the base of the server or absolute.
  ///   - method: The method.
  ///   - params: The parameters.
  ///   - path: The path of the rows, or of the item, in a response. Without it a list searches for its rows, and
  ///     an item is the whole response.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - mapper: The mapping rules.
  public init(
    _ address: String, method: HTTPMethod = .get, params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic, mapper: ItemMapper = ItemMapper()
  ) {
    var strict = mapper
    strict.elements = .fail
    self.init(
      Call(address, method: method, params: params), paging, .items(at: path, mapper: mapper)
    ) { document throws(LoadError) in
      try document.mapped(Item.self, at: path ?? .root, by: mapper).value
    } items: { [strict] document, path throws(LoadError) in
      try document.mapped([Item].self, at: path, by: strict).value
    }
  }
}

extension Endpoint where Item: Decodable & SendableMetatype {
  /// Creates an endpoint whose items are `Decodable`.
  ///
  /// - Parameters:
  ///   - address: The address, relative to the base of the server or absolute.
  ///   - method: The method.
  ///   - params: The parameters.
  ///   - path: The path of the rows, or of the item, in a response. Without it a list searches for its rows, and
  ///     an item is the whole response.
  ///   - paging: How pages are requested, and how the end is detected.
  ///   - decoder: The formats of dates, data and other values.
  public init(
    _ address: String, method: HTTPMethod = .get, params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic, decoder: ItemDecoder = ItemDecoder()
  ) {
    self.init(
      Call(address, method: method, params: params), paging,
      .decodables(at: path, decoder: decoder)
    ) { document throws(LoadError) in
      try document.decoded(Item.self, at: path ?? .root, by: decoder)
    } items: { document, path throws(LoadError) in
      try document.decoded([Item].self, at: path, by: decoder)
    }
  }
}

extension Endpoint where Item: JSONValue & Decodable {
  /// Creates an endpoint whose items have a table and are also `Decodable`: they are mapped by the table. Pass a
  /// `decoder` to decode them.
  public init(
    _ address: String, method: HTTPMethod = .get, params: Params = [:], at path: JSONPath? = nil,
    paging: Paging = .automatic
  ) {
    self.init(
      address, method: method, params: params, at: path, paging: paging, mapper: ItemMapper())
  }
}

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
}
