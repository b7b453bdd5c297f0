public import ItemMapping
public import ServerAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTTPResponse {
  /// The body as JSON, with any outermost value.
  ///
  /// The body is parsed on each access, in place and where the caller runs, so keep the document. Throws
  /// ``LoadError/mapping(_:)`` with ``MappingError/invalidJSON(_:)`` if the body is not JSON.
  ///
  /// ```swift
  /// let title = try response.json["data"]?["title"]?.string
  /// ```
  public var json: JSONDocument {
    get throws(LoadError) {
      do throws(MappingError) {
        return try document()
      } catch {
        throw .mapping(error)
      }
    }
  }
}

extension ResponseBody {
  /// A copy of the content as an array.
  public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// A copy of the content as `Data`.
  public var data: Data { withUnsafeBytes { Data($0) } }
}

extension ItemDecoder {
  /// Parses and decodes the body of a response in place. Invalid JSON throws
  /// `DecodingError.dataCorrupted` with the ``JSONError`` as the underlying error.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from response: HTTPResponse
  ) throws -> T {
    try decode(type, from: response.body)
  }

  /// Parses and decodes a body in place. Invalid JSON throws `DecodingError.dataCorrupted` with the
  /// ``JSONError`` as the underlying error.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from body: ResponseBody
  ) throws -> T {
    try decode(type, from: PageBytes(body))
  }
}

extension BaseServerAPI {
  /// Whether the body of a response is parsed as JSON, once and off the main actor. The default is `false`,
  /// since a response may also be a picture or text.
  ///
  /// ```swift
  /// let api = BaseServerAPI(server, "/books")
  /// api.parsesJSON = true
  /// _ = await api.run()
  /// print(api.json?["data"]?.count ?? 0)
  /// ```
  ///
  /// A body that is not JSON is then a failure, ``RequestError/Kind/undecodable(_:)``. Responses that have no
  /// body by definition, such as `204`, succeed with ``json`` being `nil`; so do responses without JSON whose
  /// error status the call accepts. A change applies from the next start on.
  public var parsesJSON: Bool {
    get { reader != nil }
    set {
      reader = nil
      if newValue { reader = { response throws(RequestError) in try response.parsed() } }
    }
  }

  /// The JSON of the response, with any outermost value; `nil` while loading, unless the last start succeeded,
  /// and unless ``parsesJSON`` was set before. ``validate(_:)`` can read it too.
  public var json: JSONDocument? { content as? JSONDocument }
}

extension HTTPResponse {
  /// Parses the body. The error says where the body is wrong, and shows nothing of it, since it may be secret.
  fileprivate func parsed() throws(RequestError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(body)
    } catch {
      guard error.code != .empty else {
        throw RequestError(.undecodable("the body is empty, expected JSON"))
      }
      throw RequestError(
        .undecodable(
          "the body is not valid JSON at line \(error.line), column \(error.column)"
            + (error.expected.isEmpty ? "" : ", expected \(error.expected)")))
    }
  }
}
