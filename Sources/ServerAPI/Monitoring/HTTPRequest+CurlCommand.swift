internal import Support

extension HTTPRequest {
  /// Returns the `curl` command that sends this request, one argument group on each line.
  ///
  /// ```swift
  /// print(request.curlCommand())
  /// // curl --header 'Accept: application/json' 'https://api.example.com/books?page=2'
  /// ```
  ///
  /// Secrets are masked, so the server may reject the command; pass ``Redaction/revealingSecrets`` for one
  /// that works unchanged.
  public func curlCommand(redaction: Redaction = Redaction()) -> String {
    CurlCommandLine(self, redaction: redaction).description
  }
}

/// A request as a shell command.
struct CurlCommandLine {
  let description: String

  /// Creates the command of a request. It contains text bodies, and names the file of a file body. Other
  /// bodies become a pipe if secrets are revealed, otherwise the placeholder file `@body`.
  init(_ request: HTTPRequest, redaction: Redaction = Redaction()) {
    var words = ["curl"]
    var feed = ""
    let url = redaction.url(request.url)
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
    switch request.method {
    case .get where request.body == nil: break
    case .head: words.append("--head")
    default: words.append("--request " + Self.quoted(request.method.rawValue))
    }
    for field in redaction.headers(of: request).fields {
      // curl sends a field without a value only if it ends with a semicolon.
      let text = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
      words.append("--header " + Self.quoted(text))
    }
    if let body = request.body {
      if request.headers["Content-Type"] == nil {
        let type = body.contentType.map { " " + $0 } ?? ""
        words.append("--header " + Self.quoted("Content-Type:" + type))
      }
      let data = Self.data(body, type: request.headers["Content-Type"], redaction)
      feed = data.feed
      words.append(data.argument)
    }
    words.append(Self.quoted(url))
    description = feed + words.joined(separator: " \\\n  ")
  }

  private static func data(
    _ body: RequestBody, type: String?, _ redaction: Redaction
  ) -> (feed: String, argument: String) {
    let isRevealing = redaction == .revealingSecrets
    if body.pieces.isEmpty { return ("", "--data-raw ''") }
    if body.pieces.count == 1, case .file(let path, _) = body.pieces[0] {
      return ("", "--data-binary " + quoted("@" + path))
    }
    if body.pieces.count == 1, case .bytes(let bytes) = body.pieces[0], isText(bytes),
      isRevealing || !isMultipart(type ?? body.contentType)
    {
      let text =
        isRevealing
        ? String(decoding: bytes, as: UTF8.self)
        : redaction.body(bytes, contentType: type ?? body.contentType, limit: .max)
      return ("", "--data-raw " + quoted(text))
    }
    guard isRevealing else { return ("", "--data-binary @body") }
    let commands = body.pieces.map { piece in
      switch piece {
      case .bytes(let bytes): "printf '\(escaped(bytes))'"
      case .file(let path, let length): "head -c \(length) " + quoted(path)
      }
    }
    return ("{ " + commands.joined(separator: "; ") + "; } | ", "--data-binary @-")
  }

  /// Whether the body is multipart: no rule finds secret fields between its files.
  private static func isMultipart(_ type: String?) -> Bool {
    (type ?? "").hasPrefixIgnoringCase("multipart/")
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }

  /// Returns the bytes as a `printf` format: everything but letters and digits in octal.
  private static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      if byte.isASCIIAlphanumeric { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }.joined()
  }

  /// Returns one word for a POSIX shell, in single quotes unless it is plain.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || "@%+=:,./_-".utf8.contains($0)
    }
    if isPlain, !text.isEmpty { return text }
    var result: [UInt8] = [0x27]
    for byte in text.utf8 {
      if byte == 0x27 { result += #"'\''"#.utf8 } else { result.append(byte) }
    }
    result.append(0x27)
    return String(decoding: result, as: UTF8.self)
  }
}
