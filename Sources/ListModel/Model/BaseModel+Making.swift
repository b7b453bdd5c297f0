public import ItemMapping
public import ServerAPI

extension BaseModel {
  /// A value with a table.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: Where in the JSON of the answer the value is.
  ///   - mapper: The rules.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, mapper: ItemMapper = ItemMapper()
  ) where Value: JSONValue {
    self.init(api) { response throws(LoadError) in
      do throws(MappingError) {
        return try mapper.item(Value.self, in: response.document(), at: path).value
      } catch {
        throw .mapping(error)
      }
    }
  }

  /// A `Decodable` value.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: Where in the JSON of the answer the value is.
  ///   - decoder: How the type's values are written.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, decoder: ItemDecoder = ItemDecoder()
  ) where Value: Decodable & SendableMetatype {
    self.init(api) { response throws(LoadError) in
      let place: JSONView
      do throws(MappingError) {
        place = try response.document().view(at: path)
      } catch {
        throw .mapping(error)
      }
      do {
        return try decoder.decode(Value.self, from: place)
      } catch {
        throw LoadError(refusal: error)
      }
    }
  }
}
