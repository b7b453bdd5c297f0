public import ItemMapping
public import ServerAPI

// Indirect, so that what may hold one stays small.
/// Why a load failed.
public indirect enum LoadError: Error, Hashable, Sendable {
  /// There was no usable response.
  case request(RequestError)
  /// The response does not match the declaration of the items.
  case mapping(MappingError)
  /// The place of the response in the list is unknown.
  case paging(PagingError)
  /// The decoder of the list threw, with this text.
  case decoding(String)
  /// A load that the program carries out itself failed, with this text.
  case custom(String)
}

extension LoadError: CustomStringConvertible {
  /// What failed, where, and what was expected. A failed request takes several lines.
  public var description: String {
    switch self {
    case .request(let error): "\(error)"
    case .mapping(let error): "\(error)"
    case .paging(let error): "\(error)"
    case .decoding(let reason), .custom(let reason): reason
    }
  }
}

extension LoadError {
  /// Creates the error of a load that the program carries out itself, from what it threw.
  public init(_ error: any Error) {
    switch error {
    case let error as LoadError: self = error
    case let error as RequestError: self = .request(error)
    case let error as MappingError: self = .mapping(error)
    case let error as PagingError: self = .paging(error)
    default: self = .custom("\(error)")
    }
  }

  /// Whether the load was cancelled, for any reason: there is nothing to report to the user.
  public var isCancelled: Bool { requestError?.isCancelled ?? false }

  /// Whether the device is probably offline.
  public var isOffline: Bool { requestError?.isOffline ?? false }

  /// What the server says about the failure; see ``RequestError/serverMessage``.
  public var serverMessage: String? { requestError?.serverMessage }

  /// The status of the response that failed; `nil` if no request failed, or it had no response.
  public var status: Int? { requestError?.status }

  /// The address of the request that failed, with secrets masked; `nil` if none did.
  public var url: String? { requestError?.url }

  /// The first 4 KiB of the response to the request that failed, unmasked.
  public var responseBody: ResponseBody? { requestError?.responseBody }

  fileprivate var requestError: RequestError? {
    if case .request(let error) = self { error } else { nil }
  }

  /// Returns the error of a response that can't be read. Of a web page that is all there is to say.
  func about(_ response: HTTPResponse, to call: Call) -> LoadError {
    guard case .mapping(.invalidJSON) = self,
      let error = response.webPageError(method: call.method)
    else { return self }
    return .request(error)
  }

  /// Creates the error for what a decoder threw.
  init(refusal error: any Error) {
    guard let error = error as? DecodingError else {
      self = (error as? MappingError).map { .mapping($0) } ?? .decoding("\(error)")
      return
    }
    self = .decoding("can't decode the page: \(error.reason())")
  }
}

extension LoadError {
  /// The timings of the request, if it failed.
  package var timings: HTTPResponse.Timings? { requestError?.timings }

  /// Whether the server refuses the place of a page, such as a cursor that has expired.
  package var isRefusal: Bool { refusal.map(PageKey.refusals.contains) == true }

  /// The error status with which the server refused the request; `nil` for any other failure.
  var refusal: Int? {
    if case .request(let error) = self, case .status(let status) = error.kind {
      status
    } else {
      nil
    }
  }
}

extension DecodingError {
  /// The place of the value in the document, what was expected there, and what to do.
  ///
  /// - Parameters:
  ///   - path: The path of the value that was decoded.
  ///   - document: The document, to find names that are similar to a missing one.
  func reason(at path: JSONPath = .root, in document: JSONDocument? = nil) -> String {
    func place(_ keys: [any CodingKey]) -> JSONPath {
      JSONPath(
        path.segments + keys.map { $0.intValue.map { .index($0) } ?? .name($0.stringValue) })
    }
    switch self {
    case .keyNotFound(let key, let context):
      let missing = place(context.codingPath + [key])
      return "no value at \(missing); "
        + (document?.root.nearNames(for: missing)
          ?? "make the property optional if it may be missing")
    case .valueNotFound(let type, let context):
      return "expected \(type) at \(place(context.codingPath)), found null; "
        + "make the property optional if it may be null"
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      return "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: return "\(self)"
    }
  }
}

extension HTTPResponse {
  /// Parses the body.
  func document() throws(MappingError) -> JSONDocument { try PageBytes(body).document() }
}
