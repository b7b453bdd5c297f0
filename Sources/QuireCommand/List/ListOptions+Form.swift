internal import Quire

/// The fields of `--form`.
extension ListOptions {
  /// The options whose values name a place in a request.
  private static let places = [
    "cursor-into", "page-param", "offset-param", "limit-param", "size-param", "keyset",
  ]

  /// Returns the fields of `--form`, also those in files. Errors don't repeat them, since they can be secret.
  static func formFields(
    _ arguments: Arguments
  ) throws(UsageError) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    for line in try lines(of: "form", arguments) {
      guard let equals = line.firstIndex(of: "="), equals != line.startIndex else {
        throw UsageError("--form must be NAME=VALUE: the name or the equals sign is missing")
      }
      fields.append((String(line[..<equals]), String(line[line.index(after: equals)...])))
    }
    return fields
  }

  /// Throws if other options contradict the form, or the body that is none.
  static func checkForm(_ arguments: Arguments) throws(UsageError) {
    try arguments.forbid("form", with: "body", because: "a request has one body")
    guard arguments.has("form") else {
      if arguments.has("body"), let option = option(arguments, hasPlace: "form:") {
        throw UsageError(
          "--\(option) form:NAME and --body can't be used together: the body is JSON;"
            + " use body:PATH, or --form NAME=VALUE in place of --body")
      }
      return
    }
    if let method = arguments["method"]?.uppercased(), ["GET", "HEAD"].contains(method) {
      throw UsageError(
        "--form and --method \(method) can't be used together: a form is the body of a POST;"
          + " remove --method, or put the fields into the address")
    }
    if let option = option(arguments, hasPlace: "body:") {
      throw UsageError(
        "--\(option) body:PATH and --form can't be used together: the body is a form, not JSON;"
          + " use form:NAME")
    }
    if arguments["paging"] == "relay" || arguments.has("connection") {
      throw UsageError(
        "--form and --paging relay can't be used together: a GraphQL query is JSON; use --body")
    }
    let isOther = try headers(arguments).contains { line in
      let line = line.lowercased()
      return line.hasPrefix("content-type:") && !line.contains("application/x-www-form-urlencoded")
    }
    if isOther {
      throw UsageError(
        "--form and another Content-Type can't be used together: the body is a form; remove the header"
      )
    }
  }

  /// Returns an option that names this kind of place.
  private static func option(_ arguments: Arguments, hasPlace kind: String) -> String? {
    places.first { name in
      guard let text = arguments[name] else { return false }
      return name == "keyset" ? text.contains("=" + kind) : text.hasPrefix(kind)
    }
  }
}
