/// Reads the pages of a list: JSON with items of any kind, or another format.
///
/// A list model takes one to read its pages. Use it yourself for pages that come from elsewhere:
///
/// ```swift
/// let page = try await PageReader<Book>.items(at: "data.list").page(PageBytes(data))
/// ```
public struct PageReader<Item>: PageDecoder {
  package typealias Read =
    @Sendable (JSONDocument, JSONPath) throws(MappingError) -> sending ItemMapper.Output<[Item]>

  package enum Way: Sendable {
    case json(Read)
    case format(any PageDecoder<Item>)
  }

  package let way: Way
  /// Where the rows were said to be.
  package let declaredPath: JSONPath?

  /// Reads items with a table, and other values that properties can have.
  ///
  /// - Parameters:
  ///   - path: Where in a page the rows are. Without it a list model looks for them, and ``decode(_:)``
  ///     takes the whole page.
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
  ///   - path: Where in a page the rows are. Without it a list model looks for them, and ``decode(_:)``
  ///     takes the whole page.
  ///   - decoder: How the type's values are written.
  ///   - mapper: The rules for what can't be read; those for single values are the decoder's business.
  public static func decodables(
    at path: JSONPath? = nil, decoder: ItemDecoder = ItemDecoder(),
    mapper: ItemMapper = ItemMapper()
  ) -> PageReader where Item: Decodable & SendableMetatype {
    PageReader(
      way: .json { document, path throws(MappingError) in
        try mapper.items(Item.self, in: document, at: path, decoder: decoder)
      }, declaredPath: path)
  }

  /// Reads items of another format than JSON.
  public static func format(_ decoder: any PageDecoder<Item>) -> PageReader {
    PageReader(way: .format(decoder), declaredPath: nil)
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

/// Makes items of the bytes of a page. ``PageReader`` does it for JSON; another format needs this one
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
  /// What a page consists of.
  associatedtype Item

  /// The items of a page, and what else it says.
  ///
  /// It is called off the main actor. What it throws loses the page; an item that can't be read should
  /// rather be left out and reported.
  func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item>
}

extension PageDecoder {
  /// Decodes a page away from the caller's actor, and hands the items over.
  @concurrent
  public func page(_ bytes: PageBytes) async throws -> sending DecodedPage<Item> {
    try decode(bytes)
  }
}

/// A page as far as its format matters: the items, and what stands around them.
public struct DecodedPage<Item> {
  /// The items, in the order of the page.
  public var items: [Item]
  /// What was wrong.
  public var report: MappingReport
  /// The whole page, where the next cursor or the total may be. A format other than JSON may put such facts
  /// into a small document of its own.
  public var envelope: JSONView?
  /// Where in the page the items are.
  package var itemsPath = JSONPath.root
  /// How many rows the server sent, those that could not be read included.
  package var count: Int { items.count + report.droppedItems }

  /// A page.
  public init(items: [Item], report: MappingReport = MappingReport(), envelope: JSONView? = nil) {
    self.items = items
    self.report = report
    self.envelope = envelope
  }
}

extension DecodedPage: Sendable where Item: Sendable {}
