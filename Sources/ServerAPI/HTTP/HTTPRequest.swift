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
  public var timeouts: Timeouts
  /// The size limits of the response.
  public var limits: TransferLimits
  /// The order in which waiting requests are sent.
  public var priority: Priority
  /// Lets a caller change the priority while the request waits for a connection.
  public var priorityHandle: Priority.Handle?
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
  var memory: MemoryBudget?
  /// Whether the request only reads; see ``Call/onlyReads``.
  var onlyReads = false
  /// The freshness lifetime of a response without one.
  var cacheLifetime: Duration?

  /// Whether the current method, fields and body were already checked.
  private(set) var isChecked = false

  /// Creates a request with the default limits and timeouts.
  public init(
    _ method: HTTPMethod = .get, _ url: WebURL, headers: HTTPHeaders = [:],
    body: RequestBody? = nil, timeouts: Timeouts = Timeouts(),
    limits: TransferLimits = TransferLimits(),
    priority: Priority = .normal
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
  var mayChangeResource: Bool { cacheKey == nil && !method.isSafe }

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
