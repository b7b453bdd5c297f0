public import ItemMapping
internal import ServerAPI

/// How a list makes items of an answer.
public struct PageReader<Item>: Sendable {
  typealias Read =
    @Sendable (JSONDocument, JSONPath) throws(MappingError) -> sending Mapped<[Item]>

  enum Way: Sendable {
    case json(Read)
    case format(any PageDecoder<Item>)
  }

  let way: Way
  /// Where the rows were said to be.
  let declaredPath: JSONPath?

  /// Items with a table, and other values that properties can have.
  ///
  /// - Parameters:
  ///   - path: Where in an answer the rows are; without it the list looks for them.
  ///   - mapper: The rules.
  public static func items(
    at path: JSONPath? = nil, mapper: ItemMapper = ItemMapper()
  ) -> PageReader where Item: JSONValue {
    PageReader(
      way: .json { document, path throws(MappingError) in
        try mapper.items(Item.self, in: document, at: path)
      }, declaredPath: path)
  }

  /// Items of a `Decodable` type.
  ///
  /// - Parameters:
  ///   - path: Where in an answer the rows are; without it the list looks for them.
  ///   - decoder: How the type's values are written.
  ///   - mapper: The rules for what can't be read.
  public static func decodables(
    at path: JSONPath? = nil, by decoder: ItemDecoder = ItemDecoder(),
    mapper: ItemMapper = ItemMapper()
  ) -> PageReader where Item: Decodable & SendableMetatype {
    PageReader(
      way: .json { document, path throws(MappingError) in
        try mapper.items(Item.self, in: document, at: path, by: decoder)
      }, declaredPath: path)
  }

  /// Items in another format than JSON.
  public static func format(_ decoder: any PageDecoder<Item>) -> PageReader {
    PageReader(way: .format(decoder), declaredPath: nil)
  }
}

/// What a reader made of an answer.
struct ReadPage<Item> {
  var items: [Item]
  var report: MappingReport
  var envelope: JSONView?
  var itemsPath: JSONPath
  /// How many rows the server sent, those that could not be read included.
  var count: Int
}

extension PageReader {
  /// Reads an answer. `found` is where the list was found in an earlier one.
  func read(
    _ response: HTTPResponse, found: JSONPath?
  ) throws(LoadError) -> sending ReadPage<Item> {
    switch way {
    case .json(let read):
      let document: JSONDocument
      do throws(MappingError) {
        document = try response.document()
      } catch {
        throw .mapping(error)
      }
      let path =
        if let known = declaredPath ?? found { known } else { try Self.rows(of: document) }
      do throws(MappingError) {
        let mapped = try read(document, path)
        return ReadPage(
          items: mapped.value, report: mapped.report, envelope: document.root, itemsPath: path,
          count: mapped.value.count + mapped.report.droppedItems)
      } catch {
        throw .mapping(error)
      }
    case .format(let decoder):
      do {
        let page = try decoder.decode(PageBytes(response.body))
        return ReadPage(
          items: page.items, report: page.report, envelope: page.envelope, itemsPath: .root,
          count: page.items.count + page.report.droppedItems)
      } catch {
        throw LoadError(refusal: error)
      }
    }
  }

  private static func rows(of document: JSONDocument) throws(LoadError) -> JSONPath {
    let list = ListFinder.find(in: document.root)
    guard case .found(let path, _) = list else {
      throw .paging(list.error ?? .custom("no list was found"))
    }
    return path
  }
}
