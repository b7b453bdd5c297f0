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
    let reason = (error as? DecodingError)?.reason(at: path, in: document) ?? "\(error)"
    self = .decoding("can't decode \(type): \(reason)")
  }
}
