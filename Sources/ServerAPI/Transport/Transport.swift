/// Carries one request to a server and brings back its answer.
///
/// A transport knows sockets and time limits. It knows nothing of redirects, retries, credentials,
/// pages or items: ``Server`` adds those, so that they are the same over libcurl, over a mock and
/// over a recording.
///
/// Use ``CurlTransport`` in programs and `MockTransport` in tests. To write your own, fulfil the
/// one requirement and run `TransportConformance` from `QuireTesting` against it.
///
/// - Important: `send` is called from any isolation, several calls at once. It returns or throws
///   exactly once. Cancelling the calling task ends the exchange promptly with
///   ``RequestError/Kind/cancelled(_:)``.
public protocol Transport: Sendable {
  /// Sends `request` and returns when the whole body has arrived.
  ///
  /// A redirect or an error status is an answer: it is returned, not thrown. The transport applies
  /// the request's ``HTTPRequest/limits`` and ``HTTPRequest/timeouts`` and fills in the timings it
  /// knows. With a ``HTTPRequest/receiver`` the body of a 2xx answer goes there piece by piece.
  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse

  /// Names the user that the transport itself makes known to servers, by a client certificate for
  /// example; `nil`, the default, where it makes nobody known.
  ///
  /// A cache keeps the responses of different identities apart. A transport that wraps another one
  /// returns the identity of that one.
  var identity: String? { get }
}

extension Transport {
  /// Nobody.
  public var identity: String? { nil }
}
