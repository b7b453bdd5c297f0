public import ItemMapping
public import ServerAPI

extension PageReader {
  /// Reads a response to a method. `found` is where the list was found in an earlier one, `parsed` its JSON if it was
  /// parsed already.
  func read(
    _ response: HTTPResponse, to method: HTTPMethod, found: JSONPath?,
    parsed: JSONDocument? = nil
  ) throws(LoadError) -> sending DecodedPage<Item> {
    switch way {
    case .json(let read):
      let document = if let parsed { parsed } else { try response.parsed(to: method) }
      let path =
        if let known = declaredPath ?? found { known } else { try Self.rows(of: document) }
      do throws(MappingError) {
        let mapped = try read(document, path)
        var page = DecodedPage(
          items: mapped.value, report: mapped.report, envelope: document.root)
        page.itemsPath = path
        return page
      } catch {
        throw .mapping(error)
      }
    case .format(let decoder):
      do {
        return try decoder.decode(PageBytes(response.body))
      } catch {
        throw LoadError(refusal: error)
      }
    }
  }

  /// Finds the rows of a response.
  static func rows(of document: JSONDocument) throws(LoadError) -> JSONPath {
    do throws(PagingError) { return try ListFinder.find(in: document.root).path() } catch {
      throw .paging(error)
    }
  }
}

extension HTTPResponse {
  /// Parses the body, within the memory that pages may take.
  func parsed(to method: HTTPMethod) throws(LoadError) -> JSONDocument {
    let memory: MemoryBudget.Share?
    do throws(RequestError) { memory = try shareForParsing(to: method) } catch {
      throw .request(error)
    }
    do throws(MappingError) {
      return try PageBytes(body, memory).document()
    } catch {
      throw .mapping(error)
    }
  }
}

extension PageBytes {
  /// Creates page bytes that share the memory of a response body.
  public init(_ body: ResponseBody) { self.init(body, nil) }

  /// Creates page bytes that also keep the memory for what is parsed from them.
  init(_ body: ResponseBody, _ memory: MemoryBudget.Share?) {
    self = body.withUnsafeBytes {
      PageBytes(
        unsafeBytes: $0, padding: ResponseBody.padding,
        keeping: KeptBody(body: body, memory: memory))
    }
  }
}

extension JSONDocument {
  /// Parses a response body in place, without a copy.
  public convenience init(_ body: ResponseBody) throws(JSONError) {
    try self.init(PageBytes(body))
  }
}

/// A body that is being read, with the memory for what is parsed from it.
private struct KeptBody: Sendable {
  let body: ResponseBody
  let memory: MemoryBudget.Share?
}
