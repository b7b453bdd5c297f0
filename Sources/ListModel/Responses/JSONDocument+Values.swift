internal import ItemMapping
internal import ServerAPI

extension JSONDocument {
  /// Returns the value at a path, mapped by its table.
  func mapped<Value: JSONValue>(
    _ type: Value.Type, at path: JSONPath, by mapper: ItemMapper
  ) throws(LoadError) -> sending ItemMapper.Output<Value> {
    do throws(MappingError) {
      return try mapper.item(type, in: self, at: path)
    } catch {
      throw .mapping(error)
    }
  }

  /// Returns the value at a path, decoded from the JSON.
  func decoded<Value: Decodable & SendableMetatype>(
    _ type: Value.Type, at path: JSONPath, by decoder: ItemDecoder
  ) throws(LoadError) -> sending Value {
    let place: JSONView
    switch root.find(path) {
    case .found(let view): place = view
    case .stopped(let stop):
      throw .mapping(.notFound(path, found: "\(stop)", hint: root.nearNames(for: path)))
    }
    do {
      return try decoder.decode(type, from: place)
    } catch {
      throw LoadError(undecodable: error, type, at: path, in: self)
    }
  }
}

extension LoadError {
  /// Creates the error of a value that could not be decoded: the type, the place in the document, and what
  /// to do.
  fileprivate init(
    undecodable error: any Error, _ type: any Any.Type, at path: JSONPath, in document: JSONDocument
  ) {
    func place(_ keys: [any CodingKey]) -> JSONPath {
      JSONPath(
        path.segments + keys.map { $0.intValue.map { .index($0) } ?? .name($0.stringValue) })
    }
    let reason =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context):
        Self.missing(place(context.codingPath + [key]), in: document)
      case .valueNotFound(let type, let context):
        "expected \(type) at \(place(context.codingPath)), found null; "
          + "make the property optional if it may be null"
      case .typeMismatch(_, let context), .dataCorrupted(let context):
        "\(place(context.codingPath)): \(context.debugDescription)"
      default: "\(error)"
      }
    self = .decoding("can't decode \(type): \(reason)")
  }

  private static func missing(_ place: JSONPath, in document: JSONDocument) -> String {
    "no value at \(place); "
      + (document.root.nearNames(for: place) ?? "make the property optional if it may be missing")
  }
}
