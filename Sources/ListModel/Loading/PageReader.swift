internal import ItemMapping
internal import ServerAPI

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
