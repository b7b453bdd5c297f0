/// A reader of a list's pages: JSON with items of any kind, or another format.
///
/// A list model uses it to read its pages. Use it directly for pages from elsewhere:
///
/// ```swift
/// let page = try await PageReader<Book>.items(at: "data.list").page(PageBytes(data))
/// ```
public struct PageReader<Item>: PageDecoder {
  package typealias Read =
    @Sendable (JSONDocument, JSONPath) throws(MappingError) -> sending (value: [Item], report: MappingReport)

  package enum Way: Sendable {
    case json(Read)
    case format(any PageDecoder<Item>)
  }

  package let way: Way
  /// The path of the rows, if it was declared.
  package let declaredPath: JSONPath?

  /// Reads items with a field table, and other values of a ``JSONValue`` type.
  ///
  /// - Parameters:
  ///   - path: The path of the rows in a page. Without it a list model searches for them, and
  ///     ``decode(_:)`` reads the whole page.
  ///   - mapper: The rules.
  public static func items(
    at path: JSONPath? = nil, mapper: ItemMapper = ItemMapper()
  ) -> PageReader where Item: JSONValue {
    PageReader(
      way: .json { document, path throws(MappingError) in
        try mapper.items(Item.self, in: document, at: path)
      }, declaredPath: path)
  }

  /// Reads items of a `Decodable` type.
  ///
  /// - Parameters:
  ///   - path: The path of the rows in a page. Without it a list model searches for them, and
  ///     ``decode(_:)`` reads the whole page.
  ///   - decoder: The decoder for the items.
  ///   - mapper: The rules for rows that can't be read. The decoder has the rules for single
  ///     values.
  public static func decodables(
    at path: JSONPath? = nil, decoder: ItemDecoder = ItemDecoder(),
    mapper: ItemMapper = ItemMapper()
  ) -> PageReader where Item: Decodable & SendableMetatype {
    PageReader(
      way: .json { document, path throws(MappingError) in
        try mapper.items(Item.self, in: document, at: path, decoder: decoder)
      }, declaredPath: path)
  }

  /// Reads items of a format other than JSON.
  public static func format(_ decoder: any PageDecoder<Item>) -> PageReader {
    PageReader(way: .format(decoder), declaredPath: nil)
  }

  /// Reads the rows at a path of a document. A page in a format other than JSON has none.
  package func items(
    in document: JSONDocument, at path: JSONPath
  ) throws(MappingError) -> sending (value: [Item], report: MappingReport) {
    guard case .json(let read) = way else {
      throw .notFound(path, found: "the page is not JSON", hint: nil)
    }
    return try read(document, path)
  }

  /// Reads a page.
  public func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item> {
    switch way {
    case .json(let read):
      let document = try bytes.document()
      let mapped = try read(document, declaredPath ?? .root)
      return DecodedPage(items: mapped.value, report: mapped.report, envelope: document.root)
    case .format(let decoder): return try decoder.decode(bytes)
    }
  }
}

/// A decoder of pages. ``PageReader`` decodes JSON; another format only has to implement this one
/// method.
///
/// ```swift
/// struct NameDecoder: PageDecoder {
///   func decode(_ bytes: PageBytes) throws -> sending DecodedPage<String> {
///     let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
///     return DecodedPage(items: text.split(separator: "\n").map(String.init))
///   }
/// }
/// ```
public protocol PageDecoder<Item>: Sendable {
  /// The type of a page's items.
  associatedtype Item

  /// Decodes the items of a page and the document around them.
  ///
  /// Called off the main actor. An error discards the page, so drop and report an item that can't
  /// be read instead of throwing.
  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item>
}

extension PageDecoder {
  /// Decodes a page off the caller's actor, and transfers the items to the caller.
  @concurrent
  public func page(_ bytes: PageBytes) async throws -> sending DecodedPage<Item> {
    try decode(bytes)
  }
}

/// A decoded page: the items, and the document around them.
public struct DecodedPage<Item> {
  /// The items, in the order of the page.
  public var items: [Item]
  /// The issues found in the page.
  public var report: MappingReport
  /// The whole page, which may have the next cursor or the total. A format other than JSON may
  /// provide such facts in a small document of its own.
  public var envelope: JSONView?
  /// The path of the items in the page.
  package var itemsPath = JSONPath.root
  /// The number of rows the server sent, including those that could not be read.
  package var count: Int { items.count + report.droppedItems }

  /// Creates a page.
  public init(items: [Item], report: MappingReport = MappingReport(), envelope: JSONView? = nil) {
    self.items = items
    self.report = report
    self.envelope = envelope
  }
}

extension DecodedPage: Sendable where Item: Sendable {}
