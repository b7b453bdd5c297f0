internal import Support

/// A complete request with an absolute address, as a ``Transport`` sends it.
///
/// Programs rarely create one: they describe a ``Call``, and a ``Server`` builds the request.
/// Interceptors and transports read and change it.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod { didSet { isChecked = false } }
  /// The absolute address.
  public var url: WebURL
  /// The header fields to send; the transport adds the framing fields.
  public var headers: HTTPHeaders { didSet { isChecked = false } }
  /// The body, if any.
  public var body: RequestBody? { didSet { isChecked = false } }
  /// The time limits of the phases.
  public var timeouts: HTTPRequest.Timeouts
  /// The size limits of the response.
  public var limits: HTTPRequest.Limits
  /// The order in which waiting requests are sent.
  public var priority: HTTPRequest.Priority
  /// Lets a caller change the priority while the request waits for a connection.
  package var priorityHandle: HTTPRequest.Priority.Handle?
  /// Receives the body of a successful response piece by piece; `nil` collects it in one buffer.
  ///
  /// Called on the task that sends the request. The transport reads on only after it has returned. Throwing ends the
  /// exchange with ``RequestError/Kind/receiverFailed(_:)``. A call that is cancelled or times out waits for the
  /// running receiver, so return soon and check for cancellation.
  public var receiver: (@Sendable (_ piece: ResponseBody) async throws -> Void)?
  /// Called with the progress of upload and download, at most ten times per second and once at the end.
  public var progress: (@Sendable (Progress) -> Void)?
  /// Requires a new connection, after a reused one turned out to be closed.
  public var wantsFreshConnection = false

  /// Whether the transport may send its client certificate to a server that requests one. A ``Server``
  /// allows this only at the origin of its base address, and never after a redirect has left it.
  public var allowsClientCertificate = true

  /// The name of what a request reads, which makes its response cacheable; see ``Call/cacheKey``.
  var cacheKey: String?
  /// The memory for the bodies of this and other responses.
  package var memory: MemoryBudget?
  /// Whether the request only reads; see ``Call/onlyReads``.
  var onlyReads = false
  /// The freshness lifetime of a response without one.
  var cacheLifetime: Duration?
  /// See ``Call/cacheVersion``.
  var cacheVersion = 0
  /// See ``Call/writes``.
  var writes = 0

  /// Whether the current method, fields and body were already checked.
  private(set) var isChecked = false

  /// Creates a request with the default limits and timeouts.
  public init(
    _ method: HTTPMethod = .get, _ url: WebURL, headers: HTTPHeaders = [:],
    body: RequestBody? = nil, timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(),
    limits: HTTPRequest.Limits = HTTPRequest.Limits(),
    priority: HTTPRequest.Priority = .normal
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.limits = limits
    self.priority = priority
  }

  /// Marks the current method, fields and body as checked.
  mutating func markChecked() { isChecked = true }

  /// Whether the request only reads, so that a stored response may be served.
  var isReading: Bool { method == .get || method == .head || cacheKey != nil }

  /// Whether the request may change the resource.
  var mayChangeResource: Bool {
    method.mayChangeResource(cacheKey: cacheKey, onlyReads: onlyReads)
  }

  /// Returns the addresses whose resources the request may have changed, by its response (RFC 9111, section 4.4): its
  /// own, and those that the response names on the same origin.
  func changedAddresses(by response: HTTPResponse) -> [WebURL] {
    guard mayChangeResource, (200..<400).contains(response.status) else { return [] }
    var urls = [url]
    for name in ["Location", "Content-Location"] {
      guard let text = response.headers[name], let other = try? response.url.resolving(text),
        other.origin == url.origin, !urls.contains(other)
      else { continue }
      urls.append(other)
    }
    return urls
  }

  /// The parameters in the address.
  public var query: Params { url.queryParams }
}

extension HTTPRequest {
  /// The number of bytes of a request and its response that were transferred.
  public struct Progress: Hashable, Sendable {
    /// Body bytes sent.
    public var sent: Int
    /// Body bytes to send, if known.
    public var toSend: Int?
    /// Body bytes received, after decoding.
    public var received: Int
    /// Body bytes to receive, as announced by the server; `nil` for encoded or chunked bodies.
    public var toReceive: Int?

    /// Creates a progress value.
    public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
      self.sent = sent
      self.toSend = toSend
      self.received = received
      self.toReceive = toReceive
    }
  }
}

/// The method of a request.
///
/// Any token of RFC 9110 is a method. A name that is not a token is rejected before any I/O, with a defect
/// at ``RequestError/Defect/Place/method``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name on the wire; methods are case-sensitive.
  public let rawValue: String

  /// Creates a method with any name; the name is checked when the request is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a representation.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads the head of a representation.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Submits data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Reads which methods a resource supports.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Reads, with a body in the request: safe and idempotent like ``get``.
  public static let query = HTTPMethod(rawValue: "QUERY")

  /// Whether the method only reads: `GET`, `HEAD`, `OPTIONS`, `TRACE` and `QUERY`. An unknown method may change
  /// the resource.
  package var isSafe: Bool {
    switch rawValue {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
    default: false
    }
  }

  /// Whether a request with this method may change a resource: one with a cache key, or that only reads, does not.
  package func mayChangeResource(cacheKey: String?, onlyReads: Bool) -> Bool {
    cacheKey == nil && !onlyReads && !isSafe
  }

  /// Whether sending the request twice has the same effect as sending it once.
  package var isIdempotent: Bool { isSafe || self == .put || self == .delete }

  /// The name.
  public var description: String { rawValue }
}

extension HTTPRequest {
  /// Rejects a method or a header field that could change the rest of the message on the wire, and fields
  /// that frame the message. The error names the place and never repeats a value.
  ///
  /// Every transport calls this first, so that a line break in a value can never become a second request.
  public func checkFields() throws(RequestError) {
    if isChecked { return }
    try Self.check(method)
    for field in headers.fields { try Self.check(field) }
  }

  /// Trims field values; throws an error that names the first part that can't be sent.
  ///
  /// Runs before each request goes to the transport, also after interceptors have changed it.
  mutating func validate() throws(RequestError) {
    if isChecked { return }
    try checkFields()
    try Self.check(body, with: method)
    if headers.fields.contains(where: { Self.needsTrimming($0.value.utf8) }) {
      headers = HTTPHeaders(
        headers.fields.map { .init(name: $0.name, value: String($0.value.withoutBlanks)) })
    }
    markChecked()
  }

  static func check(_ method: HTTPMethod) throws(RequestError) {
    let name = method.rawValue
    guard !name.isEmpty, name.utf8.count <= 64, name.hasOnlyBytes(where: \.isTokenByte) else {
      throw WebURL.defect(.method, "must have 1 to 64 letters, digits and symbols such as -._")
    }
    guard method.rawValue != "CONNECT" else {
      throw WebURL.defect(.method, "CONNECT is reserved for the client; set a proxy instead")
    }
  }

  static func check(_ body: RequestBody?, with method: HTTPMethod) throws(RequestError) {
    guard let body else { return }
    guard method.canHaveBody else {
      throw WebURL.defect(.body, "\(method) can't have a body; use QUERY or POST")
    }
    for case .file(let path, let length) in body.pieces
    where length < 0 || path.isEmpty || path.utf8.contains(0) {
      throw WebURL.defect(.body, "a file has an invalid path or a negative length")
    }
  }

  static func check(_ field: HTTPHeaders.Field) throws(RequestError) {
    let name = field.name
    guard !name.isEmpty, name.utf8.count <= 256, name.hasOnlyBytes(where: \.isTokenByte) else {
      throw WebURL.defect(.headerName, "must have 1 to 256 letters, digits and symbols such as -._")
    }
    guard !isFraming(name) else {
      throw WebURL.defect(.headerName, "\(name) is set by the client; remove it")
    }
    guard field.value.hasOnlyBytes(where: { !$0.isASCIIControl || $0 == 0x09 }) else {
      throw WebURL.defect(.headerValue(name), "contains a control character")
    }
  }

  /// Whether a field determines where the message ends or what happens to its connection.
  private static func isFraming(_ name: String) -> Bool {
    // The length alone decides for nearly every field, without a comparison.
    switch name.utf8.count {
    case 2: name.equalsIgnoringCase("TE")
    case 4: name.equalsIgnoringCase("Host")
    case 6: name.equalsIgnoringCase("Expect")
    case 7: name.equalsIgnoringCase("Trailer") || name.equalsIgnoringCase("Upgrade")
    case 10: name.equalsIgnoringCase("Connection") || name.equalsIgnoringCase("Keep-Alive")
    case 14: name.equalsIgnoringCase("Content-Length")
    case 16: name.equalsIgnoringCase("Proxy-Connection")
    case 17: name.equalsIgnoringCase("Transfer-Encoding")
    default: false
    }
  }

  private static func needsTrimming(_ value: String.UTF8View) -> Bool {
    value.first?.isBlank ?? false || value.last?.isBlank ?? false
  }
}

extension HTTPMethod {
  /// Whether a request with this method may have a body.
  var canHaveBody: Bool { self != .get && self != .head }
}

extension UInt8 {
  /// Whether the byte may occur in a method, field name or media type (RFC 9110, section 5.6.2).
  var isTokenByte: Bool {
    switch self {
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: isASCIIAlphanumeric
    }
  }
}
