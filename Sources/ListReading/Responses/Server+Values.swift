public import ItemMapping
public import ServerAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The overloads are chosen by the type:
//
// | type | read as |
// | --- | --- |
// | `String`, `[UInt8]`, `Data` without a path | the body itself |
// | a `JSONValue`: items, numbers, JSON and arrays of these, also if it is `Decodable` | by an `ItemMapper` |
// | any other `Decodable`, and any with a `decoder` argument | by an `ItemDecoder` |
extension Server {
  /// Sends a call and returns the value of its response, mapped by a table.
  ///
  /// ```swift
  /// let me = try await server.send(Call("/me"), as: Me.self)
  /// let books = try await server.send(Call("/books"), as: [Book].self, at: "data.list")
  /// ```
  ///
  /// The value may be an item, a number, ``JSONView`` or another ``JSONValue``, and an array, a dictionary
  /// or an optional of these. A type that is also `Decodable` is mapped; pass a `decoder` to decode it.
  /// A `String`, `[UInt8]` or `Data` is read from the JSON only with a path, and is otherwise the body.
  /// The body is parsed and mapped off the caller's actor.
  ///
  /// A value that can't be read leaves its property unchanged, as always with a table. An element of the
  /// requested list that can't be read is only dropped if there is a `report` that says so.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - type: The type of the value.
  ///   - path: The path of the value in the JSON.
  ///   - mapper: The mapping rules.
  ///   - report: Called with everything that was not as expected, if anything was. Without it, a list with
  ///     an unreadable element throws.
  /// - Throws: ``LoadError/request(_:)`` without a usable response, ``LoadError/mapping(_:)`` without a
  ///   value in it.
  public func send<Value: JSONValue>(
    _ call: Call, as type: Value.Type, at path: JSONPath = .root,
    mapper: ItemMapper = ItemMapper(), report: ((MappingReport) -> Void)? = nil
  ) async throws(LoadError) -> sending Value {
    try await mapped(call, as: type, at: path, by: mapper, report: report)
  }

  /// Sends a call and returns the value of its response, decoded from JSON.
  ///
  /// The body is parsed and decoded off the caller's actor. Each element of an array must be decodable.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - type: The type of the value.
  ///   - path: The path of the value in the JSON.
  ///   - decoder: The formats of dates, data and other values.
  /// - Throws: ``LoadError/request(_:)`` without a usable response, ``LoadError/mapping(_:)`` without JSON
  ///   or a value at the path, ``LoadError/decoding(_:)`` if the type can't be decoded from it.
  public func send<Value: Decodable & SendableMetatype>(
    _ call: Call, as type: Value.Type, at path: JSONPath = .root,
    decoder: ItemDecoder = ItemDecoder()
  ) async throws(LoadError) -> sending Value {
    try await value(of: call) { response throws(LoadError) in
      try response.json.decoded(type, at: path, by: decoder)
    }
  }

  /// Sends a call and returns the value of its response, for a type with a table that is also
  /// `Decodable`: it is mapped. Pass a `decoder` to decode it.
  public func send<Value: JSONValue & Decodable>(
    _ call: Call, as type: Value.Type, at path: JSONPath = .root
  ) async throws(LoadError) -> sending Value {
    try await mapped(call, as: type, at: path, by: ItemMapper(), report: nil)
  }

  /// Sends a call and returns its response as JSON, parsed off the caller's actor.
  public func send(
    _ call: Call, as type: JSONDocument.Type
  ) async throws(LoadError) -> JSONDocument {
    try await value(of: call) { response throws(LoadError) in try response.json }
  }

  /// Sends a call and returns its response as text, decoded off the caller's actor in the character set
  /// of `Content-Type`.
  public func send(_ call: Call, as type: String.Type) async throws(LoadError) -> String {
    try await value(of: call) { response throws(LoadError) in
      do throws(RequestError) {
        return try response.text()
      } catch {
        throw .request(error.about(response, to: call))
      }
    }
  }

  /// Sends a call and returns the bytes of its response.
  public func send(_ call: Call, as type: [UInt8].Type) async throws(LoadError) -> [UInt8] {
    try await value(of: call) { response throws(LoadError) in response.body.bytes }
  }

  /// Sends a call and returns the bytes of its response.
  public func send(_ call: Call, as type: Data.Type) async throws(LoadError) -> Data {
    try await value(of: call) { response throws(LoadError) in response.body.data }
  }

  private func mapped<Value: JSONValue>(
    _ call: Call, as type: Value.Type, at path: JSONPath, by mapper: ItemMapper,
    report: ((MappingReport) -> Void)?
  ) async throws(LoadError) -> sending Value {
    var mapper = mapper
    if report == nil { mapper.elements = .fail }
    let mapped = try await value(of: call) { [mapper] response throws(LoadError) in
      try response.json.mapped(type, at: path, by: mapper)
    }
    if let report, !mapped.report.isClean { report(mapped.report) }
    return mapped.value
  }

  /// Sends a call, and reads its response off the caller's actor.
  @concurrent
  func value<Value>(
    of call: Call, read: @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  ) async throws(LoadError) -> sending Value {
    let response: HTTPResponse
    do throws(RequestError) {
      response = try await send(call)
    } catch {
      throw .request(error)
    }
    return try response.read(read)
  }
}

extension HTTPResponse {
  /// Reads the response, and removes it from the cache if that fails, so that a retry does not get it again.
  package func read<Value>(
    _ read: (HTTPResponse) throws(LoadError) -> sending Value
  ) throws(LoadError) -> sending Value {
    do throws(LoadError) {
      return try read(self)
    } catch {
      removeFromCache()
      throw error
    }
  }
}

extension RequestError {
  /// Returns the error with the facts of the call whose response can't be used.
  func about(_ response: HTTPResponse, to call: Call) -> RequestError {
    var error = self
    error.request = "\(call.method) \(Redaction().url(response.url))"
    error.attempts = response.attempts
    error.timings = response.timings
    return error
  }
}

extension JSONDocument {
  /// Returns the value at a path, mapped by its table.
  package func mapped<Value: JSONValue>(
    _ type: Value.Type, at path: JSONPath, by mapper: ItemMapper
  ) throws(LoadError) -> sending (value: Value, report: MappingReport) {
    do throws(MappingError) {
      return try mapper.item(type, in: self, at: path)
    } catch {
      throw .mapping(error)
    }
  }

  /// Returns the value at a path, decoded from the JSON.
  package func decoded<Value: Decodable & SendableMetatype>(
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
