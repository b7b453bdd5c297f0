internal import Quire

/// What a response has in place of the rows of a page.
enum ResponseText {
  /// Returns the start of a response body on one line, with secrets masked.
  static func excerpt(of body: ResponseBody?) -> String? {
    guard let body else { return nil }
    // The body can repeat parts of the request.
    let text = body.withUnsafeBytes { Redaction().body($0, contentType: nil, limit: 200) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  /// Returns why a response is not JSON, and what to do.
  static func notJSON(_ fault: JSONError, _ response: HTTPResponse?) -> FailureText {
    let check = "check the server"
    guard let response else { return FailureText("the response is not JSON: \(fault)", check) }
    if response.body.isEmpty {
      return FailureText(
        "the response, with status \(response.status), is empty, expected JSON", check)
    }
    let type = response.mediaType.map(\.essence) ?? "no content type"
    let start = "the response is not JSON (\(type)): "
    if let problem = encodingProblem(response) { return FailureText(start + problem, check) }
    return isLines(response)
      ? FailureText(
        start + "it has one value per line and no pages, so each line is already a row",
        "read it without this command, as with curl")
      : FailureText(start + "\(fault)", check)
  }

  /// What is wrong with the coding or the character set of a body, if anything.
  private static func encodingProblem(_ response: HTTPResponse) -> String? {
    let charset = response.mediaType?.charset
    return response.body.withUnsafeBytes { bytes in
      if bytes.starts(with: [0x1F, 0x8B]) {
        return
          "it is compressed with gzip, but has no header Content-Encoding: gzip"
      }
      let declared =
        charset.map { "its character set is “\($0)”" } ?? "no character set is declared"
      let isUTF16 =
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        || bytes.prefix(4).contains(0)
      if isUTF16 { return "it is UTF-16 (\(declared)), and JSON has to be UTF-8" }
      return String(validating: bytes, as: UTF8.self) == nil
        ? "it is not UTF-8 (\(declared)), as JSON has to be" : nil
    }
  }

  /// Whether the first line is a JSON value and another line follows.
  private static func isLines(_ response: HTTPResponse) -> Bool {
    response.body.withUnsafeBytes { bytes in
      let lines = bytes.prefix(1 << 16).split(separator: 0x0A, maxSplits: 2)
      guard lines.count > 1 else { return false }
      return lines.prefix(2).allSatisfy { line in
        [0x7B, 0x5B].contains(line.first) && (try? JSONDocument(Array(line))) != nil
      }
    }
  }

  /// Returns what a response without rows has: its arrays, each as an option, and the start of a short body.
  static func contents(of response: HTTPResponse?) -> [String] {
    var lines = arrays(in: response)
    if let body = response?.body, body.count < 400, let excerpt = excerpt(of: body) {
      lines.append("The server responded: \(excerpt)")
    }
    return lines
  }

  private static func arrays(in response: HTTPResponse?) -> [String] {
    guard let response,
      let document = response.body.withUnsafeBytes({ try? JSONDocument(Array($0)) })
    else { return [] }
    var found: [(path: JSONPath, count: Int)] = []
    collect(document.root, at: .root, depth: 0, into: &found)
    guard !found.isEmpty else {
      return ["Check that the address is that of a list."]
    }
    let lines = found.sorted { $0.count > $1.count }.prefix(8).map { array in
      let path = OptionSyntax.shellQuoted(OptionSyntax.text(array.path))
      return "  --items \(path)   (\(array.count) \(array.count == 1 ? "element" : "elements"))"
    }
    return ["The response has these arrays:"] + lines
  }

  private static func collect(
    _ view: JSONView, at path: JSONPath, depth: Int, into found: inout [(path: JSONPath, count: Int)]
  ) {
    guard depth < 6, found.count < 100 else { return }
    switch view.kind {
    case .array: found.append((path, view.count))
    case .object:
      for member in view.members {
        collect(
          member.value, at: path.appending(.name(member.name)), depth: depth + 1, into: &found)
      }
    default: break
    }
  }
}
