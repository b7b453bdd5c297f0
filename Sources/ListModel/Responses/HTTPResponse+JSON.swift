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
