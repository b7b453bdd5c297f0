/// Sends one request to a server and returns its response.
///
/// A transport handles sockets and time limits. Redirects, retries, credentials and caching are added by
/// ``Server``, so that they work the same over libcurl, a mock or a recording.
///
/// Use ``CurlTransport`` in programs and `MockTransport` in tests. To write your own, implement ``send(_:)``
/// and run `TransportConformance` from `QuireTesting` against it.
///
/// - Important: `send` is called from any isolation and concurrently. It returns or throws exactly once.
///   Cancelling the calling task ends the exchange promptly with ``RequestError/Kind/cancelled(_:)``.
public protocol Transport: Sendable {
  /// Sends `request` and returns when the whole body has arrived.
  ///
  /// A redirect or an error status is a response: it is returned, not thrown. The transport applies the
  /// request's ``HTTPRequest/limits`` and ``HTTPRequest/timeouts`` and sets the timings it knows. If the
  /// request has a ``HTTPRequest/receiver``, the body of a 2xx response goes to it piece by piece.
  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse

  /// The user that the transport itself identifies to servers, for example by a client certificate. The
  /// default is `nil`: no user.
  ///
  /// A cache separates the responses of different identities. A transport that wraps another one returns
  /// the identity of the wrapped one.
  var identity: String? { get }
}

extension Transport {
  /// No user.
  public var identity: String? { nil }
}
