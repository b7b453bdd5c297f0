internal import Support

/// Why a call has no usable response.
///
/// One closed family of errors for the whole request layer. Switch over ``kind`` to learn the cause; the
/// other properties say where it happened and after which attempts. Errors are values: equal errors
/// compare equal, and no secret of the request is in them.
public struct RequestError: Error, Hashable, Sendable {
  private struct Fields: Hashable {
    var kind: Kind
    var request: String
    var attempts: [HTTPResponse.Attempt]
    var timings: HTTPResponse.Timings
    var requestedWait: Duration?
    var waitEnd: Double?
    var isWaitTooLong = false
    var parsedBytes: Int?
    var retryBudget: Int?
    var responseBody: ResponseBody?
    var serverMessage: String?
  }

  /// In a box, since each function on the way of a call has room for an error, but few calls have one.
  private var fields: Boxed<Fields>

  /// The cause.
  public var kind: Kind {
    get { fields.value.kind }
    set { fields.value.kind = newValue }
  }
  /// The request as `GET https://host/path`, with secrets masked; empty if none was built.
  public var request: String {
    get { fields.value.request }
    set { fields.value.request = newValue }
  }
  /// Every exchange of the call.
  public var attempts: [HTTPResponse.Attempt] {
    get { fields.value.attempts }
    set { fields.value.attempts = newValue }
  }
  /// The time spent in each phase.
  public var timings: HTTPResponse.Timings {
    get { fields.value.timings }
    set { fields.value.timings = newValue }
  }
  /// How long the server asked to wait before another request: with `Retry-After`, or until a quota is reset.
  public var requestedWait: Duration? {
    get { fields.value.requestedWait }
    set { fields.value.requestedWait = newValue }
  }
  /// When ``requestedWait`` ends, in seconds since 1970.
  package var waitEnd: Double? {
    get { fields.value.waitEnd }
    set { fields.value.waitEnd = newValue }
  }
  /// Whether ``requestedWait`` was too long for ``RetryPolicy/maximumRetryAfter``, together with the waits before it.
  package var isWaitTooLong: Bool {
    get { fields.value.isWaitTooLong }
    set { fields.value.isWaitTooLong = newValue }
  }
  /// The memory that the JSON of the response would take.
  package var parsedBytes: Int? {
    get { fields.value.parsedBytes }
    set { fields.value.parsedBytes = newValue }
  }
  /// The retries per second of the host, if there was no other one because they are used up.
  package var retryBudget: Int? {
    get { fields.value.retryBudget }
    set { fields.value.retryBudget = newValue }
  }
  /// The first 4 KiB of the rejected response, unmasked.
  public var responseBody: ResponseBody? {
    get { fields.value.responseBody }
    set { fields.value.responseBody = newValue }
  }

  /// What the server says about the failure: the message in the JSON or the short text of a response with an error
  /// status, or that of a ``Kind/business(code:message:)`` error. On one line of at most 300 characters, with secrets
  /// masked.
  public var serverMessage: String? {
    get {
      if case .business(_, let message) = kind { return ServerMessage.line(of: message) }
      return fields.value.serverMessage
    }
    set { fields.value.serverMessage = newValue }
  }

  /// Creates an error, as a transport does.
  public init(
    _ kind: Kind, request: String = "", attempts: [HTTPResponse.Attempt] = [],
    timings: HTTPResponse.Timings = HTTPResponse.Timings()
  ) {
    fields = Boxed(Fields(kind: kind, request: request, attempts: attempts, timings: timings))
  }
}

extension RequestError {
  /// The cause of an error.
  public enum Kind: Hashable, Sendable {
    /// The call is invalid; nothing was sent.
    case invalidRequest(Defect)
    /// The host name can't be resolved: there is no such host, or no DNS server responds.
    case nameNotResolved(host: String)
    /// The connection was refused.
    case connectRefused
    /// The connection failed for another reason, as text, such as a missing route to the host.
    case connectFailed(String)
    /// The TLS handshake failed, or the server is not trusted.
    case tls(TLSFailure)
    /// The connection through the proxy failed; the reason as text.
    case proxy(String)
    /// The request could not be sent completely.
    case sendFailed
    /// The connection closed before the response was complete.
    case connectionLost(bytesReceived: Int, reused: Bool)
    /// The time limit of a phase was exceeded.
    case timeout(Phase)
    /// The response exceeds a size limit.
    case tooLarge(LimitKind, allowed: Int)
    /// The body is invalid in its declared coding or character set.
    case undecodable(String)
    /// The call may only use the cache, and no stored response is usable.
    case notStored
    /// The response violates the protocol.
    case protocolViolation(String)
    /// A redirect was not followed.
    case redirect(RedirectFailure)
    /// The device is probably offline: it has no route to the host, nor to any other outside of its local
    /// network. A failure to reach the device itself or a host in its local network never has this kind.
    case offline
    /// The call was cancelled.
    case cancelled(CancelReason)
    /// The server responded with an error status.
    case status(Int)
    /// The server asked to wait: it reported a rate limit, or had a pause with `Retry-After`. It did so in response to this
    /// call, or earlier, and then nothing was sent. `nil` if it didn't say for how long.
    case rateLimited(wait: Duration?)
    /// The response has content of another kind than expected.
    case unexpectedContent(ContentProblem)
    /// The envelope of the response reports an error of the service.
    case business(code: String, message: String)
    /// Credentials were unavailable or rejected; the reason as text.
    case authentication(String)
    /// An interceptor requests a retry.
    case retryRequested(after: Duration?, reason: String)
    /// The receiver of a streamed body threw this error, as text.
    case receiverFailed(String)
    /// The transport can't be used: after a fork, or for a request that a test did not script.
    case unusable(String)
  }

  /// The invalid part of a call, and the problem.
  public struct Defect: Hashable, Sendable {
    /// A part of a call.
    public enum Place: Hashable, Sendable {
      /// The base address of the server.
      case baseURL
      /// The address of the call.
      case url
      /// The method.
      case method
      /// The name of a header.
      case headerName
      /// The value of the header with this name.
      case headerValue(String)
      /// The body.
      case body
      /// Settings that contradict each other.
      case configuration
    }

    /// The invalid part.
    public var place: Place
    /// What is wrong and what is expected, without the value if that may be secret.
    public var problem: String

    /// Creates a defect.
    package init(_ place: Place, _ problem: String) {
      self.place = place
      self.problem = problem
    }
  }

  /// Why there is no secure connection.
  public enum TLSFailure: Hashable, Sendable {
    /// The system requires `https` for this host; nothing was sent. Only Apple systems do, by App Transport Security.
    case requiredBySystem
    /// The certificate is not signed by a trusted authority.
    case untrusted
    /// The certificate has expired or is not yet valid.
    case expired
    /// The certificate is for another host.
    case wrongHost
    /// The certificate is valid, but its key is not one of the pinned keys.
    case notPinned
    /// The handshake failed; the reason as text.
    case handshake(String)
    /// The client certificate can't be used; the reason as text.
    case clientCertificate(String)
  }

  /// A phase of a call that has a time limit.
  public enum Phase: Hashable, Sendable {
    /// Waiting for a free connection.
    case queue
    /// Resolving the host name, which is part of ``HTTPRequest/Timeouts/connect``.
    case resolve
    /// Connecting; also the other parts of ``HTTPRequest/Timeouts/connect``, if the transport can't separate them.
    case connect
    /// The TLS handshake, which is part of ``HTTPRequest/Timeouts/connect``.
    case handshake
    /// No data sent or received.
    case idle
    /// The whole call, all attempts included.
    case total
  }

  /// A size that has a limit.
  public enum LimitKind: Hashable, Sendable {
    /// All header lines together.
    case headerBytes
    /// The number of header lines.
    case headerCount
    /// The body on the wire.
    case wireBytes
    /// The body after decoding.
    case decodedBytes
    /// The ratio of the decoded body to the body on the wire.
    case decompressionRatio
    /// The bodies of all responses in flight, with what is parsed from them.
    case memory
  }

  /// Why a redirect was not followed.
  public enum RedirectFailure: Hashable, Sendable {
    /// More redirects than allowed.
    case tooMany(Int)
    /// The same request occurred twice.
    case loop
    /// No address.
    case noLocation
    /// An invalid address, or several.
    case badLocation
    /// From `https` to `http`.
    case downgrade
    /// To a scheme other than `http` and `https`.
    case scheme(String)
    /// To another origin, which the policy does not allow.
    case crossOrigin(String)
    /// To another origin with the body of the request, which the policy does not allow.
    case crossOriginBody(String)
  }

  /// Why a call was cancelled.
  public enum CancelReason: Hashable, Sendable {
    /// The caller cancelled it or its task.
    case byCaller
    /// A newer call superseded it.
    case superseded
    /// The object that owned it was released.
    case ownerGone
  }

  /// Why the content of a response is not the expected one.
  public enum ContentProblem: Hashable, Sendable {
    /// A web page instead of data, such as the login page of a network.
    case captivePortal
    /// Another media type.
    case mediaType(expected: String, received: String)
    /// No content.
    case empty
  }
}

extension RequestError {
  /// Whether the call was cancelled, for any reason: there is nothing to report to the user.
  public var isCancelled: Bool {
    if case .cancelled = kind { true } else { false }
  }

  /// Whether the device is probably offline. A server that can't be reached while others could be has another
  /// ``kind``, and so has a host of the local network.
  public var isOffline: Bool { kind == .offline }
}
