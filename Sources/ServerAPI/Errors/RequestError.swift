/// Why a call brought no usable answer.
///
/// One closed family for the whole request layer: ``kind`` says what happened and can be switched
/// over, the rest says where and after how many tries. Errors are values: equal errors compare
/// equal, and no secret of the request is inside.
public struct RequestError: Error, Hashable, Sendable {
  /// What happened.
  public var kind: Kind
  /// The request as `GET https://host/path`, secrets masked; empty where there was none yet.
  public var request: String
  /// Every exchange that was made.
  public var attempts: [HTTPResponse.Attempt]
  /// Where the time went.
  public var timings: HTTPResponse.Timings
  /// The beginning of an answer that was refused, at most 4 KiB: the server's own words, unmasked.
  public var responseBody: ResponseBody?

  /// Makes an error, as a transport does.
  public init(
    _ kind: Kind, request: String = "", attempts: [HTTPResponse.Attempt] = [],
    timings: HTTPResponse.Timings = HTTPResponse.Timings()
  ) {
    self.kind = kind
    self.request = request
    self.attempts = attempts
    self.timings = timings
  }
}

extension RequestError {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The call can't be sent as it was described; nothing was sent.
    case invalidRequest(Defect)
    /// The host name has no address.
    case nameNotResolved(host: String)
    /// Nothing listens at the address.
    case connectRefused
    /// No connection could be made for another reason, given in words.
    case connectFailed(String)
    /// The server could not be trusted or no secure connection came about.
    case tls(TLSFailure)
    /// The proxy refused or failed.
    case proxy(String)
    /// The request could not be sent whole.
    case sendFailed
    /// The connection ended before the answer was whole.
    case connectionLost(bytesReceived: Int, reused: Bool)
    /// Time ran out in that phase.
    case timeout(Phase)
    /// The answer is larger than allowed.
    case tooLarge(LimitKind, allowed: Int)
    /// The body is not in the coding or character set it claims.
    case undecodable(String)
    /// The call was to be answered from the cache alone, and nothing stored will do.
    case notStored
    /// The answer breaks the protocol.
    case protocolViolation(String)
    /// A redirect was not followed.
    case redirect(RedirectFailure)
    /// The network is most likely away.
    case offline
    /// The call was ended on purpose.
    case cancelled(CancelReason)
    /// The server answered with an error status.
    case status(Int)
    /// The answer is of another kind than asked for.
    case unexpectedContent(ContentProblem)
    /// The envelope of the answer carries an error of the service.
    case business(code: String, message: String)
    /// Credentials could not be had or were not accepted.
    case authentication(String)
    /// An interceptor asks for another try.
    case retryRequested(after: Duration?, reason: String)
    /// The receiver of a streamed body threw; its error in words.
    case receiverFailed(String)
    /// The transport can't be used: after a fork, or for a request a test did not script.
    case unusable(String)
  }

  /// Which part of a call is wrong, and how.
  public struct Defect: Hashable, Sendable {
    /// The part.
    public enum Place: Hashable, Sendable {
      /// The base address of the server.
      case baseURL
      /// The address of the call.
      case url
      /// The method.
      case method
      /// The name of a header.
      case headerName
      /// The value of the header of that name.
      case headerValue(String)
      /// The body.
      case body
      /// Settings that contradict each other.
      case configuration
    }

    /// Where.
    public var place: Place
    /// What is wrong and what is expected, without the offending value where that may be secret.
    public var problem: String

    /// Makes a defect.
    public init(_ place: Place, _ problem: String) {
      self.place = place
      self.problem = problem
    }
  }

  /// Why there is no secure connection.
  public enum TLSFailure: Hashable, Sendable {
    /// No trusted authority vouches for the certificate.
    case untrusted
    /// The certificate is out of date or not yet valid.
    case expired
    /// The certificate is for another host.
    case wrongHost
    /// The certificate is valid but not one of the pinned ones.
    case notPinned
    /// The handshake failed; the reason in words.
    case handshake(String)
    /// The client certificate can't be used; the reason in words.
    case clientCertificate(String)
  }

  /// A span of time that has a limit.
  public enum Phase: Hashable, Sendable {
    /// Waiting for a free connection.
    case queue
    /// Name resolution, connecting, handshake.
    case connect
    /// No byte moved.
    case idle
    /// The whole action.
    case total
  }

  /// What was larger than allowed.
  public enum LimitKind: Hashable, Sendable {
    /// All header lines together.
    case headerBytes
    /// The number of header lines.
    case headerCount
    /// The body as it travels.
    case wireBytes
    /// The body after decoding.
    case decodedBytes
    /// The decoded body in proportion to the body as it travels.
    case decompressionRatio
  }

  /// Why a redirect was not followed.
  public enum RedirectFailure: Hashable, Sendable {
    /// More hops than allowed.
    case tooMany(Int)
    /// The same request came up twice.
    case loop
    /// No address, or one that can't be read.
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

  /// Why a call was ended on purpose.
  public enum CancelReason: Hashable, Sendable {
    /// The caller cancelled it, or the task it ran in.
    case byCaller
    /// A newer call took its place.
    case superseded
    /// The object that owned it is gone.
    case ownerGone
  }

  /// What came instead of the content asked for.
  public enum ContentProblem: Hashable, Sendable {
    /// A login page of a network, where data was expected.
    case captivePortal
    /// Another media type.
    case mediaType(expected: String, received: String)
    /// Nothing, where content was expected.
    case empty
  }
}

extension RequestError {
  /// The same error, with what is known of the answer it is about.
  func about(_ response: HTTPResponse) -> RequestError {
    var error = self
    error.attempts = response.attempts
    error.timings = response.timings
    if !response.body.isEmpty {
      error.responseBody = response.body.withUnsafeBytes { ResponseBody($0.prefix(4096)) }
    }
    return error
  }
}
