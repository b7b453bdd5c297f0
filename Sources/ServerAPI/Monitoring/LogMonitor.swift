internal import Support

/// Writes one line for each step of each call, with secrets masked.
///
/// ```
/// #7 books.list: sent GET https://api.example.com/books?page=2&api_key=[redacted]
/// #7 books.list: received 200, 4211 bytes after 41.2 ms
/// #7 books.list: finished with 200 after 42.0 ms
/// ```
///
/// Control characters are written as escapes, so that a server can't forge lines or move the cursor.
public struct LogMonitor: EventMonitor {
  private let redaction: Redaction
  private let excerptBytes: Int
  private let sink: @Sendable (String) -> Void

  /// Creates a monitor that writes to `sink`, by default the standard error. The first `excerptBytes` of
  /// each body are included, by default none.
  public init(
    redaction: Redaction = Redaction(), excerptBytes: Int = 0,
    sink: @escaping @Sendable (String) -> Void = LogMonitor.standardError
  ) {
    self.redaction = redaction
    self.excerptBytes = excerptBytes
    self.sink = sink
  }

  /// Writes the line of a step.
  public func record(_ event: Call.Event, of call: Call.Info) {
    let line = "#\(call.id) \(redaction.text(call.name)): \(text(of: event))"
    sink(Self.escapingControls(line))
  }

  /// Writes a line to the standard error.
  public static let standardError: @Sendable (String) -> Void = { line in
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(2, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      guard count > 0 else { return }
      written += count
    }
  }

  private func text(of event: Call.Event) -> String {
    switch event {
    case .created(let request): return "created \(head(of: request))"
    case .joined: return "joined an equal call in flight"
    case .queued(let duration): return "waits for \(duration.text)"
    case .rateLimited(let duration):
      return "waits for \(duration.text) for the rate limit of the server"
    case .paced(let duration): return "has waited \(duration.text) for its pace"
    case .sent(let request):
      let excerpt = redaction.excerpt(of: request.body, limit: excerptBytes)
      return "sent \(head(of: request))" + (excerpt.map { ", body \($0)" } ?? "")
    case .redirected(let status, let url): return "redirected by \(status) to \(redaction.url(url))"
    case .retrying(let attempt, let reason, let delay):
      return "attempt \(attempt) in \(delay.text): \(redaction.text(reason))"
    case .served(let response, let why):
      return "served \(response.status) from the cache, \(response.body.count) bytes: \(why)"
    case .received(let response):
      let excerpt = redaction.excerpt(of: response, limit: excerptBytes)
      return "received \(response.status), \(response.body.count) bytes after "
        + response.timings.total.text + (excerpt.map { ", body \($0)" } ?? "")
    case .finished(.success(let response)):
      return "finished with \(response.status) after \(response.timings.total.text)"
    case .finished(.failure(let error)):
      let kind = redaction.text(error.explanation.fact)
      return "failed after \(error.timings.total.text): \(kind)"
    }
  }

  private func head(of request: HTTPRequest) -> String {
    "\(request.method) \(redaction.url(request.url))"
  }

  static func escapingControls(_ text: String) -> String {
    let isControl: (Unicode.Scalar) -> Bool = {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x2028...0x202E).contains($0.value)
        || (0x2066...0x2069).contains($0.value)
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result.append(contentsOf: #"\n"#.unicodeScalars)
      case "\r": result.append(contentsOf: #"\r"#.unicodeScalars)
      case "\t": result.append(contentsOf: #"\t"#.unicodeScalars)
      case _ where isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Redaction {
  /// Returns the start of a request body; `nil` if there is none or `limit` is 0.
  func excerpt(of body: RequestBody?, limit: Int) -> String? {
    guard let body, limit > 0, body.length > 0 else { return nil }
    guard body.pieces.count == 1, case .bytes(let bytes)? = body.pieces.first else {
      return "<\(body.length) bytes" + (body.contentType.map { " of \($0)>" } ?? ">")
    }
    return self.body(bytes, contentType: body.contentType, limit: limit)
  }

  /// Returns the start of a response body; `nil` if it is empty or `limit` is 0.
  func excerpt(of response: HTTPResponse, limit: Int) -> String? {
    guard limit > 0, !response.body.isEmpty else { return nil }
    return response.body.withUnsafeBytes {
      body($0, contentType: response.headers["Content-Type"], limit: limit)
    }
  }
}
