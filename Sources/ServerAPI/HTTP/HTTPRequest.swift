/// One message to a server, complete and absolute: what a ``Transport`` carries.
///
/// A program seldom makes one: it describes a ``Call`` and a ``Server`` turns that into a request.
/// Interceptors and transports read and change it.
public struct HTTPRequest: Sendable {
  /// The verb.
  public var method: HTTPMethod { didSet { isChecked = false } }
  /// The absolute address.
  public var url: WebURL
  /// The fields to send; framing fields belong to the transport.
  public var headers: HTTPHeaders { didSet { isChecked = false } }
  /// What to send after the head, if anything.
  public var body: RequestBody? { didSet { isChecked = false } }
  /// How much time each phase may take.
  public var timeouts: Timeouts
  /// How much the answer may cost in bytes.
  public var limits: TransferLimits
  /// Which of the waiting requests goes first.
  public var priority: Priority
  /// Lets a caller change the priority while the request waits for a connection.
  public var priorityHandle: Priority.Handle?
  /// Takes the body of a successful answer piece by piece; `nil` collects it in one buffer.
  public var receiver: BodyReceiver?
  /// Told now and then how far upload and download are.
  public var progress: ProgressHandler?
  /// Asks for a connection that carried nothing before, after a reused one turned out to be dead.
  public var wantsFreshConnection = false

  /// Whether a server that asks for a client certificate may be shown the one of the transport. A
  /// ``Server`` allows it at the origin of its base address only, and not once a redirect has left it.
  public var allowsClientCertificate = true

  /// Whether method, fields and body were checked as they are, so that nobody has to check them again.
  private(set) var isChecked = false

  /// Makes a request with the default limits and timeouts.
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

  /// Notes that the request was checked as it is.
  mutating func noteCheck() { isChecked = true }

  /// The parameters in the address.
  public var query: Params { url.queryParams }
}

extension HTTPRequest {
  /// Receives a body piece by piece. The transport reads no further until it returns.
  ///
  /// Called on the task that sends the request. Throwing ends the exchange with
  /// ``RequestError/Kind/receiverFailed(_:)``. A call that is cancelled or times out waits for a running
  /// receiver, so return soon and check for cancellation.
  public typealias BodyReceiver = @Sendable (_ piece: ResponseBody) async throws -> Void

  /// Called at most every tenth of a second, and once at the end.
  public typealias ProgressHandler = @Sendable (Progress) -> Void

  /// How many bytes of a request and its answer have passed.
  public struct Progress: Hashable, Sendable {
    /// Body bytes sent.
    public var sent: Int
    /// Body bytes to send, when known.
    public var toSend: Int?
    /// Body bytes received, after decoding.
    public var received: Int
    /// Body bytes to receive as announced by the server; absent for encoded or chunked bodies.
    public var toReceive: Int?

    /// Makes a progress value.
    public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
      self.sent = sent
      self.toSend = toSend
      self.received = received
      self.toReceive = toReceive
    }
  }
}
