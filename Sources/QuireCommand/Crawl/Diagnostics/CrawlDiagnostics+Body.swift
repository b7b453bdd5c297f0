internal import Quire

/// What a response has in place of the rows of a page.
extension CrawlDiagnostics {
  /// Returns the start of a response body on one line, with secrets masked.
  static func excerpt(of body: ResponseBody?) -> String? {
    guard let body else { return nil }
    // The body can repeat parts of the request.
    let text = body.withUnsafeBytes { Redaction().body($0, contentType: nil, limit: 200) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  /// Returns the cause why a response is not JSON, and what to do.
  static func notJSON(_ fault: JSONError, _ response: HTTPResponse?) -> String {
    guard let response else { return "it is not JSON: \(fault)" }
    if response.body.isEmpty {
      return
        "the response, with status \(response.status), is empty, expected JSON; check the server"
    }
    let type = response.mediaType.map(\.essence) ?? "no content type"
    let problem = encodingProblem(response) ?? contentProblem(response)
    return "the response is not JSON (\(type)): \(problem ?? "\(fault); check the server")"
  }

  /// What a body is instead of JSON, if its content shows that.
  private static func contentProblem(_ response: HTTPResponse) -> String? {
    let isPage = response.body.withUnsafeBytes { bytes in
      bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    }
    if isPage {
      return
        "it is a web page; check the address, or sign in with --token-env NAME or --header @FILE"
    }
    return isLines(response)
      ? "it has one value per line and no pages, so each line is already a row" : nil
  }

  /// What is wrong with the coding or the character set of a body, if anything.
  private static func encodingProblem(_ response: HTTPResponse) -> String? {
    let charset = response.mediaType?.charset
    return response.body.withUnsafeBytes { bytes in
      if bytes.starts(with: [0x1F, 0x8B]) {
        return
          "it is compressed with gzip, but has no header Content-Encoding: gzip; check the server"
      }
      let declared =
        charset.map { "its character set is “\($0)”" } ?? "no character set is declared"
      let isUTF16 =
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        || bytes.prefix(4).contains(0)
      if isUTF16 { return "it is UTF-16 (\(declared)), and JSON has to be UTF-8; check the server" }
      return String(validating: bytes, as: UTF8.self) == nil
        ? "it is not UTF-8 (\(declared)), as JSON has to be; check the server" : nil
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

  /// Returns a list of the arrays in a response, each as an option.
  static func arrays(in response: HTTPResponse?) -> String {
    guard let response,
      let document = response.body.withUnsafeBytes({ try? JSONDocument(Array($0)) })
    else { return "" }
    var found: [(path: JSONPath, count: Int)] = []
    collect(document.root, JSONPath.root, 0, &found)
    guard !found.isEmpty else {
      return "Check that the address is that of a list."
    }
    let lines = found.sorted { $0.count > $1.count }.prefix(8).map { array in
      let path = OptionSyntax.shellQuoted(OptionSyntax.text(array.path))
      return "  --items \(path)   (\(array.count) \(array.count == 1 ? "element" : "elements"))"
    }
    return "The response has these arrays:\n" + lines.joined(separator: "\n")
  }

  private static func collect(
    _ view: JSONView, _ path: JSONPath, _ depth: Int, _ found: inout [(path: JSONPath, count: Int)]
  ) {
    guard depth < 6, found.count < 100 else { return }
    switch view.kind {
    case .array: found.append((path, view.count))
    case .object:
      for member in view.members {
        collect(member.value, path.appending(.name(member.name)), depth + 1, &found)
      }
    default: break
    }
  }
}
