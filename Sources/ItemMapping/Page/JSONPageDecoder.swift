/// Reads pages of JSON: items with a table, or any `Decodable` type.
public struct JSONPageDecoder<Item>: PageDecoder {
  private let read: @Sendable (JSONDocument) throws(MappingError) -> sending Mapped<[Item]>

  /// Reads items with a table, or values such as numbers and strings.
  ///
  /// - Parameters:
  ///   - path: Where in a page the list is.
  ///   - mapper: The rules.
  public init(items path: JSONPath = .root, mapper: ItemMapper = ItemMapper())
  where Item: JSONValue {
    read = { document throws(MappingError) in
      try mapper.items(Item.self, in: document, at: path)
    }
  }

  /// Reads items of a `Decodable` type.
  ///
  /// - Parameters:
  ///   - path: Where in a page the list is.
  ///   - mapper: The rules; those for single values are the decoder's business.
  ///   - decoder: How the type's values are written.
  public init(
    items path: JSONPath = .root, mapper: ItemMapper = ItemMapper(),
    decoder: ItemDecoder = ItemDecoder()
  ) where Item: Decodable & SendableMetatype {
    read = { document throws(MappingError) in
      try mapper.items(Item.self, in: document, at: path, by: decoder)
    }
  }

  /// Parses a page and reads its list.
  public func decode(_ bytes: PageBytes) throws -> sending DecodedPage<Item> {
    let document = try bytes.document()
    let mapped = try read(document)
    return DecodedPage(items: mapped.value, report: mapped.report, envelope: document.root)
  }
}
