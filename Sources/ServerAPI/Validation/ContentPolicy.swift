/// Which media types a successful answer may have. It also becomes the `Accept` field of a call that
/// does not set its own.
public enum ContentPolicy: Hashable, Sendable {
  /// Whatever comes.
  case any
  /// `application/json` or any type with the suffix `+json`. HTML, or a body that begins like it, is
  /// reported as a captive portal; an answer that names no type passes.
  case json
  /// One of these, such as `text/csv` or `image/*`; an answer that names no type is refused.
  case types([String])

  /// What `Accept` says.
  var acceptValue: String {
    switch self {
    case .any: "*/*"
    case .json: "application/json"
    case .types(let types): types.joined(separator: ", ")
    }
  }

  /// Whether an answer of this type is welcome.
  func accepts(_ type: HTTPResponse.MediaType?) -> Bool {
    switch self {
    case .any: true
    case .json: type.map { $0.essence == "application/json" || $0.isJSONSuffixed } ?? true
    case .types(let types):
      type.map { type in types.contains { type.matches(HTTPResponse.MediaType($0)) } } ?? false
    }
  }
}
