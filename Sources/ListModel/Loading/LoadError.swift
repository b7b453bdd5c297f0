public import ItemMapping
public import ServerAPI

/// Why a load failed.
public enum LoadError: Error, Hashable, Sendable {
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
  /// Creates the error of a load that the program carries out itself.
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

  private var requestError: RequestError? {
    if case .request(let error) = self { error } else { nil }
  }

  /// Creates the error for what a decoder threw.
  init(refusal error: any Error) {
    guard let error = error as? DecodingError else {
      self = (error as? MappingError).map { .mapping($0) } ?? .decoding("\(error)")
      return
    }
    let (path, reason): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let context): (context.codingPath + [key], "the value is missing")
      case .valueNotFound(let type, let context):
        (context.codingPath, "expected \(type), found null")
      case .typeMismatch(_, let context), .dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      @unknown default: ([], "\(error)")
      }
    let place = JSONPath(path.map { $0.intValue.map { .index($0) } ?? .name($0.stringValue) })
    self = .decoding("\(place): \(reason)")
  }
}

extension HTTPResponse {
  /// Parses the body.
  func document() throws(MappingError) -> JSONDocument { try PageBytes(body).document() }
}
