extension Call {
  /// The accepted media types of a successful response. They are also the `Accept` header of a call without
  /// its own.
  public enum ContentPolicy: Hashable, Sendable {
    /// Any type.
    case any
    /// `application/json` or any type with the suffix `+json`. HTML, or a body that starts like it, is
    /// reported as a captive portal; a response without a type is accepted.
    case json
    /// One of these, such as `text/csv` or `image/*`; a response without a type is rejected.
    case types([String])

    /// The value of `Accept`.
    var acceptValue: String {
      switch self {
      case .any: "*/*"
      case .json: "application/json"
      case .types(let types): types.joined(separator: ", ")
      }
    }

    /// Whether a response with this type is accepted.
    func accepts(_ type: HTTPResponse.MediaType?) -> Bool {
      switch self {
      case .any: true
      case .json: type.map { $0.essence == "application/json" || $0.isJSONSuffixed } ?? true
      case .types(let types):
        type.map { type in types.contains { type.matches(HTTPResponse.MediaType($0)) } } ?? false
      }
    }
  }
}
