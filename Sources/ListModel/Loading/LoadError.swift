public import ItemMapping
public import ServerAPI

/// Why a load brought no page.
public enum LoadError: Error, Hashable, Sendable {
  /// No usable answer came.
  case request(RequestError)
  /// The answer is not what the items were declared to be.
  case mapping(MappingError)
  /// The answer can't be placed in the list.
  case paging(PagingError)
  /// The decoder of the list refused the answer, in its words.
  case decoding(String)
}

extension LoadError: CustomStringConvertible {
  /// What went wrong, where, and what was expected. A failed request takes several lines.
  public var description: String {
    switch self {
    case .request(let error): "\(error)"
    case .mapping(let error): "\(error)"
    case .paging(let error): "\(error)"
    case .decoding(let reason): reason
    }
  }
}

extension LoadError {
  /// What a decoder threw.
  init(refusal error: any Error) {
    guard let error = error as? DecodingError else {
      self = (error as? MappingError).map { .mapping($0) } ?? .decoding("\(error)")
      return
    }
    let (path, reason): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let context): (context.codingPath + [key], "there is no value")
      case .valueNotFound(let type, let context): (context.codingPath, "\(type) is null")
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

extension JSONDocument {
  /// The value at a path, or why there is none.
  func view(at path: JSONPath) throws(MappingError) -> JSONView {
    switch root.find(path) {
    case .found(let view): return view
    case .stopped(let stop): throw .nothingThere(path, found: "\(stop)", hint: nil)
    }
  }
}
